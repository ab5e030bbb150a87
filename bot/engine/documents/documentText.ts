import { logger } from '../../../models/logger.ts';
import { refuseTrackedChanges } from '../files/trackedChanges.ts';
import { readPart, readZipDirectory } from '../files/zipArchive.ts';

/** At most this much is read of a document's text, and of each part of its package. */
const MAX_CHARACTERS = 400_000;
const MAX_PART_BYTES = 4 * 1024 * 1024;

/** The parts of an Office package that hold its words. */
const TEXT_PARTS = /^(?:word\/document|xl\/sharedStrings)\.xml$/;

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The Markdown prefix of a Word paragraph that is a heading or a list item. */
function markOf(properties: string): string {
  const level = /<w:pStyle w:val="[^"]*?(?:heading|berschrift)\s?([1-9])"/i.exec(properties)?.[1];
  if (level !== undefined) return `${'#'.repeat(Number(level))} `;
  return /<w:numPr[\s/>]/.test(properties) ? '• ' : '';
}

const decode = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '');

/** Plain text for a tag, given without its angle brackets. */
function signOf(tag: string): string {
  if (tag === 'w:tab/' || tag === '/w:tc') return '\t';
  return tag === '/w:p' || tag === '/w:tr' || tag === '/si' || tag === 'w:br/' ? '\n' : '';
}

const PROPERTIES_END = '</w:pPr>';

/**
 * The text of a part of a package, one line per paragraph. Reads in one pass without backtracking, so that hostile markup
 * can't slow it down.
 */
function wordsOf(xml: string): string {
  const parts: string[] = [];
  const lastProperties = xml.lastIndexOf(PROPERTIES_END);
  let at = 0;
  let isHidden = false;
  let before = '';
  while (at < xml.length) {
    const open = xml.indexOf('<', at);
    const text = xml.slice(at, open === -1 ? xml.length : open);
    if (text !== '' && !isHidden) parts.push(decode(text));
    const close = open === -1 ? -1 : xml.indexOf('>', open);
    if (close === -1) break;
    const tag = xml.slice(open + 1, close);
    at = close + 1;
    isHidden = /^w:(?:delText|instrText)(?:\s|$)/.test(tag);
    if (tag === 'w:pPr' && at <= lastProperties) {
      const end = xml.indexOf(PROPERTIES_END, at);
      parts.push(markOf(xml.slice(at, end)));
      at = end + PROPERTIES_END.length;
      before = '';
      continue;
    }
    const sign = signOf(tag);
    // A cell that ends right after its last paragraph stays in the line.
    if (sign === '\t' && before === '\n' && text === '') parts.pop();
    if (sign !== '') parts.push(sign);
    before = sign;
  }
  return parts.join('');
}

/** @throws FileError for an archive beyond the limits, which is refused before anything of it is inflated */
function readPackage(bytes: Uint8Array): string | null {
  const entries = readZipDirectory(bytes);
  const part = [...entries.values()].find(({ name }) => TEXT_PARTS.test(name));
  return part && part.size <= MAX_PART_BYTES ? wordsOf(readPart(entries, part.name) ?? '') : null;
}

/**
 * Refuses a Word document in which changes are tracked: its text would hold what somebody may still reject. Other files,
 * and what can't be opened, pass.
 * @throws FileError tracked_changes
 */
export function requireSettledText(name: string, bytes: Uint8Array): void {
  if (!/\.docx$/i.test(name)) return;
  let xml: string | null = null;
  try {
    const entries = readZipDirectory(bytes);
    const part = entries.get('word/document.xml');
    xml = part && part.size <= MAX_PART_BYTES ? readPart(entries, part.name) : null;
  } catch {
    // That it can't be read is said where its text is asked for.
  }
  if (xml) refuseTrackedChanges(xml);
}

/**
 * The text of a file: one line per paragraph, with headings and list items marked as in Markdown. Null for kinds that are
 * not read, such as PDF, and for files that can't be opened.
 */
export async function textOf(name: string, bytes: Uint8Array): Promise<string | null> {
  const isPackage = /\.(?:docx|xlsx|xlsm)$/i.test(name);
  if (!isPackage && !/\.(?:md|txt|csv)$/i.test(name)) return null;
  try {
    const text = isPackage ? readPackage(bytes) : Buffer.from(bytes).toString('utf8');
    return text?.slice(0, MAX_CHARACTERS) ?? null;
  } catch (error) {
    logger.info({ error }, 'the text of a document could not be read');
    return null;
  }
}
