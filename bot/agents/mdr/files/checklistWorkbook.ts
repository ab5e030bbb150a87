import ExcelJS from 'exceljs';
import { type DeviceFacts, FACTS, labelOf, shownValue } from '../facts/facts.ts';
import type { Checklist, ChecklistRow } from '../gspr/checklist.ts';
import type { Classification } from '../rules/classify.ts';
import { describeReasoning } from '../rules/describe.ts';
import { EDITIONS, TO_CHECK } from '../rules/editions.ts';
import type { ReportDue } from '../surveillance/dates.ts';
import { describeDue } from '../surveillance/describeDue.ts';
import { plainText } from './plainText.ts';

const APPLIES = { yes: 'Yes', no: 'No', open: 'Open' } as const;
const COLOURS = { head: 'FF1F4E79', yes: 'FFFFFFFF', no: 'FFEDEDED', open: 'FFFFF2CC' } as const;

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

const LINE_POINTS = 15;

/** The height of a row in which every text is seen whole: not every program works it out from wrapped cells. */
function heightOf(texts: readonly string[], widths: readonly number[]): number {
  const lines = texts.map((text, at) =>
    text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / ((widths[at] ?? 10) * 0.95))), 0),
  );
  return Math.min(400, Math.max(1, ...lines) * LINE_POINTS);
}

const fill = (argb: string): ExcelJS.Fill => ({ type: 'pattern', pattern: 'solid', fgColor: { argb } });

function styleHead(row: ExcelJS.Row): void {
  row.font = { bold: true, color: { argb: 'FFFFFFFF' } };
  row.alignment = { vertical: 'middle', wrapText: true };
  row.height = 2 * LINE_POINTS;
  row.eachCell((cell) => {
    cell.fill = fill(COLOURS.head);
  });
}

function addChecklist(book: ExcelJS.Workbook, { rows }: Checklist): void {
  const sheet = book.addWorksheet('GSPR checklist', {
    views: [{ state: 'frozen', xSplit: 1, ySplit: 1 }],
    pageSetup: { orientation: 'landscape', fitToPage: true, fitToWidth: 1, fitToHeight: 0, paperSize: 9 },
  });
  sheet.pageSetup.printTitlesRow = '1:1';
  sheet.columns = COLUMNS.map(({ header, width }) => ({ header, width }));
  styleHead(sheet.getRow(1));
  for (const row of rows) {
    const texts = COLUMNS.map(({ of }) => plainText(of(row)));
    const added = sheet.addRow(texts);
    added.height = heightOf(
      texts,
      COLUMNS.map(({ width }) => width),
    );
    added.alignment = { vertical: 'top', wrapText: true };
    if (row.applies !== 'yes')
      added.eachCell({ includeEmpty: true }, (cell) => {
        cell.fill = fill(COLOURS[row.applies]);
      });
  }
  sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: rows.length + 1, column: COLUMNS.length } };
}

const TWO_WIDTHS = [38, 100] as const;

function addTwoColumns(book: ExcelJS.Workbook, name: string, heads: [string, string], rows: [string, string][]): void {
  const sheet = book.addWorksheet(name, {
    views: [{ state: 'frozen', ySplit: 1 }],
    pageSetup: { orientation: 'landscape', fitToPage: true, fitToWidth: 1, fitToHeight: 0, paperSize: 9 },
  });
  sheet.columns = heads.map((header, at) => ({ header, width: TWO_WIDTHS[at] ?? 38 }));
  styleHead(sheet.getRow(1));
  for (const row of rows) {
    const texts = row.map(plainText);
    const added = sheet.addRow(texts);
    added.alignment = { vertical: 'top', wrapText: true };
    added.height = heightOf(texts, TWO_WIDTHS);
  }
}

/** What the workbook is made of. */
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
  const book = new ExcelJS.Workbook();
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
