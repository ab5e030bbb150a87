import { withFixedDates } from '../ooxml/writeWorkbook.ts';
import { NHS_LIKELIHOODS, NHS_MATRIX, NHS_SEVERITIES } from '../reading/riskMatrix.ts';
import hazards from './hazards.json' with { type: 'json' };
import tickets from './tickets.json' with { type: 'json' };

/** The product and the people of the sample are fictional. */
export const SAMPLE_LOG_NAME = 'Quillmere e-prescribing hazard log v2.3.xlsx';
export const SAMPLE_TICKETS_NAME = 'Quillmere tickets.csv';

const HEADERS = [
  'Hazard ID',
  'Hazard name',
  'Hazard description',
  'Potential clinical impact',
  'Possible causes',
  'Existing controls',
  'Initial severity',
  'Initial likelihood',
  'Initial risk',
  'Design controls',
  'Test controls',
  'Training',
  'Business process change',
  'Residual severity',
  'Residual likelihood',
  'Residual risk',
  'Rationale',
  'Owner',
  'Status',
  'Action status',
  'Evidence',
  'Review date',
];
const WIDTHS = [10, 30, 40, 40, 36, 30, 14, 14, 9, 36, 30, 28, 28, 14, 14, 9, 36, 22, 12, 12, 22, 13];
const HEADER_ROW = 4;
const MATRIX = "'Risk matrix'!";
const STATUSES = 'Open,Closed,Transferred,Proposed – CSO review';
const FIXED_DAY = new Date(Date.UTC(2026, 8, 1));

const riskOf = (severity: string, likelihood: string) =>
  NHS_MATRIX.cells[NHS_LIKELIHOODS.indexOf(likelihood)]?.[NHS_SEVERITIES.indexOf(severity)];
const lookUp = (severity: string, likelihood: string) =>
  `INDEX(${MATRIX}$C$3:$G$7,MATCH(${likelihood},${MATRIX}$B$3:$B$7,0),MATCH(${severity},${MATRIX}$C$8:$G$8,0))`;

/** Hazards whose residual formula reads the initial severity: one of the planted faults. */
const MIXED = new Set(['QM-08', 'QM-09', 'QM-10']);

/** Builds the sample's log: 25 hazards with 12 planted faults (faults.ts). Deterministic. */
export async function buildSampleLog(): Promise<Uint8Array<ArrayBuffer>> {
  const { default: ExcelJS } = await import('exceljs');
  const workbook = new ExcelJS.Workbook();
  Object.assign(workbook, {
    creator: 'Arc sample',
    lastModifiedBy: 'Arc sample',
    created: FIXED_DAY,
    modified: FIXED_DAY,
  });

  const cover = workbook.addWorksheet('Cover');
  cover.columns = [{ width: 4 }, { width: 24 }, { width: 60 }];
  cover.getCell('B2').value = 'Clinical safety hazard log';
  cover.getCell('B2').font = { name: 'Calibri', bold: true, size: 16 };
  for (const [at, [label, text]] of [
    ['Product', 'Quillmere e-prescribing (fictional)'],
    ['Manufacturer', 'Quillmere Health (fictional)'],
    ['Version', '2.2'],
    ['Version date', '01/09/2026'],
    ['Standard', 'DCB0129 4.2'],
    ['Note', 'A sample that comes with Arc. Nothing in it is real.'],
  ].entries()) {
    cover.getCell(4 + at, 2).value = label;
    cover.getCell(4 + at, 3).value = text;
  }

  const history = workbook.addWorksheet('Version history');
  history.columns = [{ width: 10 }, { width: 14 }, { width: 60 }];
  history.addRow(['Version', 'Date', 'Change']).font = { name: 'Calibri', size: 11, bold: true };
  for (const row of [
    ['2.0', '10/02/2026', 'First issue for release 2'],
    ['2.1', '12/05/2026', 'Reviewed after the downtime exercise'],
    ['2.2', '03/08/2026', 'Hazards of the patient app added'],
    ['2.3', '01/09/2026', 'Evidence added'],
  ])
    history.addRow(row);

  const log = workbook.addWorksheet('Hazard log', { views: [{ state: 'frozen', xSplit: 2, ySplit: HEADER_ROW }] });
  log.columns = WIDTHS.map((width) => ({ width }));
  log.getCell('A1').value = 'Quillmere e-prescribing: hazard log';
  log.getCell('A1').font = { name: 'Calibri', bold: true, size: 14 };
  log.getCell('A2').value = 'Ratings by the NHS matrix; see the sheet “Risk matrix”.';
  const heading = log.getRow(HEADER_ROW);
  heading.values = HEADERS;
  heading.font = { name: 'Calibri', size: 11, bold: true, color: { argb: 'FFFFFFFF' } };
  heading.alignment = { vertical: 'middle', wrapText: true };
  heading.height = 32;
  heading.eachCell((cell) => {
    cell.fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FF1F4E5F' } };
  });
  for (const [at, hazard] of hazards.entries()) {
    const number = HEADER_ROW + 1 + at;
    const initial = riskOf(hazard.severity, hazard.likelihood);
    const residual = riskOf(hazard.residualSeverity, hazard.residualLikelihood);
    const row = log.getRow(number);
    row.values = [
      hazard.id,
      hazard.name,
      hazard.description,
      hazard.impact,
      hazard.causes,
      hazard.existing,
      hazard.severity,
      hazard.likelihood,
      hazard.id === 'QM-04'
        ? 2
        : initial === undefined
          ? 3
          : { formula: lookUp(`G${number}`, `H${number}`), result: initial },
      hazard.design,
      hazard.test,
      hazard.training,
      hazard.business,
      hazard.residualSeverity,
      hazard.residualLikelihood,
      { formula: lookUp(`${MIXED.has(hazard.id) ? 'G' : 'N'}${number}`, `O${number}`), result: Number(residual) },
      hazard.rationale,
      hazard.owner,
      hazard.status,
      hazard.actionStatus,
      hazard.evidence,
      `${String(1 + (at % 28)).padStart(2, '0')}/08/2026`,
    ];
    row.alignment = { vertical: 'top', wrapText: true };
    row.height = 92;
    row.eachCell((cell) => {
      cell.border = {
        top: { style: 'thin' },
        left: { style: 'thin' },
        bottom: { style: 'thin' },
        right: { style: 'thin' },
      };
    });
  }
  const last = HEADER_ROW + hazards.length;
  log.autoFilter = { from: { row: HEADER_ROW, column: 1 }, to: { row: last, column: HEADERS.length } };
  for (const column of ['I', 'P'])
    log.addConditionalFormatting({
      ref: `${column}${HEADER_ROW + 1}:${column}${last}`,
      rules: [
        {
          type: 'cellIs',
          operator: 'greaterThan',
          priority: 1,
          formulae: [3],
          style: { fill: { type: 'pattern', pattern: 'solid', bgColor: { argb: 'FFF4B6B6' } } },
        },
        {
          type: 'cellIs',
          operator: 'equal',
          priority: 2,
          formulae: [3],
          style: { fill: { type: 'pattern', pattern: 'solid', bgColor: { argb: 'FFFBE3A8' } } },
        },
      ],
    });
  const lists: [string, string][] = [
    ['G', NHS_SEVERITIES.join(',')],
    ['N', NHS_SEVERITIES.join(',')],
    ['H', NHS_LIKELIHOODS.join(',')],
    ['O', NHS_LIKELIHOODS.join(',')],
    ['S', STATUSES],
  ];
  for (let number = HEADER_ROW + 1; number <= last; number += 1)
    for (const [column, words] of lists)
      log.getCell(`${column}${number}`).dataValidation = { type: 'list', allowBlank: true, formulae: [`"${words}"`] };

  const matrix = workbook.addWorksheet('Risk matrix');
  matrix.columns = [{ width: 12 }, { width: 14 }, ...NHS_SEVERITIES.map(() => ({ width: 14 }))];
  matrix.getCell('A1').value = 'Risk matrix (DCB0129 4.2)';
  matrix.getCell('A1').font = { name: 'Calibri', size: 11, bold: true };
  for (const [at, likelihood] of NHS_LIKELIHOODS.entries())
    matrix.getRow(3 + at).values = [at === 0 ? 'Likelihood' : '', likelihood, ...(NHS_MATRIX.cells[at] ?? [])];
  matrix.getRow(8).values = ['', 'Severity', ...NHS_SEVERITIES];
  return withFixedDates(new Uint8Array(await workbook.xlsx.writeBuffer()));
}

/** Builds the sample's 120 tickets in the format of a tracker's export. */
export function buildSampleTickets(): Uint8Array<ArrayBuffer> {
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = tickets.map(({ key, summary, description, type }) =>
    [key, type, summary, description].map(quoted).join(','),
  );
  return new Uint8Array(Buffer.from(`\uFEFF${['Issue key,Issue Type,Summary,Description', ...rows].join('\r\n')}\r\n`));
}
