import { writeWorkbook } from '../../ooxml/writeWorkbook.ts';
import { NHS_SCALE, OWN_SCALE, PRODUCT_SCALE, type TrueHazard, type TrueScale } from './trueLog.ts';

export type Row = readonly (string | number)[];
type Written = { bytes: Uint8Array; fileName: string };

/** A way in which logs are laid out: how made-up hazards become a file. */
export type Layout = {
  name: string;
  scale: TrueScale;
  /** Whether the file states its matrix, or its risks follow a known one, so that wrong risks can be found. */
  isCheckable: boolean;
  write(hazards: readonly TrueHazard[]): Promise<Written> | Written;
};

export const HEAD = [
  'Hazard ID',
  'Hazard name',
  'Possible causes',
  'Clinical impact',
  'Severity',
  'Likelihood',
  'Risk',
  'Controls',
  'Residual severity',
  'Residual likelihood',
  'Residual risk',
] as const;

export const cellsOf = (hazard: TrueHazard, rated: (word: string) => string = (word) => word): Row => [
  hazard.id,
  hazard.name,
  hazard.causes.join('\n'),
  hazard.effect,
  rated(hazard.severity),
  rated(hazard.likelihood),
  hazard.risk,
  hazard.controls,
  rated(hazard.residualSeverity),
  rated(hazard.residualLikelihood),
  hazard.residualRisk,
];

const encode = (text: string) => new TextEncoder().encode(text);
const quoted = (value: string | number) => `"${String(value).replaceAll('"', '""')}"`;
export const csvOf = (rows: readonly Row[], mark: string): Written => ({
  bytes: encode(rows.map((row) => row.map(quoted).join(mark)).join('\r\n')),
  fileName: 'log.csv',
});

/** A workbook from rows, sheet by sheet; the first row of each is its heading. */
export async function workbookOf(sheets: Record<string, readonly Row[]>): Promise<Written> {
  const tables = Object.entries(sheets).map(([name, rows]) => ({
    name,
    notes: [],
    headers: (rows[0] ?? []).map(String),
    rows: rows.slice(1).map((row) => [...row]),
    widths: [],
  }));
  return { bytes: await writeWorkbook(tables), fileName: 'log.xlsx' };
}

const line = (row: Row) => `| ${row.map((cell) => String(cell).replaceAll('\n', '<br>')).join(' | ')} |`;
export const markdownTable = (rows: readonly Row[]) =>
  [line(rows[0] ?? []), `|${'---|'.repeat(rows[0]?.length ?? 0)}`, ...rows.slice(1).map(line)].join('\n');
export const inText = (text: string, fileName: string): Written => ({ bytes: encode(text), fileName });

const matrixOf = ({ severities, likelihoods, riskOf }: TrueScale, numbered: boolean): Row[] => [
  ['Likelihood', ...(numbered ? [''] : []), 'Severity', ...severities.slice(1).map(() => '')],
  ['', ...(numbered ? [''] : []), ...severities],
  ...(numbered ? [['', '', ...severities.map((_, at) => at + 1)]] : []),
  ...likelihoods
    .map(
      (likelihood, at): Row => [
        likelihood,
        ...(numbered ? [at + 1] : []),
        ...severities.map((_, severity) => riskOf(severity, at)),
      ],
    )
    .toReversed(),
];
const half = <T>(list: readonly T[]): [T[], T[]] => {
  const middle = Math.ceil(list.length / 2);
  return [list.slice(0, middle), list.slice(middle)];
};
export const wide = (hazards: readonly TrueHazard[]): Row[] => [HEAD, ...hazards.map((hazard) => cellsOf(hazard))];

/** One row for each cause; what belongs to the hazard stands in its first row. */
const long = (hazards: readonly TrueHazard[], repeated: boolean): Row[] => [
  HEAD,
  ...hazards.flatMap((hazard) =>
    hazard.causes.map((cause, at): Row => {
      const cells = cellsOf(hazard);
      const first = cells.map((cell, column) => (column === 2 ? cause : cell));
      return at === 0
        ? first
        : cells.map((_, column) => (column === 2 ? cause : repeated && column < 2 ? (cells[column] ?? '') : ''));
    }),
  ),
];

const numberOf = (word: string) =>
  `${NHS_SCALE.severities.indexOf(word) + 1 || NHS_SCALE.likelihoods.indexOf(word) + 1} - ${word}`;

/** The layouts that the evaluation writes, each seen while the reading was built. */
export const LAYOUTS: readonly Layout[] = [
  {
    name: 'one row each, with the NHS matrix',
    scale: NHS_SCALE,
    isCheckable: true,
    write: (hazards) => workbookOf({ 'Hazard Log': wide(hazards), Matrix: matrixOf(NHS_SCALE, false) }),
  },
  {
    name: 'matrix with numbers beside its words',
    scale: NHS_SCALE,
    isCheckable: true,
    write: (hazards) => workbookOf({ Matrix: matrixOf(NHS_SCALE, true), 'Hazard Log': wide(hazards) }),
  },
  { name: 'CSV with commas', scale: NHS_SCALE, isCheckable: true, write: (hazards) => csvOf(wide(hazards), ',') },
  { name: 'CSV with semicolons', scale: NHS_SCALE, isCheckable: true, write: (hazards) => csvOf(wide(hazards), ';') },
  {
    name: 'a row for each cause, ids once',
    scale: NHS_SCALE,
    isCheckable: true,
    write: (hazards) => workbookOf({ Hazards: long(hazards, false) }),
  },
  {
    name: 'a row for each cause, ids repeated',
    scale: NHS_SCALE,
    isCheckable: true,
    write: (hazards) => workbookOf({ Hazards: long(hazards, true) }),
  },
  {
    name: 'words with their numbers',
    scale: NHS_SCALE,
    isCheckable: true,
    write: (hazards) => workbookOf({ Log: [HEAD, ...hazards.map((hazard) => cellsOf(hazard, numberOf))] }),
  },
  {
    name: 'title above, notes and numbered empty rows below',
    scale: NHS_SCALE,
    isCheckable: true,
    write: (hazards) =>
      csvOf(
        [
          ['Hazard log of the ward app'],
          ['Version', '1.2'],
          [''],
          ...wide(hazards),
          [`HZ-${hazards.length + 1}`],
          [`HZ-${hazards.length + 2}`],
          [''],
          ['Note: all ratings were agreed by the board.'],
        ],
        ',',
      ),
  },
  {
    name: 'numbers that are multiplied',
    scale: PRODUCT_SCALE,
    isCheckable: true,
    write: (hazards) => csvOf(wide(hazards), ','),
  },
  {
    name: 'numbers with a matrix of the company',
    scale: OWN_SCALE,
    isCheckable: true,
    write: (hazards) => workbookOf({ Log: wide(hazards), 'Risk matrix': matrixOf(OWN_SCALE, false) }),
  },
  {
    name: 'numbers by a matrix that is not in the file',
    scale: OWN_SCALE,
    isCheckable: false,
    write: (hazards) => csvOf(wide(hazards), ','),
  },
  {
    name: 'two sheets',
    scale: NHS_SCALE,
    isCheckable: true,
    write: (hazards) => {
      const [first, rest] = half(hazards);
      return workbookOf({ Ward: wide(first), Pharmacy: wide(rest) });
    },
  },
  {
    name: 'Markdown tables',
    scale: NHS_SCALE,
    isCheckable: true,
    write: (hazards) => {
      const [first, rest] = half(hazards);
      return inText(`# Log\n\n${markdownTable(wide(first))}\n\n## More\n\n${markdownTable(wide(rest))}\n`, 'log.md');
    },
  },
  {
    name: 'Markdown cards',
    scale: NHS_SCALE,
    isCheckable: true,
    write: (hazards) =>
      inText(
        hazards
          .map((hazard) => {
            const cells = cellsOf(hazard);
            return `### ${hazard.id}: ${hazard.name}\n\n${HEAD.slice(2)
              .map((heading, at) => `- **${heading}:** ${String(cells[at + 2]).replaceAll('\n', '\n  - ')}`)
              .join('\n')}\n`;
          })
          .join('\n'),
        'log.md',
      ),
  },
  {
    name: 'a column for each hazard',
    scale: NHS_SCALE,
    isCheckable: true,
    write: (hazards) => {
      const rows = wide(hazards);
      return workbookOf({ Hazards: HEAD.map((_, at) => rows.map((row) => row[at] ?? '')) });
    },
  },
  {
    name: 'cards on a sheet',
    scale: NHS_SCALE,
    isCheckable: true,
    write: (hazards) =>
      workbookOf({
        Hazards: [
          ['Hazards of the app'],
          ...hazards.flatMap((hazard) => [...cellsOf(hazard).map((cell, at): Row => [HEAD[at] ?? '', cell]), []]),
        ],
      }),
  },
  {
    name: 'web page',
    scale: NHS_SCALE,
    isCheckable: true,
    write: (hazards) =>
      inText(
        `<html><body><table>${wide(hazards)
          .map((row) => `<tr>${row.map((cell) => `<td>${String(cell).replaceAll('\n', '<br>')}</td>`).join('')}</tr>`)
          .join('')}</table></body></html>`,
        'log.xls',
      ),
  },
  {
    name: 'German headings',
    scale: NHS_SCALE,
    isCheckable: true,
    write: (hazards) =>
      csvOf(
        [
          ['Lfd. Nr.', 'Gefährdung', 'Ursachen', 'Schaden', 'Schweregrad', 'Wahrscheinlichkeit', 'Risiko', 'Maßnahmen'],
          ...hazards.map((hazard) => cellsOf(hazard).slice(0, 8)),
        ],
        ';',
      ),
  },
  {
    name: 'headings with typos and in other words',
    scale: NHS_SCALE,
    isCheckable: true,
    write: (hazards) =>
      csvOf(
        [
          [
            'Hazard Refrence',
            'Hazzard name',
            'Root cause',
            'Potential harm',
            'Initial sevrity',
            'Initial likelyhood',
            'Initial risk',
            'Mitigations',
            'Residual sevrity',
            'Residual likelyhood',
            'Residual risk',
            'Sprint',
          ],
          ...hazards.map((hazard) => [...cellsOf(hazard), 'S1']),
        ],
        ',',
      ),
  },
  {
    name: 'failure modes with a priority number',
    scale: PRODUCT_SCALE,
    isCheckable: false,
    write: (hazards) =>
      csvOf(
        [
          ['Item', 'Failure mode', 'Cause', 'Effect', 'S', 'O', 'D', 'RPN', 'Controls'],
          ...hazards.map((hazard) => {
            const cells = cellsOf(hazard);
            return [...cells.slice(0, 6), 3, hazard.risk * 3, hazard.controls];
          }),
        ],
        ',',
      ),
  },
];
