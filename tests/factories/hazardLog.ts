import { createHash } from 'node:crypto';
import { cellAddress } from '../../bot/agents/clinical_safety/ooxml/cellAddress.ts';
import { escapeXml } from '../../bot/agents/clinical_safety/ooxml/xmlText.ts';
import { makeEntry, writeZip } from '../../bot/engine/files/zipArchive.ts';

/** The nineteen columns of a wide log, as in national programmes' logs. */
export const WIDE_HEADERS = [
  'Hazard Number',
  'Hazard Name',
  'Hazard Description',
  'Potential Clinical Impact',
  'Possible Causes',
  'Existing Controls',
  'Severity',
  'Likelihood',
  'Risk',
  'Design',
  'Test',
  'Training',
  'BPC',
  'Severity',
  'Likelihood',
  'Risk',
  'Summary of Actions/Notes',
  'Owner',
  'Status',
];

export type SheetCell = string | number | { formula: string; result: string | number } | null;
export type SheetSpec = {
  name: string;
  rows: SheetCell[][];
  /** XML after the sheet data: merges, conditional formats and validations, in the order of the schema. */
  after?: string;
  hidden?: boolean;
};
export type PackageSpec = {
  sheets: SheetSpec[];
  definedNames?: string;
  /** Further parts of the package, by name. */
  parts?: Record<string, string | Uint8Array>;
  contentTypes?: string;
  workbookRelations?: string;
};

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="2"><border/><border><left style="thin"/><right style="thin"/><top style="thin"/><bottom style="thin"/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="1" xfId="0"/><xf numFmtId="0" fontId="0" fillId="0" borderId="1" xfId="0" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf><xf numFmtId="164" fontId="0" fillId="0" borderId="1" xfId="0"/></cellXfs><dxfs count="1"><dxf><font><color rgb="FFFF0000"/></font></dxf></dxfs></styleSheet>`;

/**
 * Builds a workbook from explicit parts, so that a test controls all of its XML. The same spec gives the same bytes.
 */
export function makePackage({
  sheets,
  definedNames = '',
  parts = {},
  contentTypes = '',
  workbookRelations = '',
}: PackageSpec): Uint8Array<ArrayBuffer> {
  const strings = new Map<string, number>();
  const shared = (text: string) => {
    const known = strings.get(text);
    if (known !== undefined) return known;
    strings.set(text, strings.size);
    return strings.size - 1;
  };
  const sheetParts = sheets.map(({ rows, after = '' }) => {
    const data = rows
      .map((cells, at) => {
        const inner = cells
          .map((cell, column) => {
            const place = `r="${cellAddress(at + 1, column + 1)}" s="${at === 0 ? 1 : 2}"`;
            if (cell === null || cell === '') return `<c ${place}/>`;
            if (typeof cell === 'number') return `<c ${place}><v>${cell}</v></c>`;
            if (typeof cell === 'string') return `<c ${place} t="s"><v>${shared(cell)}</v></c>`;
            const type = typeof cell.result === 'string' ? ' t="str"' : '';
            return `<c ${place}${type}><f>${escapeXml(cell.formula)}</f><v>${escapeXml(String(cell.result))}</v></c>`;
          })
          .join('');
        return cells.length > 0
          ? `<row r="${at + 1}" spans="1:${cells.length}" ht="45" customHeight="1">${inner}</row>`
          : '';
      })
      .join('');
    const width = Math.max(1, ...rows.map(({ length }) => length));
    return `${HEAD}<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}"><dimension ref="A1:${cellAddress(Math.max(1, rows.length), width)}"/><sheetData>${data}</sheetData>${after}</worksheet>`;
  });
  const list = sheets
    .map(
      ({ name, hidden }, at) =>
        `<sheet name="${escapeXml(name)}" sheetId="${at + 1}"${hidden ? ' state="hidden"' : ''} r:id="rId${at + 1}"/>`,
    )
    .join('');
  const relations = sheets
    .map(
      (_, at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
    )
    .join('');
  const next = sheets.length + 1;
  const items = [...strings.keys()].map((text) => `<si><t xml:space="preserve">${escapeXml(text)}</t></si>`).join('');
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const overrides = sheets
    .map((_, at) => `<Override PartName="/xl/worksheets/sheet${at + 1}.xml" ContentType="${type}.worksheet+xml"/>`)
    .join('');
  const all: [string, string | Uint8Array][] = [
    [
      '[Content_Types].xml',
      `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/>${overrides}<Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${type}.sharedStrings+xml"/>${contentTypes}</Types>`,
    ],
    [
      '_rels/.rels',
      `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${list}</sheets>${definedNames ? `<definedNames>${definedNames}</definedNames>` : ''}</workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations}<Relationship Id="rId${next}" Type="${OFFICE}/styles" Target="styles.xml"/><Relationship Id="rId${next + 1}" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/>${workbookRelations}</Relationships>`,
    ],
    ...sheetParts.map((xml, at): [string, string] => [`xl/worksheets/sheet${at + 1}.xml`, xml]),
    ['xl/styles.xml', STYLES],
    [
      'xl/sharedStrings.xml',
      `${HEAD}<sst xmlns="${MAIN}" count="${strings.size}" uniqueCount="${strings.size}">${items}</sst>`,
    ],
    ...Object.entries(parts),
  ];
  return writeZip(all.map(([name, content]) => makeEntry(name, content)));
}

/** The NHS matrix as a sheet, in the layout of published logs. */
export const MATRIX_SHEET: SheetSpec = {
  name: 'Risk Matrix',
  rows: [
    [],
    [null, 'Likelihood', 'Very High', 3, 4, 4, 5, 5],
    [null, null, 'High', 2, 3, 3, 4, 5],
    [null, null, 'Medium', 2, 2, 3, 3, 4],
    [null, null, 'Low', 1, 2, 2, 3, 4],
    [null, null, 'Very Low', 1, 1, 2, 2, 3],
    [null, null, null, 'Minor', 'Significant', 'Considerable', 'Major', 'Catastrophic'],
  ],
};

export type HazardRow = Partial<
  Record<
    | 'id'
    | 'name'
    | 'description'
    | 'impact'
    | 'causes'
    | 'existing'
    | 'severity'
    | 'likelihood'
    | 'design'
    | 'test'
    | 'training'
    | 'business'
    | 'residualSeverity'
    | 'residualLikelihood'
    | 'notes'
    | 'owner'
    | 'status',
    string
  >
> & {
  risk?: SheetCell;
  residualRisk?: SheetCell;
};

/** A row of the wide log; fields that are not given have plausible, faultless values. */
export function hazardRow(row: HazardRow = {}): SheetCell[] {
  const of = (text: string | undefined, otherwise: string) => (text === undefined ? otherwise : text);
  return [
    of(row.id, 'HAZ01'),
    of(row.name, 'Medicine list is out of date'),
    of(row.description, 'The list shows medicines that were stopped.'),
    of(row.impact, 'The patient takes a medicine that was stopped.'),
    of(row.causes, '1) Filter on status is wrong'),
    of(row.existing, 'Pharmacist checks the list'),
    of(row.severity, 'Major'),
    of(row.likelihood, 'Low'),
    row.risk === undefined ? 3 : row.risk,
    of(row.design, 'Show the date of each entry'),
    of(row.test, 'Regression pack'),
    of(row.training, 'Guide for prescribers'),
    of(row.business, 'Reconcile at admission'),
    of(row.residualSeverity, 'Major'),
    of(row.residualLikelihood, 'Very low'),
    row.residualRisk === undefined ? 2 : row.residualRisk,
    of(row.notes, 'Reviewed at the workshop'),
    of(row.owner, 'Product owner'),
    of(row.status, 'Open'),
  ];
}

/** A wide log with these rows, as a workbook with its matrix. */
export function makeWideLog(
  rows: HazardRow[],
  more: Partial<PackageSpec> & { after?: string; belowRows?: SheetCell[][]; otherSheets?: SheetSpec[] } = {},
): Uint8Array<ArrayBuffer> {
  const { after, belowRows = [], otherSheets = [], ...spec } = more;
  return makePackage({
    sheets: [
      {
        name: 'Hazard Log',
        rows: [WIDE_HEADERS, ...rows.map(hazardRow), ...belowRows],
        ...(after === undefined ? {} : { after }),
      },
      MATRIX_SHEET,
      ...otherSheets,
    ],
    ...spec,
  });
}

export const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const SUBJECTS = [
  'allergy',
  'dose',
  'result',
  'referral',
  'appointment',
  'discharge letter',
  'vaccination',
  'observation',
  'prescription',
  'patient record',
  'diagnosis code',
  'attachment',
  'task',
  'alert',
  'medication list',
  'identifier',
  'specimen',
  'consultation',
  'blood pressure',
  'consent',
];
const FAULTS = [
  'is missing from',
  'is shown late in',
  'is duplicated in',
  'is filed wrongly in',
  'is truncated in',
  'is not sent from',
  'is shown with the wrong date in',
  'is hidden in',
  'is overwritten in',
  'is rejected by',
];
const PLACES = [
  'the summary screen',
  'the ward list',
  'the transfer message',
  'the printed letter',
  'the mobile app',
  'the pharmacy queue',
  'the results inbox',
  'the handover report',
  'the patient portal',
  'the booking module',
];
const SEVERITIES = ['Minor', 'Significant', 'Considerable', 'Major', 'Catastrophic'];
const LIKELIHOODS = ['Very low', 'Low', 'Medium', 'High', 'Very high'];

const pick = (list: string[], at: number) => list[at % list.length] ?? '';

/** A large log with as little repetition as real logs have, for the bench. */
export function makeLargeLog(count: number): Uint8Array<ArrayBuffer> {
  return makeWideLog(
    Array.from({ length: count }, (_, at) => {
      const what = `${pick(SUBJECTS, at)} ${pick(FAULTS, Math.floor(at / 20))} ${pick(PLACES, Math.floor(at / 200))}`;
      return {
        id: `HAZ${String(at + 1).padStart(5, '0')}`,
        name: `The ${what} (variant ${at})`,
        description: `A clinician who relies on ${pick(PLACES, at + 3)} does not know that the ${what}, case ${at} of the workshop.`,
        impact: `Care is given without the ${pick(SUBJECTS, at + 7)}; harm to patient group ${at % 97}.`,
        causes: `1) Cause ${at}: ${pick(FAULTS, at)} the interface\n2) ${pick(SUBJECTS, at + 1)} not validated`,
        severity: pick(SEVERITIES, at),
        likelihood: pick(LIKELIHOODS, Math.floor(at / 5)),
        risk: 1 + (at % 5),
        notes: `Reviewed in session ${at % 40}, item ${at}`,
        owner: at % 3 === 0 ? '' : 'Safety team',
      };
    }),
  );
}

const OTHER_TROUBLE = [
  'Generated summary invents a family history',
  'Users are locked out when the smartcard is renewed',
  'Restore of last night’s backup fails',
  'Legacy import loses accents in names',
  'Server runs out of memory and crashes',
  'Interaction warnings come too often and are dismissed',
];

/** Tickets for the large log, as a tracker exports them. */
export function makeLargeTickets(count: number): Uint8Array {
  const rows = Array.from({ length: count }, (_, at) => {
    const works = at % 4 === 0;
    if (at % 25 === 1)
      return `EPS-${at + 1},"${pick(OTHER_TROUBLE, at)} since build ${at % 30}","Nothing in the log is like it.",Bug`;
    const summary = works
      ? `Upgrade build pipeline step ${at} and fix flaky test`
      : `The ${pick(SUBJECTS, at * 7)} ${pick(FAULTS, at)} ${pick(PLACES, at * 3)} after release ${at % 30}`;
    const description = works
      ? 'Internal work only.'
      : `Steps: open ${pick(PLACES, at)}, look for the ${pick(SUBJECTS, at)}. Seen by ${at % 11} users. Expected the ${pick(SUBJECTS, at + 2)} to be there.`;
    return `EPS-${at + 1},"${summary}","${description}",Bug`;
  });
  return new Uint8Array(Buffer.from(['Issue key,Summary,Description,Issue Type', ...rows].join('\n')));
}
