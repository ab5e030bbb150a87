import { readPart, readZipDirectory } from '../../../engine/files/zipArchive.ts';
import { openDocument } from '../word/openDocument.ts';
import { bodyOf } from '../word/paragraphs.ts';
import { textsOf } from '../word/views.ts';
import { parseXml } from '../word/xml.ts';
import type { Plan } from './plan.ts';
import { TO_FILL } from './writeControlled.ts';

/** Numbers as they are written, with their marks: 1.5, 5-10, 03/04/2026, 1,000. */
const numbersIn = (text: string): string => (text.match(/\d(?:[\d.,:/–-]*\d)?/g) ?? []).join(' ');
const lettersIn = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Whether an edit only removes a typed heading number, or changes neither a number nor letters that nobody chose to change. */
function isHarmless(from: string, to: string, isTypedNumber: boolean, chosen: readonly string[]): boolean {
  if (isTypedNumber) return to === '' && !/\p{L}/u.test(from);
  if (numbersIn(from) !== numbersIn(to)) return false;
  return lettersIn(from) === lettersIn(to) || chosen.some((spelling) => to.toLowerCase().startsWith(spelling));
}

/** The text of a paragraph with its edits made. */
function edited(text: string, edits: readonly { from: number; to: number; text: string }[]): string {
  return edits
    .toSorted((one, other) => other.from - one.from)
    .reduce((result, edit) => result.slice(0, edit.from) + edit.text + result.slice(edit.to), text);
}

/** Whether a cell of the control block holds a value, or asks a person about it. */
const isCellOf = (line: string, value: string): boolean =>
  line === value ||
  line.startsWith(`${value}[${TO_FILL}`) ||
  (line.startsWith(`[${TO_FILL}`) && line.includes(`“${value}”`));

function viewsOf(bytes: Uint8Array): { accepted: string[]; rejected: string[] } {
  const body = bodyOf(parseXml(readPart(readZipDirectory(bytes), 'word/document.xml') ?? ''));
  return { accepted: textsOf(body, 'accepted'), rejected: textsOf(body, 'rejected') };
}

/** Whether a list holds another one as a run of its items. */
const holdsInOrder = (all: readonly string[], wanted: readonly string[]): boolean => {
  if (wanted.length === 0) return true;
  return all.some((_, at) => wanted.every((text, step) => all[at + step] === text));
};

/**
 * Compares the written file with its source, both read from their bytes: with every change rejected it is the source,
 * word for word; with every change accepted it is the source with the planned edits; no edit touches a number, a date,
 * a dose or a name; a line that went into the control block is there; every other part has its bytes.
 * @returns what differs, in sentences; empty where everything was carried over
 */
export function checkCarried(
  source: Uint8Array,
  written: Uint8Array,
  plan: Plan,
  chosen: Readonly<Record<string, string | null>>,
): string[] {
  const { paragraphs, entries } = openDocument(source);
  const before = paragraphs.map(({ text }) => text);
  const { accepted, rejected } = viewsOf(written);
  const problems: string[] = [];
  if (rejected.length !== before.length || rejected.some((text, at) => text !== before[at]))
    problems.push('With every change rejected, the text is not that of the source.');
  const moved = new Set(plan.moved);
  const expected = before.flatMap((text, at) => (moved.has(at) ? [] : [edited(text, plan.edits.get(at) ?? [])]));
  if (!holdsInOrder(accepted, expected)) problems.push('With every change accepted, a part of the text is missing.');
  const typed = new Map(plan.outline.headings.map((heading) => [heading.at, heading.typed]));
  const words = Object.values(chosen).filter((spelling) => spelling !== null);
  for (const [at, edits] of plan.edits)
    for (const { from, to, text } of edits) {
      const isTypedNumber = typed.get(at)?.from === from && typed.get(at)?.to === to;
      const old = before[at]?.slice(from, to) ?? '';
      if (!isHarmless(old, text, isTypedNumber, words)) problems.push(`“${old}” would become “${text}”.`);
    }
  for (const at of plan.moved) {
    const value = before[at]?.replace(/^[^:\t]*[:\t]\s*/, '').trim() ?? '';
    if (!accepted.some((line) => isCellOf(line, value))) problems.push(`“${value}” is not in the control block.`);
  }
  const parts = readZipDirectory(written);
  for (const [name, { crc, size }] of entries) {
    const part = parts.get(name);
    const mayDiffer = /^word\/(?:document|styles|numbering)\.xml$|^\[Content_Types\]|document\.xml\.rels$/.test(name);
    if (!part || (!mayDiffer && (part.crc !== crc || part.size !== size)))
      problems.push(`The part ${name} is not that of the source.`);
  }
  return problems;
}
