import type ExcelJS from 'exceljs';
import type { Process } from '../process/readProcess.ts';
import type { Risk } from '../risks/findRisks.ts';

/** The content of the workbook. */
type WorkbookInput = {
  process: Process;
  risks: readonly Risk[];
  title: string;
  sourceName: string;
  day: string;
};

type Column = { header: string; width: number };

const HEAD = 'FF0B5D5B';
/** Cells for people. */
const FOR_PEOPLE = 'FFFFF2CC';
const LINE_POINTS = 15;

// biome-ignore lint/suspicious/noControlCharactersInRegex: a sheet can't hold these characters.
const NOT_IN_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;
const plain = (text: string): string => text.toWellFormed().replace(NOT_IN_XML, '');

/** The height of a row in which every text is seen whole. */
function heightOf(texts: readonly string[], columns: readonly Column[]): number {
  const lines = texts.map((text, at) =>
    text
      .split('\n')
      .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / ((columns[at]?.width ?? 10) * 0.95))), 0),
  );
  return Math.min(400, Math.max(1, ...lines) * LINE_POINTS);
}

/** @param forPeople the columns, from 1, that only people fill */
function addSheet(
  book: ExcelJS.Workbook,
  name: string,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  forPeople: readonly number[] = [],
): void {
  const sheet = book.addWorksheet(name, {
    views: [{ state: 'frozen', ySplit: 1 }],
    pageSetup: { orientation: 'landscape', fitToPage: true, fitToWidth: 1, fitToHeight: 0, paperSize: 9 },
  });
  sheet.pageSetup.printTitlesRow = '1:1';
  sheet.columns = columns.map(({ header, width }) => ({ header, width }));
  const head = sheet.getRow(1);
  head.font = { bold: true, color: { argb: 'FFFFFFFF' } };
  head.alignment = { vertical: 'middle', wrapText: true };
  head.height = 2 * LINE_POINTS;
  head.eachCell((cell) => {
    cell.fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: HEAD } };
  });
  for (const row of rows) {
    const texts = row.map(plain);
    const added = sheet.addRow(texts);
    added.alignment = { vertical: 'top', wrapText: true };
    added.height = heightOf(texts, columns);
    added.eachCell({ includeEmpty: true }, (cell) => {
      cell.border = { bottom: { style: 'thin', color: { argb: 'FFB8C4CE' } } };
    });
    for (const column of forPeople)
      added.getCell(column).fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: FOR_PEOPLE } };
  }
  if (rows.length > 0)
    sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: rows.length + 1, column: columns.length } };
}

const NOT_SAID = 'not said';

function addChecklist(book: ExcelJS.Workbook, { steps }: Process): void {
  addSheet(
    book,
    'Checklist',
    [
      { header: 'Step', width: 7 },
      { header: 'What is done', width: 70 },
      { header: 'Who', width: 22 },
      { header: 'When', width: 24 },
      { header: 'Done (yours)', width: 12 },
      { header: 'By (yours)', width: 16 },
      { header: 'On (yours)', width: 16 },
      { header: 'Remarks (yours)', width: 30 },
    ],
    steps.map(({ number, words, actor, times }) => [
      String(number),
      words,
      'role' in actor ? actor.role : `${NOT_SAID}: ${actor.unclear}`,
      times.join('; ') || NOT_SAID,
      '☐',
      '',
      '',
      '',
    ]),
    [5, 6, 7, 8],
  );
}

function addRegister(book: ExcelJS.Workbook, { process, risks }: Pick<WorkbookInput, 'process' | 'risks'>): void {
  const words = new Map(process.steps.map((step) => [step.number, step.words]));
  addSheet(
    book,
    'Risk register',
    [
      { header: 'Id', width: 7 },
      { header: 'Step', width: 7 },
      { header: 'The step, word for word', width: 50 },
      { header: 'What can go wrong, in Arc’s words', width: 40 },
      { header: 'The words it comes from', width: 24 },
      { header: 'Check that the step names', width: 22 },
      { header: 'Likelihood (yours)', width: 14 },
      { header: 'Severity (yours)', width: 14 },
      { header: 'Rating (yours)', width: 12 },
      { header: 'Control (yours)', width: 34 },
      { header: 'Owner (yours)', width: 18 },
      { header: 'Due (yours)', width: 14 },
    ],
    risks.map((risk) => [
      risk.id,
      String(risk.step),
      words.get(risk.step) ?? '',
      risk.what,
      risk.words ?? 'what the step does not say',
      risk.named ?? 'none',
      '',
      '',
      '',
      '',
      '',
      '',
    ]),
    [7, 8, 9, 10, 11, 12],
  );
}

/** Writes the checklist and the risk register as a workbook. Nothing is rated: these cells are empty, for people. */
export async function writeWorkbook(input: WorkbookInput): Promise<Uint8Array> {
  const { process, risks, title, sourceName, day } = input;
  // It takes long to load, and a thread that only reads needs none of it.
  const { Workbook } = (await import('exceljs')).default;
  const book = new Workbook();
  addSheet(
    book,
    'About',
    [
      { header: 'About this workbook', width: 34 },
      { header: '', width: 90 },
    ],
    [
      ['Process', title],
      ['Status', `Draft of ${day}, not approved. Made of ${sourceName} by rules, without a language model.`],
      ['Steps', String(process.steps.length)],
      ['Risks', String(risks.length)],
      [
        'Where risks come from',
        'From words of a step, which are quoted, or from what the step does not say. What the words do not point to is not in the register: it is a beginning, and no complete list.',
      ],
      ['Ratings', 'None is proposed. Likelihood, severity, rating, control, owner and date are for people.'],
    ],
  );
  addChecklist(book, process);
  addRegister(book, input);
  return new Uint8Array(await book.xlsx.writeBuffer());
}
