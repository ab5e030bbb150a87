import { planDocument } from '../../../bot/agents/professionaliser/control/plan.ts';
import { writeControlled } from '../../../bot/agents/professionaliser/control/writeControlled.ts';
import { readSource } from '../../../bot/agents/professionaliser/source/readSource.ts';
import { openDocument } from '../../../bot/agents/professionaliser/word/openDocument.ts';
import { bodyOf } from '../../../bot/agents/professionaliser/word/paragraphs.ts';
import { textsOf, type View } from '../../../bot/agents/professionaliser/word/views.ts';
import { parseXml } from '../../../bot/agents/professionaliser/word/xml.ts';
import { makeEntry, readPart, readZipDirectory, writeZip } from '../../../bot/engine/files/zipArchive.ts';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** A Word file with this markup as its body, and further parts. */
export const wordFile = (body: string, parts: Record<string, string> = {}): Uint8Array =>
  writeZip(
    Object.entries({
      '[Content_Types].xml':
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
      'word/document.xml': `<w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`,
      ...parts,
    }).map(([name, content]) => makeEntry(name, content)),
  );

/** A paragraph of runs, each of a text or of markup. */
export const p = (...runs: string[]): string =>
  `<w:p>${runs.map((run) => (run.startsWith('<') ? run : `<w:r><w:t xml:space="preserve">${run}</w:t></w:r>`)).join('')}</w:p>`;

/** The plan for a text or a Word file. */
export const planOf = (source: string | Uint8Array, chosen: Record<string, string | null> = {}, name = 'Text.md') =>
  planDocument(openDocument(typeof source === 'string' ? readSource(name, Buffer.from(source)) : source), name, {
    values: {},
    chosen,
  });

export const AUTHOR = { name: 'Petra (Arc)', at: '2026-11-26T09:00:00.123Z', day: '26 Nov 2026' };

/** A text or a Word file as it is written, with its plan. */
export function control(source: string | Uint8Array, chosen: Record<string, string | null> = {}, name = 'Text.md') {
  const bytes = typeof source === 'string' ? readSource(name, Buffer.from(source)) : source;
  const plan = planOf(bytes, chosen, name);
  const written = writeControlled(bytes, plan, AUTHOR);
  return { bytes, plan, written, markup: markupOf(written) };
}

export const markupOf = (file: Uint8Array, part = 'word/document.xml'): string =>
  readPart(readZipDirectory(file), part) ?? '';
export const linesOf = (file: Uint8Array, view: View): string[] => textsOf(bodyOf(parseXml(markupOf(file))), view);
