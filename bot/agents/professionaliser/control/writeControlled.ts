import type { InsertedCell, InsertedText } from '../word/insertedParts.ts';
import { insertedPageBreak, insertedParagraph, insertedTable } from '../word/insertedParts.ts';
import { openDocument, readWordPart, saveDocument } from '../word/openDocument.ts';
import type { Paragraph } from '../word/paragraphs.ts';
import { setUpHeadings } from '../word/styles.ts';
import { deleteParagraph, editText, formatParagraph, makeStamp, type Stamp } from '../word/trackChanges.ts';
import type { XmlElement } from '../word/xml.ts';
import type { Plan } from './plan.ts';

/** A place that a person has to fill begins with this mark, so that it can be searched for. */
export const TO_FILL = 'To be filled';

/** Most rows of a table; the chat and the table say how many more there are. */
const MAX_ROWS = 400;

export type Author = {
  /** The author of the changes. */
  name: string;
  /** ISO 8601. */
  at: string;
  /** The same for people: "5 Jun 2026". */
  day: string;
};

const gap = (what: string): InsertedText => ({ text: `[${TO_FILL}: ${what}]`, gap: true });
const cellOf = (text: string): InsertedCell => [{ text }];

/** The places that only a person can fill: those of the control block, and the version of this draft in its history. */
export const countToFill = ({ control }: Pick<Plan, 'control'>): number =>
  control.filter(({ toFill }) => toFill !== null).length + 1;

function controlBlock(plan: Plan, { day, name }: Author, stamp: Stamp): XmlElement[] {
  const rows = plan.control.map(({ label, value, toFill }): InsertedCell[] => [
    [{ text: label, bold: true }],
    [...(value === null ? [] : [{ text: value }]), ...(toFill === null ? [] : [gap(toFill)])],
  ]);
  return [
    insertedParagraph([{ text: plan.title, bold: true }], stamp, plan.styles.title ?? undefined),
    insertedParagraph([{ text: `Draft of ${day}, not approved`, bold: true }], stamp),
    insertedTable(
      ['Document control', ''],
      [[[{ text: 'Title', bold: true }], cellOf(plan.title)], ...rows],
      [3, 7],
      stamp,
    ),
    insertedParagraph([{ text: '' }], stamp),
    insertedTable(
      ['Version', 'Date', 'What changed', 'By'],
      [
        [
          [gap('version')],
          cellOf(day),
          cellOf(
            'Brought into the form of a controlled document. Each change is tracked; the table at the end lists them.',
          ),
          cellOf(name),
        ],
      ],
      [2, 2, 5, 3],
      stamp,
    ),
    insertedPageBreak(stamp),
  ];
}

/** "1, 2.1 (3 times)". */
function placesText(where: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const section of where) counts.set(section || 'front', (counts.get(section || 'front') ?? 0) + 1);
  return [...counts].map(([section, count]) => (count === 1 ? section : `${section} (${count} times)`)).join(', ');
}

const more = (all: number): InsertedCell[][] =>
  all > MAX_ROWS ? [[cellOf('…'), cellOf(`${all - MAX_ROWS} more, not listed here`), cellOf('')]] : [];

function endSections(plan: Plan, headingId: string, stamp: Stamp): XmlElement[] {
  const section = (title: string, table: XmlElement | null, none: string): XmlElement[] => [
    insertedParagraph([{ text: title }], stamp, headingId),
    table ?? insertedParagraph([{ text: none }], stamp),
    insertedParagraph([{ text: '' }], stamp),
  ];
  const { terms } = plan.terms;
  const { openPoints, changes } = plan;
  return [
    insertedPageBreak(stamp),
    ...section(
      'Terms and abbreviations',
      terms.length === 0
        ? null
        : insertedTable(
            ['Term', 'As the document says'],
            terms.slice(0, MAX_ROWS).map(({ term, meaning }) => [cellOf(term), cellOf(meaning)]),
            [3, 7],
            stamp,
          ),
      'The document defines no terms.',
    ),
    ...section(
      'Open points',
      openPoints.length === 0
        ? null
        : insertedTable(
            ['Section', 'Words', 'To settle'],
            [
              ...openPoints
                .slice(0, MAX_ROWS)
                .map(({ section: at, words, why }) => [cellOf(at ?? '–'), cellOf(words), cellOf(why)]),
              ...more(openPoints.length),
            ],
            [2, 6, 5],
            stamp,
          ),
      'None was found. That is no review of what the document says.',
    ),
    ...section(
      'Changes made',
      insertedTable(
        ['Section', 'Was', 'Is', 'Why'],
        [
          ...changes
            .slice(0, MAX_ROWS)
            .map(({ where, from, to, why }) => [cellOf(placesText(where)), cellOf(from), cellOf(to), cellOf(why)]),
          ...more(changes.length).map((cells) => [...cells, cellOf('')]),
          [
            cellOf('–'),
            cellOf('–'),
            cellOf('Control block, history, terms, open points and this table'),
            cellOf('The form of a controlled document.'),
          ],
        ],
        [2, 4, 4, 4],
        stamp,
      ),
      '',
    ),
  ];
}

/** What a document's headings look like once they are written. */
function formatHeadings(
  plan: Plan,
  paragraphs: readonly Paragraph[],
  ids: readonly string[],
  numberingId: string,
  stamp: Stamp,
) {
  for (const { at, level, number } of plan.outline.headings) {
    const paragraph = paragraphs[at];
    if (!paragraph || !plan.formatted.has(at)) continue;
    const numbering = number === null || plan.styles.isNumbered ? null : { id: numberingId, level };
    const styleId =
      paragraph.styleId !== null && plan.styles.levels.has(paragraph.styleId) ? paragraph.styleId : ids[level];
    formatParagraph(paragraph, { styleId: styleId ?? ids[0] ?? '', numbering }, stamp);
  }
}

/**
 * Writes the planned changes into a document, each tracked with author and date. What the plan does not name keeps its
 * markup, and every other part of the file its bytes.
 */
export function writeControlled(bytes: Uint8Array, plan: Plan, author: Author): Uint8Array {
  const file = openDocument(bytes);
  const stamp = makeStamp(author.name, author.at);
  const { ids, numberingId, parts } = setUpHeadings((name) => readWordPart(file, name), plan.styles);
  const moved = new Set(plan.moved);
  for (const paragraph of file.paragraphs) {
    if (moved.has(paragraph.at)) deleteParagraph(paragraph, stamp);
    else {
      const edits = plan.edits.get(paragraph.at);
      if (edits) editText(paragraph, edits, stamp);
    }
  }
  formatHeadings(plan, file.paragraphs, ids, numberingId, stamp);
  const end = file.body.children.findLastIndex((node) => typeof node !== 'string' && node.name === 'w:sectPr');
  const ending = endSections(plan, ids[0] ?? '', stamp);
  file.body.children.splice(end === -1 ? file.body.children.length : end, 0, ...ending);
  file.body.children.unshift(...controlBlock(plan, author, stamp));
  return saveDocument(file, parts);
}
