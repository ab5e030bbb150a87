import type ExcelJS from 'exceljs';
import type { ExistingHazard } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { SHEET_TYPES } from '../../../../models/contracts/files.ts';
import { dayText } from '../../../../models/contracts/zonedText.ts';
import { addTextSheet, fillWith, LINE_POINTS, SHEET_FONT, type TextColumn } from '../../../engine/files/textSheet.ts';
import { DCB0160 } from '../answers/clauses.ts';
import { counted } from '../counted.ts';
import { baseNameOf } from '../reports/caseReport.ts';
import { findTransferred, riskText } from '../reports/reportFigures.ts';
import type { HazardJobs } from '../worker/jobs.ts';
import { assessClauses, countStandings } from './assessClauses.ts';
import { EDITION } from './clauseRows.ts';
import type { AssessedClause, ComplianceInput, Standing } from './complianceInput.ts';

/** How each standing reads, and the colour of its cell. */
const STANDINGS: Record<Standing, { text: string; colour: string }> = {
  found: { text: 'Evidence found, to confirm', colour: 'FFE3F4EA' },
  part: { text: 'Evidence in part', colour: 'FFFFF2CC' },
  nothing: { text: 'Nothing found', colour: 'FFFBE3E1' },
  person: { text: 'Only a person can tell', colour: 'FFEDEDED' },
};

/** The answers of the NHS compliance assessment. */
const ANSWERS = ['Yes', 'No', 'Partial', 'Not applicable', 'Awaiting'];
/** Rows of what is handed over: a sheet of more is no longer read by people. */
const MAX_TRANSFERRED = 1000;

const CLAUSE_COLUMNS: readonly (TextColumn & { of(row: AssessedClause): string })[] = [
  { header: 'Clause', width: 9, of: ({ clause }) => clause },
  { header: 'Section', width: 26, of: ({ section }) => section },
  { header: 'What it asks, in Arc’s words', width: 44, of: ({ asks }) => asks },
  { header: 'What Arc found', width: 18, of: ({ standing }) => STANDINGS[standing].text },
  { header: 'Possible evidence', width: 52, of: ({ found }) => found.join('\n') },
  { header: 'Not found, and open findings', width: 52, of: ({ missing }) => missing.join('\n') },
  { header: 'Answer (yours)', width: 16, of: () => 'Awaiting' },
  { header: 'Reason and reference (yours)', width: 36, of: () => '' },
];
const STANDING_AT = 4;
const ANSWER_AT = 7;

function addClauses(book: ExcelJS.Workbook, clauses: readonly AssessedClause[]): void {
  const texts = clauses.map((row) => CLAUSE_COLUMNS.map(({ of }) => of(row)));
  const sheet = addTextSheet(book, 'DCB0129', CLAUSE_COLUMNS, texts, 1);
  for (const [at, { standing }] of clauses.entries()) {
    const row = sheet.getRow(at + 2);
    row.getCell(STANDING_AT).fill = fillWith(STANDINGS[standing].colour);
    row.getCell(ANSWER_AT).dataValidation = {
      type: 'list',
      allowBlank: false,
      formulae: [`"${ANSWERS.join(',')}"`],
      showErrorMessage: true,
      errorTitle: 'Answer',
      error: `One of: ${ANSWERS.join(', ')}.`,
    };
  }
  sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: clauses.length + 1, column: CLAUSE_COLUMNS.length } };
}

const HANDED_OVER: readonly (TextColumn & { of(hazard: ExistingHazard): string })[] = [
  { header: 'Hazard', width: 14, of: ({ id }) => id },
  { header: 'Name', width: 40, of: ({ name }) => name },
  { header: 'Residual risk', width: 14, of: ({ residual }) => riskText(residual) },
  { header: 'Status, as written', width: 22, of: ({ status }) => status ?? '' },
  {
    header: 'Controls, with their status as written',
    width: 70,
    of: ({ controls }) => controls.map(({ text, status }) => (status ? `${text} [${status}]` : text)).join('\n'),
  },
  { header: 'Taken over as (the organisation’s)', width: 30, of: () => '' },
];

/** What the deploying organisation takes over; DCB0160 has no clause here, because its text is not part of Arc. */
function addHandedOver(book: ExcelJS.Workbook, hazards: readonly ExistingHazard[]): void {
  const handed = findTransferred(hazards);
  const sheet = addTextSheet(
    book,
    'For DCB0160',
    HANDED_OVER,
    handed.slice(0, MAX_TRANSFERRED).map((hazard) => HANDED_OVER.map(({ of }) => of(hazard))),
  );
  const note = (text: string) => {
    const row = sheet.addRow([text]);
    sheet.mergeCells(row.number, 1, row.number, HANDED_OVER.length);
    row.alignment = { vertical: 'top', wrapText: true };
    row.height = 2 * LINE_POINTS;
    row.font = { ...SHEET_FONT, italic: true };
  };
  if (handed.length === 0) note('No hazard or control of the log says that it is transferred.');
  if (handed.length > MAX_TRANSFERRED) note(`${handed.length - MAX_TRANSFERRED} more are in the log.`);
  note(`${DCB0160} Arc does not hold its clauses: assess them with the standard itself.`);
}

const ABOUT: readonly TextColumn[] = [
  { header: 'About this sheet', width: 34 },
  { header: '', width: 100 },
];

function about(
  { analysis, result, madeAt, timeZone }: ComplianceInput,
  clauses: readonly AssessedClause[],
): string[][] {
  const counts = countStandings(clauses);
  return [
    [
      'Status',
      `Draft of ${dayText(madeAt, timeZone)}. Arc claims no compliance: each answer is the Clinical Safety Officer’s.`,
    ],
    [
      'Standard',
      `${EDITION}, ${counted(clauses.length, 'clause')} that ask for something, in Arc’s own words. The standard itself decides.`,
    ],
    [
      'Hazard log',
      `${analysis.logFileName}${analysis.logVersion ? `, version ${analysis.logVersion}` : ''}${analysis.isSample ? ' (Arc’s sample)' : ''}`,
    ],
    ['SHA-256 of the log', result.analysisMetadata.logDigest],
    [
      'Analysis',
      `${analysis.id}, ${dayText(analysis.createdAt, timeZone)}, engine ${result.analysisMetadata.engineVersion}`,
    ],
    ...(Object.keys(STANDINGS) as Standing[]).map((standing) => [STANDINGS[standing].text, String(counts[standing])]),
    [
      'Documents',
      'Recognised by their names alone. Arc has not read them; whether one is the evidence, a person decides.',
    ],
    ['Answers', `“Awaiting” until somebody chooses another: ${ANSWERS.join(', ')}.`],
  ];
}

/** Writes the compliance sheet: each clause with what Arc found and did not find, and what is handed over. */
export async function writeComplianceSheet(
  input: ComplianceInput,
): Promise<HazardJobs['writeComplianceSheet']['output']> {
  const clauses = assessClauses(input);
  const { Workbook } = (await import('exceljs')).default;
  const book = new Workbook();
  addTextSheet(book, 'About', ABOUT, about(input, clauses));
  addClauses(book, clauses);
  addHandedOver(book, input.result.existingHazards);
  return {
    bytes: new Uint8Array(await book.xlsx.writeBuffer()),
    fileName: nameOfSheet(input.analysis.logFileName),
    contentType: SHEET_TYPES.xlsx,
    standings: countStandings(clauses),
  };
}

/** "DCB0129 compliance (draft), Ward log.xlsx". */
const nameOfSheet = (logFileName: string): string => `DCB0129 compliance (draft), ${baseNameOf(logFileName)}.xlsx`;
