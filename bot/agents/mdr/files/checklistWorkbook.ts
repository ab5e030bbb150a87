import type ExcelJS from 'exceljs';
import { addTextSheet, fillWith } from '../../../engine/files/textSheet.ts';
import { type DeviceFacts, FACTS, labelOf, shownValue } from '../facts/facts.ts';
import type { Checklist, ChecklistRow } from '../gspr/checklist.ts';
import type { Classification } from '../rules/classify.ts';
import { describeReasoning } from '../rules/describe.ts';
import { EDITIONS, TO_CHECK } from '../rules/editions.ts';
import type { ReportDue } from '../surveillance/dates.ts';
import { describeDue } from '../surveillance/describeDue.ts';

const APPLIES = { yes: 'Yes', no: 'No', open: 'Open' } as const;
const COLOURS = { no: 'FFEDEDED', open: 'FFFFF2CC' } as const;

const COLUMNS: readonly { header: string; width: number; of(row: ChecklistRow): string }[] = [
  { header: 'No.', width: 10, of: ({ number }) => number },
  { header: 'What it asks, in Arc’s words', width: 52, of: ({ asks }) => asks },
  { header: 'Applies', width: 10, of: ({ applies }) => APPLIES[applies] },
  { header: 'Why', width: 36, of: ({ because }) => because },
  { header: 'Evidence expected', width: 34, of: ({ expected }) => expected.join('\n') },
  { header: 'Found in your documents, to confirm', width: 36, of: ({ found }) => found.join('\n') },
  { header: 'Gap', width: 34, of: ({ missing }) => missing.map((name) => `Not found: ${name}`).join('\n') },
  { header: 'Standard and method (yours)', width: 26, of: () => '' },
  { header: 'Document id and version (yours)', width: 26, of: () => '' },
];

function addChecklist(book: ExcelJS.Workbook, { rows }: Checklist): void {
  const texts = rows.map((row) => COLUMNS.map(({ of }) => of(row)));
  const sheet = addTextSheet(book, 'GSPR checklist', COLUMNS, texts, 1);
  for (const [at, { applies }] of rows.entries())
    if (applies !== 'yes')
      sheet.getRow(at + 2).eachCell({ includeEmpty: true }, (cell) => {
        cell.fill = fillWith(COLOURS[applies]);
      });
  sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: rows.length + 1, column: COLUMNS.length } };
}

const TWO_WIDTHS = [38, 100] as const;

function addTwoColumns(book: ExcelJS.Workbook, name: string, heads: [string, string], rows: [string, string][]): void {
  const columns = heads.map((header, at) => ({ header, width: TWO_WIDTHS[at] ?? 38 }));
  addTextSheet(book, name, columns, rows);
}

/** The input of the workbook. */
type ChecklistFile = {
  facts: DeviceFacts;
  classification: Classification;
  checklist: Checklist;
  due: ReportDue[];
  /** The day it was made, for people. */
  day: string;
  /** Documents whose text could not be read, so that only their names counted. */
  unread: string[];
};

/** Writes the checklist as a workbook: every number of Annex I, the reasoning, and the facts that it rests on. */
export async function writeChecklist({
  facts,
  classification,
  checklist,
  due,
  day,
  unread,
}: ChecklistFile): Promise<Buffer> {
  // It takes long to load, and every start of the server would pay for it.
  const { Workbook } = (await import('exceljs')).default;
  const book = new Workbook();
  const { counts } = checklist;
  addTwoColumns(
    book,
    'About',
    ['About this checklist', ''],
    [
      ['Product', [shownValue(facts, 'name'), shownValue(facts, 'version')].filter(Boolean).join(', version ')],
      ['Status', `Draft of ${day}. ${TO_CHECK}`],
      ['Text', EDITIONS.mdr],
      ['Numbers of Annex I', String(counts.all)],
      ['Apply', String(counts.applies)],
      ['Do not apply', String(counts.not)],
      ['Open', String(counts.open)],
      ['Apply, with an expected document not found', String(counts.withGap)],
      [
        'Found documents',
        'Recognised by name or by phrases of their text. Whether a document is the evidence, a person decides.',
      ],
      ['Read by name alone', unread.length > 0 ? unread.join('\n') : 'None'],
    ],
  );
  addChecklist(book, checklist);
  addTwoColumns(
    book,
    'Reasoning',
    ['Question', 'Reasoning'],
    describeReasoning(facts, classification).map(({ heading, lines }) => [heading, lines.join('\n')]),
  );
  addTwoColumns(
    book,
    'Surveillance',
    ['Report', 'Due'],
    due.map((it) => [`${it.market}: ${it.report}`, describeDue(it)]),
  );
  addTwoColumns(
    book,
    'Facts',
    ['Fact', 'As given'],
    FACTS.filter((fact) => facts[fact]).map((fact) => [labelOf(fact), shownValue(facts, fact) ?? '']),
  );
  return Buffer.from(await book.xlsx.writeBuffer());
}
