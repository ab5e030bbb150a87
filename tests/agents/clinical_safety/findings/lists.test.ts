import { describe, expect, test } from '@jest/globals';
import { findFindings } from '../../../../bot/agents/clinical_safety/findings/findFindings.ts';
import { readSafetyReport } from '../../../../bot/agents/clinical_safety/findings/safetyReport.ts';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';
import {
  BARE,
  BOTH,
  complete,
  FULL,
  FULL_HEAD,
  findAll,
  type Log,
  list,
  messages,
  NEXT,
  RATED,
  START,
  THIRD,
} from '../../../factories/findings.ts';
import { MATRIX_SHEET, makePackage, type SheetCell, type SheetSpec } from '../../../factories/hazardLog.ts';

// Small logs with all of their findings, so that missing and extra findings both fail.

/** The NHS matrix with another figure for Catastrophic and Very High. */
const matrixWith = (worst: number, least = 1): SheetSpec => ({
  ...MATRIX_SHEET,
  rows: MATRIX_SHEET.rows.map((row, at) =>
    at === 1 ? row.with(7, worst) : at === 5 ? row.map((cell, column) => (column === 3 ? least : cell)) : row,
  ),
});

const CASES = {
  'a table of ids and names under a title': { rows: [['Hazards of the ward app'], [], BARE, START, NEXT] },
  'a heading of two rows': {
    rows: [
      ['ID', 'Hazard', 'Causes', 'Initial', '', '', 'Residual', '', ''],
      ['', '', '', 'Severity', 'Likelihood', 'Risk', 'Severity', 'Likelihood', 'Risk'],
      ['H1', 'Late', 'Queue', 'Major', 'Low', 3, 'Major', 'Very Low', 2],
    ],
  },
  'a log on a scale of numbers, under a title': {
    rows: [
      ['Hazards of the ward app'],
      [],
      [...RATED, 'Controls'],
      [...START, 5, 2, 10, 'Retry'],
      [...NEXT, 2, 2, 5, ''],
    ],
    sheets: [],
  },
  'words of no matrix, under a title': {
    rows: [['Hazards'], [], RATED, [...START, 'Nasty', 'Often', 1]],
    sheets: [],
  },
  'nothing wrong': { rows: complete(BOTH, [...START, 'Major', 'Low', 3, 'Major', 'Very Low', 2]) },
  'a hazard that has ratings before controls alone': {
    rows: [
      [...BOTH, ...FULL_HEAD],
      ['H1', 'Late', '', '', 'Major', 'High', null, '', '', null],
      [...NEXT, 'Major', 'Low', 3, 'Major', 'Very Low', 2, ...FULL],
      [...THIRD, 'Minor', 'Low', 1, '', '', null],
    ],
  },
  'a hazard over two rows': {
    rows: [
      [...BOTH, 'Rationale', 'Additional controls', 'Control type', 'Action status', ...FULL_HEAD.slice(1)],
      [...START, 'Major', 'Low', 3, 'Major', 'Low', 3, '', 'Retry', 'Design', 'Done', ...FULL.slice(1)],
      [
        'H1',
        'Late',
        'Cable',
        'Delay',
        'Major',
        'Medium',
        3,
        'Major',
        '',
        3,
        'As low as it goes',
        'None',
        '',
        '',
        '',
        '',
        '',
        '',
      ],
      [
        ...NEXT,
        'Major',
        'Low',
        3,
        'Considerable',
        'Low',
        2,
        '',
        'Check',
        'Test',
        'Open',
        'Ada',
        'T-2',
        'Closed',
        '2026-01-01',
      ],
      [...THIRD, 'Minor', 'Low', 1, 'Minor', 'Low', 1, '', 'N/A', '', '', 'Ada', '', 'Closed', '2026-01-01'],
    ],
  },
  'risk by the matrix and as recorded': {
    rows: complete(
      BOTH,
      [...START, 'Major', 'Low', 2, 'Minor', 'Low', 2],
      [...NEXT, 'Major', 'Low', 4, 'Major', 'Low', 2],
      [...THIRD, '', '', 3, '', '', 4],
      ['H4', 'Gone', 'Disk', 'Harm', '', '', 2, '', '', null],
      ['H5', 'Stale', 'Cache', 'Harm', '', '', null, '', '', 4],
    ),
  },
  'ids and names': {
    rows: complete(
      BARE,
      ['H1', 'Late', 'a', 'x'],
      ['H2', 'Late', 'b', 'x'],
      ['h 2', 'Lost', 'c', 'x'],
      ['', 'Wrong', 'd', 'x'],
      ['', 'Torn', 'd', 'x'],
      ['H7', 'Lost', 'e', 'x'],
    ),
  },
  'causes and controls with ids of their own': {
    rows: complete(
      ['Num', 'Hazard', 'Cause ID', 'Causes', 'Effect', 'Control ID', 'Controls'],
      ['H01', 'Late', '0101', 'a', 'x', '010101', 'A'],
      ['H01', 'Late', '102', 'b', 'x', '010201', 'B'],
      ['H01', 'Late', '0103', 'c', 'x', '010301', 'C'],
      ['H02', 'Lost', '0201', 'd', 'x', '020101', 'D'],
      ['H02', 'Lost', '0202', 'e', 'x', '020102', 'E'],
      ['H02', 'Lost', '0203', 'f', 'x', '0203', 'F'],
      ['H02', 'Lost', '0104', 'g', 'x', '010401', 'G'],
      ['H02', 'Lost', '', 'h', 'x', '020501', 'H'],
    ),
  },
  'causes that are not filled up with noughts': {
    rows: complete(
      ['Num', 'Hazard', 'Causes', 'Effect'],
      ...['98 a', '99 b', '100 c', '101 d', '102 e', '103 f', '104 g', '1100 h'].map((cause) => [
        'H1',
        'Late',
        cause,
        'x',
      ]),
    ),
  },
  'formulas of the wrong phase': {
    rows: complete(
      BOTH,
      ...Array.from({ length: 9 }, (_, at): SheetCell[] => {
        const row = at + 2;
        return [
          `H${at}${at}`,
          `Hazard of kind ${'abcdefghi'[at]}`,
          'Cause',
          'Harm',
          'Major',
          'Low',
          at === 0
            ? { formula: `MATCH(H${row},I${row})`, result: 3 }
            : at === 1
              ? { formula: `H$2+'Risk Matrix'!H${row}+H1`, result: 3 }
              : 3,
          'Minor',
          'Low',
          at === 8 ? { formula: `'Hazard Log'!E${row}*F${row}`, result: 1 } : { formula: `E${row}+I${row}`, result: 3 },
        ];
      }),
    ),
  },
  'formulas of another row': {
    rows: complete(
      BOTH,
      [
        ...START,
        'Major',
        'Low',
        { formula: 'E3+F2', result: 3 },
        'Major',
        'Very Low',
        { formula: "'Hazard Log'!H3+I2", result: 2 },
      ],
      [
        ...NEXT,
        'Major',
        'Low',
        { formula: 'E$2+F9+A2+E3', result: 3 },
        'Major',
        'Very Low',
        { formula: "'Risk Matrix'!H2", result: 2 },
      ],
      [...THIRD, 'Major', 'Low', { formula: 'SUM(1)', result: 3 }, 'Major', 'Very Low', 2],
    ),
  },
  'one formula of another row': {
    rows: complete(RATED, [...START, 'Major', 'Low', { formula: 'E3', result: 3 }], [...NEXT, 'Major', 'Low', 3]),
  },
  'words that the matrix does not know': {
    rows: complete(
      BOTH,
      [...START, 'Grave', 'Often', 3, 'Grave', '', 3],
      [...NEXT, 'grave', 'Low', 3, 'Major', 'Low', 3],
      [...THIRD, 'Major', 'Low', 3, 'Minor', 'Low', 1],
      ['H9', 'Stale', 'Cache', 'Harm', 'Minor', 'Low', 1, 'Nasty', 'Low', 1],
    ),
  },
  'a report that does not agree': {
    rows: complete(
      [...BARE, 'Action', 'Action status'],
      [...START, 'Transferred to the trust', ''],
      ['H1', 'Late', 'Cable', 'Delay', '', ''],
      [...NEXT, '', 'transferred'],
      [...THIRD, 'Transferred', ''],
      ['H4', 'Torn', 'Wear', 'Harm', 'Done', 'Done'],
    ),
    fileName: 'hazard_log_v1.2.xlsx',
    report: '# Report\n\nThe hazard log v1.3 lists five hazards.\n\n## 5 Transferred controls\n\nH3: lock the door.\n',
  },
  'a report without a list of transferred controls': {
    rows: complete([...BARE, 'Action'], [...START, 'Transferred to the trust']),
    report: 'There are no hazards.',
  },
  reviews: {
    rows: [
      [...BARE, 'Status', 'Review date'],
      [...START, 'Open', '2024-06-30'],
      ['H1', 'Late', 'Cable', 'Delay', 'Open', '2024-07-01'],
      ['H1', 'Late', 'Fire', 'Delay', 'Open', 'soon'],
      [...NEXT, 'Open', '2 July 2024'],
      [...THIRD, 'Open', 'later'],
      ['H4', 'Torn', 'Wear', 'Harm', 'Open', '2023-01-01'],
      ['H4', 'Torn', 'Tear', 'Harm', 'Open', '2025-01-01'],
    ],
    asOf: '2025-07-01',
  },
  'a row without an id, another that is called so, and names that are blank': {
    rows: complete(
      BARE,
      ['Row 3', 'Late', 'a', 'x'],
      ['', 'Lost', 'b', 'x'],
      ['H7', '', 'c', 'x'],
      ['H8', '', 'd', 'x'],
    ),
  },
  'one hazard in two places': {
    rows: complete(BARE, ['H1', 'Late', 'a', 'x'], ['H5', 'Lost', 'b', 'x'], ['H1', 'Late', 'c', 'x']),
  },
  'another version on the cover': {
    rows: complete(BARE, START),
    sheets: [{ name: 'Cover', rows: [['Hazard log'], ['Version', '1.3']] }],
    fileName: 'hazard_log_v1.2.xlsx',
  },
  'a row that is rated beside one that is not': {
    rows: complete(RATED, [...START, 'Minor', 'Low', 1], ['H1', 'Late', 'Cable', 'Delay', '', '', '']),
  },
  'a risk after controls that the matrix puts above what is recorded': {
    rows: complete([...BOTH, 'Rationale'], [...START, 'Minor', 'Low', 1, 'Major', 'Low', 1, 'As low as it goes']),
  },
  'a first cause that is numbered as no other is': {
    rows: complete(
      ['Num', 'Hazard', 'Causes', 'Effect'],
      ...['102 a', '0101 b', '0103 c', '0104 d', '0105 e', '0106 f'].map((cause) => ['H01', 'Late', cause, 'x']),
    ),
  },
  'a blank rationale': {
    rows: complete([...BOTH, 'Rationale'], [...START, 'Major', 'Low', 3, 'Major', 'Low', 3, '']),
  },
  'a formula of the wrong phase beside a word that is not known': {
    rows: complete(BOTH, [...START, 'Major', 'Low', 3, 'Grave', 'Low', { formula: 'E2+I2', result: 3 }]),
  },
} satisfies Record<string, Log>;

const FOUND: Record<keyof typeof CASES, string[]> = {
  'a table of ids and names under a title': [
    'fix no-ratings (4.4.1) log A3',
    'note no-review-date-column (2.6.1) log A3',
    'note no-status-column (6.4.1) log A3',
  ],
  'a heading of two rows': [
    'check no-controls (6.1.1) H1 B3',
    'note no-review-date-column (2.6.1) log A2',
    'note no-status-column (6.4.1) log A2',
  ],
  'a log on a scale of numbers, under a title': [
    'check risk-differs-from-matrix (4.4.1) H2 G5: 5 → 4',
    'check no-controls (6.1.1) H2 B5',
    'note numeric-scale (3.2.1) log A3: severity × likelihood → the matrix of your Clinical Risk Management Plan',
    'note no-review-date-column (2.6.1) log A3',
    'note no-status-column (6.4.1) log A3',
    'note no-evidence-column (6.3.2) log A3',
  ],
  'words of no matrix, under a title': [
    'check matrix-unknown (3.2.1) log A3',
    'check no-controls (6.1.1) H1 B4',
    'note no-review-date-column (2.6.1) log A3',
    'note no-status-column (6.4.1) log A3',
  ],
  'nothing wrong': [],
  'a hazard that has ratings before controls alone': [
    'fix missing-risk (4.4.1) H1 G2',
    'fix missing-clinical-impact (4.3.1) H1 D2',
    'fix missing-residual (6.1.4) H1 H2 I2 J2',
    'check missing-cause (4.3.1) H1 C2',
    'check missing-owner (null) H1 L2',
    'check missing-owner (null) H3 L4',
    'check missing-status (6.4.1) H1 N2',
    'check missing-status (6.4.1) H3 N4',
    'check missing-review-date (2.6.1) H1 O2',
    'check missing-review-date (2.6.1) H3 O4',
    'check no-controls (6.1.1) H1 B2',
  ],
  'a hazard over two rows': [
    'fix closed-with-open-action (6.3.1) H2 N4: Open → closed, as the hazard is',
    'check severity-lowered-without-design-control (6.1.2) H2 H4: Considerable → Major',
    'note ratings-differ-between-rows (4.4.1) H1 E2 E3: major/low; major/medium → null',
    'note ratings-differ-between-rows (4.4.1) H1 H2 H3: major/low; major/ → null',
  ],
  'risk by the matrix and as recorded': [
    'fix risk-differs-from-matrix (4.4.1) H1 G2: 2 → 3',
    'fix risk-differs-from-matrix (4.4.1) H2 G3: 4 → 3',
    'fix risk-differs-from-matrix (6.1.4) H1 J2: 2 → 1',
    'fix risk-differs-from-matrix (6.1.4) H2 J3: 2 → 3',
    'fix residual-above-initial (6.1.4) H3 J4 G4: 4 → at most 3',
    'fix residual-risk-unacceptable (6.1.6) H3 J4: 4 → at most 3',
    'fix residual-risk-unacceptable (6.1.6) H5 J6: 4 → at most 3',
    'fix missing-severity (4.4.1) H3 E4',
    'fix missing-severity (4.4.1) H4 E5',
    'fix missing-severity (4.4.1) H5 E6',
    'fix missing-likelihood (4.4.1) H3 F4',
    'fix missing-likelihood (4.4.1) H4 F5',
    'fix missing-likelihood (4.4.1) H5 F6',
    'fix missing-risk (4.4.1) H5 G6',
    'fix missing-residual (6.1.4) H3 H4 I4',
    'check residual-risk-without-rationale (6.2.1) H2 J3',
    'check residual-risk-without-rationale (6.2.1) H3 J4',
    'check residual-risk-without-rationale (6.2.1) H5 J6',
  ],
  'ids and names': [
    'fix duplicate-id (3.3.1) H2 A3 A4: H2 → one hazard per id',
    'fix missing-id (3.3.1) row 5 A5',
    'fix missing-id (3.3.1) row 6 A6',
    'fix no-ratings (4.4.1) log A1',
    'check id-counted-up-by-dragging (3.3.1) H1 A2 A3: H1 to H2 → H1',
    'check same-name-several-ids (3.3.1) log B4 B7: h 2 and H7 → one id per name',
  ],
  'causes and controls with ids of their own': [
    'fix no-ratings (4.4.1) log A1',
    'check cause-id-of-another-hazard (3.3.1) H02 D8: 0104 → 02…',
    'check cause-id-off-pattern (3.3.1) H01 C3: 102 → 0102',
    'check control-id-of-another-cause (3.3.1) H02 F6: 020102 under 0202 → 0202…',
  ],
  'causes that are not filled up with noughts': [
    'fix no-ratings (4.4.1) log A1',
    'check cause-id-of-another-hazard (3.3.1) H1 C9: 1100 → 01…',
  ],
  'formulas of the wrong phase': [
    'fix risk-differs-from-matrix (6.1.4) H00 J2: 3 → 1',
    'fix risk-differs-from-matrix (6.1.4) H11 J3: 3 → 1',
    'fix risk-differs-from-matrix (6.1.4) H22 J4: 3 → 1',
    'fix risk-differs-from-matrix (6.1.4) H33 J5: 3 → 1',
    'fix risk-differs-from-matrix (6.1.4) H44 J6: 3 → 1',
    'fix risk-differs-from-matrix (6.1.4) H55 J7: 3 → 1',
    'fix risk-differs-from-matrix (6.1.4) H66 J8: 3 → 1',
    'fix risk-differs-from-matrix (6.1.4) H77 J9: 3 → 1',
    'fix formula-mixes-initial-and-residual (6.1.4) log J2 J3 J4 J5 J6 J7 J8 J9 J10: =E2+I2 → residual severity and likelihood; wrong in value for H00, H11, H22, H33, H44, H55 and 2 more',
    'fix formula-mixes-initial-and-residual (6.1.4) log G2: =MATCH(H2,I2) → initial severity and likelihood',
  ],
  'formulas of another row': ['fix formula-reads-another-row (4.4.1) log G2 J2: =E3+F2 → row 2'],
  'one formula of another row': ['fix formula-reads-another-row (4.4.1) H1 G2: =E3 → row 2'],
  'words that the matrix does not know': [
    'fix unknown-rating-word (4.4.1) H1 E2: Grave → Minor, Significant, Considerable, Major, Catastrophic',
    'fix unknown-rating-word (4.4.1) H2 E3: grave → Minor, Significant, Considerable, Major, Catastrophic',
    'fix unknown-rating-word (4.4.1) H1 F2: Often → Very High, High, Medium, Low, Very Low',
    'fix unknown-rating-word (4.4.1) H1 H2: Grave → Minor, Significant, Considerable, Major, Catastrophic',
    'fix unknown-rating-word (4.4.1) H9 H5: Nasty → Minor, Significant, Considerable, Major, Catastrophic',
    'fix missing-residual (6.1.4) H1 I2',
    'check residual-risk-without-rationale (6.2.1) H1 J2',
    'check residual-risk-without-rationale (6.2.1) H2 J3',
  ],
  'a report that does not agree': [
    'fix version-differs (3.3.2) log A1: 1.3 → 1.2',
    'fix report-count-differs (3.3.3) log A2: 4 → 5',
    'fix no-ratings (4.4.1) log A1',
    'check transferred-control-not-in-report (3.5.1) log A2 A4: null → listed under transferred controls',
    'check control-row-incomplete (6.3.1) H1 E3',
    'check control-row-incomplete (6.3.1) H2 E4',
  ],
  'a report without a list of transferred controls': [
    'fix report-count-differs (3.3.3) log A2: 1 → 0',
    'fix no-ratings (4.4.1) log A1',
    'check transferred-control-not-in-report (3.5.1) log A2: null → listed under transferred controls',
  ],
  reviews: [
    'fix no-ratings (4.4.1) log A1',
    'check review-older-than-a-year (2.6.1) H1 F3: 2024-07-01 → within twelve months of 2025-07-01',
  ],
  'a row without an id, another that is called so, and names that are blank': [
    'fix missing-id (3.3.1) row 3 A3',
    'fix missing-name (3.3.1) H7 B4',
    'fix missing-name (3.3.1) H8 B5',
    'fix no-ratings (4.4.1) log A1',
  ],
  'one hazard in two places': ['fix no-ratings (4.4.1) log A1'],
  'another version on the cover': ['fix version-differs (3.3.2) log B2: 1.3 → 1.2', 'fix no-ratings (4.4.1) log A1'],
  'a row that is rated beside one that is not': [],
  'a risk after controls that the matrix puts above what is recorded': [
    'fix risk-differs-from-matrix (6.1.4) H1 J2: 1 → 3',
    'fix residual-above-initial (6.1.4) H1 J2 G2: 3 → at most 1',
  ],
  'a first cause that is numbered as no other is': [
    'fix no-ratings (4.4.1) log A1',
    'check cause-id-off-pattern (3.3.1) H01 C2: 102 → 0102',
  ],
  'a blank rationale': ['check residual-risk-without-rationale (6.2.1) H1 K2'],
  'a formula of the wrong phase beside a word that is not known': [
    'fix unknown-rating-word (4.4.1) H1 H2: Grave → Minor, Significant, Considerable, Major, Catastrophic',
    'fix formula-mixes-initial-and-residual (6.1.4) log J2: =E2+I2 → residual severity and likelihood',
    'check residual-risk-without-rationale (6.2.1) H1 J2',
  ],
};

test.each(Object.keys(CASES) as (keyof typeof CASES)[])('%s', async (name) => {
  expect(await list(CASES[name])).toEqual(FOUND[name]);
});

test('a finding’s id has its rule, its hazard or the log, its first cell, and a count for repetitions', async () => {
  const ids = async (log: Log) => (await findAll(log)).map(({ id }) => id);
  expect(await ids(CASES['a table of ids and names under a title'])).toEqual([
    'no-ratings:log:A3',
    'no-review-date-column:log:A3',
    'no-status-column:log:A3',
  ]);
  expect(await ids(CASES['one formula of another row'])).toContain('formula-reads-another-row:H1:G2');
});

test('a word that many hazards have is reported as first written, with the words of the matrix', async () => {
  const words = ['Grave', 'GRAVE', 'grave', 'gRave'];
  const rows = words.map((word, at) => [`H${at}${at}`, `Kind ${'abcd'[at]}`, 'a', 'x', word, 'Low', 1]);
  const [finding] = (await findAll({ rows: complete(RATED, ...rows) })).filter(
    ({ rule }) => rule === 'unknown-rating-word',
  );
  expect(finding?.title).toBe('“Grave” is not a word of the matrix, in 4 hazards');
  expect(finding?.message).toContain('is “Grave” in H00, H11, H22 and H33. The matrix has Minor, Significant,');
});

test('a rating that is recorded without words is reported with its figure if its rationale is missing', async () => {
  const rows = complete(BOTH, [...START, 'Major', 'Low', 3, '', '', 3]);
  const titles = (await findAll({ rows })).map(({ title }) => title);
  expect(titles).toContain('H1: residual risk 3 has no rationale');
});

describe('the text of a finding', () => {
  const rated = (count: number): Log => ({
    rows: complete(
      BOTH,
      ...Array.from({ length: count }, (_, at): SheetCell[] => [
        `H${at}${at}`,
        `Hazard of kind ${'abcdefghij'[at]}`,
        'Cause',
        'Harm',
        ...['Major', 'Low', 3, 'Minor', 'Low'],
        { formula: `E${at + 2}+I${at + 2}`, result: 3 },
      ]),
    ),
  });

  test.each([
    [1, ['H00'], ''],
    [8, ['H00', 'H11', 'H22', 'H33', 'H44', 'H55', 'H66', 'H77'], ''],
    [9, ['H00', 'H11', 'H22', 'H33', 'H44', 'H55', 'H66', 'H77'], '; and 1 more'],
    [10, ['H00', 'H11', 'H22', 'H33', 'H44', 'H55', 'H66', 'H77'], '; and 2 more'],
  ])('on a formula that is wrong in %i values names eight of them', async (count, ids, more) => {
    const [message] = await messages(rated(count), 'formula-mixes-initial-and-residual');
    const values = ids.map((id) => `${id} shows 3 where the residual words give 1`).join('; ');
    expect(message).toBe(
      `The formula for the residual risk takes the initial severity of the row instead of the residual one. Already wrong: ${values}${more}.`,
    );
  });

  test('on a risk that differs names the rating, and the formula if that is the cause', async () => {
    const log: Log = {
      rows: complete(
        BOTH,
        [...START, 'Major', 'Low', 2, 'Minor', 'Low', { formula: 'E2+I2', result: 3 }],
        [...NEXT, 'Major', 'Low', 4, 'Major', 'Low', 2],
      ),
    };
    const matrix = 'the “Risk Matrix” sheet of this workbook gives';
    expect(await messages(log, 'risk-differs-from-matrix')).toEqual([
      `Initial risk of H1 is recorded as 2; for Major and Low ${matrix} 3. It is rated lower than the matrix says.`,
      `Initial risk of H2 is recorded as 4; for Major and Low ${matrix} 3. It is rated higher than the matrix says.`,
      `Residual risk of H1 is recorded as 3; for Minor and Low ${matrix} 1. It is rated higher than the matrix says. The formula of the cell reads the initial severity.`,
      `Residual risk of H2 is recorded as 2; for Major and Low ${matrix} 3. It is rated lower than the matrix says.`,
    ]);
  });

  test('on a rating that is due names the risk of the matrix, or else the recorded one', async () => {
    const log: Log = {
      rows: [
        [...BOTH, 'Controls'],
        [...START, 'Major', 'High', 3, '', '', null, ''],
        [...NEXT, '', '', 3, '', '', null, ''],
        [...THIRD, 'Minor', 'Low', 1, '', '', null, ''],
        ['H4', 'Torn', 'Wear', 'Harm', '', '', null, 'Major', 'Low', 3, ''],
        ['H5', 'Gone', 'Disk', 'Harm', 'Major', 'Medium', 3, 'Major', 'Very Low', 2, 'Retry'],
      ],
    };
    expect(await messages(log, 'missing-residual')).toEqual([
      'The initial risk of H1 is 4, so a rating after controls is due; severity, likelihood or risk after controls is blank.',
      'The initial risk of H2 is 3, so a rating after controls is due; severity, likelihood or risk after controls is blank.',
    ]);
    expect(await messages(log, 'no-controls')).toEqual([
      'The initial risk of H1 is 4 and the row names no control.',
      'The initial risk of H2 is 3 and the row names no control.',
    ]);
  });

  test('on a missing rationale names the matrix’s risk, and on dragged ids the first and the last', async () => {
    const titles = async (...rows: SheetCell[][]) =>
      (await findAll({ rows: complete(BOTH, ...rows) })).map(({ title }) => title);
    expect(await titles([...START, 'Major', 'Low', 3, 'Major', 'Low', 2])).toContain(
      'H1: residual risk 3 has no rationale',
    );
    const rating = ['Major', 'Low', 3, 'Major', 'Very Low', 2];
    const dragged = ['H1', 'H2', 'H3'].map((id) => [id, 'Late', 'Queue', 'Delay', ...rating]);
    expect(await titles(...dragged)).toEqual(['H1 to H3: one name, ids that count up']);
  });

  test('does not call a value wrong if a formula of the wrong phase has no value yet', async () => {
    const rows = complete(BOTH, [...START, 'Major', 'Low', 3, 'Minor', 'Low', { formula: 'E2+I2', result: '' }]);
    expect(await messages({ rows }, 'formula-mixes-initial-and-residual')).toEqual([
      expect.stringContaining('The values happen to be right today'),
    ]);
  });

  test('on a word that four hazards use appears once, with the column and the known words', async () => {
    const word = (id: string, severity: string): SheetCell[] => [
      id,
      `Late ${id}`,
      'a',
      'b',
      'Major',
      'Low',
      3,
      severity,
      'Low',
      3,
    ];
    const log: Log = {
      rows: complete(BOTH, ...['HA', 'HB', 'HC', 'HD'].map((id) => word(id, 'Grave')), word('HE', 'Major')),
    };
    expect((await findAll(log))[0]?.title).toBe('“Grave” is not a word of the matrix, in 4 hazards');
    expect(await messages(log, 'unknown-rating-word')).toEqual([
      'Residual severity is “Grave” in HA, HB, HC and HD. The matrix has Minor, Significant, Considerable, Major, Catastrophic.',
    ]);
  });

  test('on a cause of another hazard cites its first 120 characters', async () => {
    const long = `0103 ${'x'.repeat(200)}`;
    const log: Log = {
      rows: complete(
        BARE,
        ...['0101 a', '0102 b', '0201 c', '0202 d', long].map((cause, at): SheetCell[] =>
          at < 2 ? ['H01', 'A', cause, 'x'] : ['H02', 'B', cause, 'x'],
        ),
      ),
    };
    expect(await messages(log, 'cause-id-of-another-hazard')).toEqual([
      `Causes of this log begin with the number of their hazard. “0103 ${'x'.repeat(115)}” stands under H02.`,
    ]);
  });
});

describe('a safety report', () => {
  test.each([
    ['There are 12 hazards.', 12],
    ['Twelve clinical hazards were identified.', 12],
    ['One identified hazards', 1],
    ['No hazards', 0],
    ['12345 hazards', null],
    ['Some hazards', null],
  ])('“%s”: %s hazards', (text, count) => {
    expect(readSafetyReport(text, 'report.md').hazardCount).toBe(count);
  });

  test('gives the version of the log, ids of hazards, and the transferred controls', () => {
    expect(
      readSafetyReport(
        '# 1 Log\nThe Hazard Log is at version 2.10.\nSee H1, HAZ-02, H1 and Hazard 3.\n# 2 External controls \n Lock H1. \n# 3 End\n',
        'report.md',
      ),
    ).toEqual({
      fileName: 'report.md',
      logVersion: '2.10',
      hazardCount: null,
      hazardIds: ['H1', 'HAZ-02', 'Hazard 3'],
      transferredControls: 'Lock H1.',
    });
    expect(readSafetyReport('## 4 Transferred risks\n\n## 5 End', 'report.md').transferredControls).toBeNull();
  });
});

test('rows with one name and rising ids are no drag error if there is an empty row between them', async () => {
  const row = (id: string): SheetCell[] => [id, 'Late', 'a', 'x', ...FULL];
  const rule = 'id-counted-up-by-dragging';
  const head = [...BARE, ...FULL_HEAD];
  expect(await list({ rows: [head, row('H1'), row('H2')] }, rule)).toHaveLength(1);
  expect(await list({ rows: [head, row('H1'), [], row('H2')] }, rule)).toEqual([]);
});

describe('hazards without an id', () => {
  const log = (named: number): Log => ({
    rows: complete(
      BARE,
      ...['Late', 'Lost', 'Torn', 'Gone'].map((name): SheetCell[] => ['', name, 'a', 'x']),
      ...Array.from({ length: named }, (): SheetCell[] => ['H1', 'Stale', 'a', 'x']),
    ),
  });
  test.each([
    [0, 'All 4 hazards have no id'],
    [1, '4 hazards have no id'],
  ])('besides %i with one', async (named, title) => {
    expect((await findAll(log(named)))[0]).toMatchObject({ rule: 'missing-id', title });
  });
});

describe('controls by the cause that they are numbered for', () => {
  const log = (right: number, wrong: number): Log => ({
    rows: complete(
      ['Num', 'Hazard', 'Causes', 'Effect', 'Controls'],
      ...Array.from({ length: right }, (_, at): SheetCell[] => ['H11', 'A', `1101 a${at}`, 'x', `1101${10 + at} A`]),
      ...Array.from({ length: wrong }, (_, at): SheetCell[] => ['H11', 'A', '1102 b', 'x', `0102${10 + at} B`]),
    ),
  });
  test.each([
    [6, 0, 0],
    [5, 1, 1],
    [4, 1, 0],
    [7, 3, 1],
    [6, 3, 0],
  ])('with %i right and %i wrong: %i findings', async (right, wrong, count) => {
    expect(await list(log(right, wrong), 'control-id-of-another-cause')).toHaveLength(count);
  });
});

describe('the NHS levels of acceptance', () => {
  const rows = (severity = 'Major', likelihood = 'Low') => [
    BOTH,
    [...START, severity, likelihood, 3, severity, likelihood, 4],
  ];
  const rule = 'residual-risk-without-rationale';

  test.each([
    ['1 to 5', matrixWith(5), [`check ${rule} (6.2.1) H1 J2`]],
    ['up to 6', matrixWith(6), []],
    ['down to 0', matrixWith(5, 0), []],
  ])('apply only to a matrix of 1 to 5: %s', async (_name, matrix, found) => {
    expect(await list({ rows: rows(), sheets: [matrix] }, rule)).toEqual(found);
  });

  test('do not apply without a fitting matrix, or if the log multiplies', async () => {
    const levels = [rule, 'residual-risk-unacceptable'];
    expect(await list({ rows: rows('Nasty', 'Often'), sheets: [] }, ...levels)).toEqual([]);
    expect(await list({ rows: rows('2', '2'), sheets: [] }, ...levels)).toEqual([]);
    expect(await list({ rows: rows(), sheets: [] }, rule)).toHaveLength(1);
  });

  test('reject a risk of 4 by the matrix or, without its words, by the record; no risk is not rejected', async () => {
    const residual = (severity: string, likelihood: string, risk: SheetCell): SheetCell[] => [
      'Major',
      'High',
      4,
      severity,
      likelihood,
      risk,
    ];
    const log: Log = {
      rows: complete(
        BOTH,
        [...START, ...residual('Major', 'High', 1)],
        [...NEXT, ...residual('', '', 5)],
        [...THIRD, ...residual('', '', null)],
        ['H4', 'Torn', 'Wear', 'Harm', ...residual('Minor', 'Low', 4)],
      ),
    };
    expect(await list(log, 'residual-risk-unacceptable')).toEqual([
      'fix residual-risk-unacceptable (6.1.6) H1 J2: 4 → at most 3',
      'fix residual-risk-unacceptable (6.1.6) H2 J3: 5 → at most 3',
    ]);
  });
});

describe('severity after controls', () => {
  test.each([
    ['Significant', 'Minor', '', true],
    ['Major', 'Major', '', false],
    ['Minor', 'Major', '', false],
    ['', 'Minor', '', false],
    ['Grave', 'Minor', '', false],
    ['Major', '', '', false],
    ['Major', 'Slight', '', false],
    ['Major', 'Minor', 'Limit the rate', false],
  ])('from “%s” to “%s” with the design control “%s”: %s', async (before, then, design, isFound) => {
    const log: Log = {
      rows: [
        [...BOTH, 'Design', 'Training'],
        [...START, before, 'Low', 2, then, 'Low', 2, design, 'Show the guide'],
        [...NEXT, 'Major', 'Low', 3, 'Major', 'Low', 3, '', ''],
      ],
    };
    expect(await list(log, 'severity-lowered-without-design-control')).toEqual(
      isFound ? [`check severity-lowered-without-design-control (6.1.2) H1 H2: ${then} → ${before}`] : [],
    );
  });
});

describe('causes by the hazard that they are numbered for', () => {
  const log = (right: number, wrong: number): Log => ({
    rows: complete(
      BARE,
      ...Array.from({ length: right }, (_, at): SheetCell[] => ['H01', 'A', `01${10 + at} a`, 'x']),
      ...Array.from({ length: wrong }, (_, at): SheetCell[] => ['H02', 'B', `03${10 + at} b`, 'x']),
      ['H03', 'C', '99 no number of a hazard', 'x'],
    ),
  });
  test.each([
    [2, 1, 0],
    [3, 1, 1],
    [7, 3, 3],
    [6, 3, 0],
  ])('with %i right and %i wrong, %i are named', async (right, wrong, named) => {
    expect(await list(log(right, wrong), 'cause-id-of-another-hazard')).toHaveLength(named);
  });
});

test('ids consist of rule, hazard and first cell, with a count for findings at the same cell', async () => {
  const grave = (id: string, word: string): SheetCell[] => [id, `Hazard ${id} ${word}`, 'a', 'b', word, 'Low', 3];
  const rows = complete(RATED, grave('H1', 'Grave'), grave('H1', 'Severe'), grave('H1', 'Dire'), grave('H2', 'Major'));
  const log = await readLog(makePackage({ sheets: [{ name: 'Hazard Log', rows }, MATRIX_SHEET] }), 'log.xlsx');
  const idsOf = (read: typeof log) => findFindings({ log: read, asOf: null, report: null }).map(({ id }) => id);
  const word = 'unknown-rating-word:H1';
  expect(idsOf(log)).toEqual([
    `${word}:E2`,
    `${word}:E3`,
    `${word}:E4`,
    'reading-may-be-wrong:log:A2',
    'duplicate-id:H1:A2',
  ]);
  const place = () => ({ sheet: 'Hazard Log', cell: 'E2' });
  expect(idsOf({ ...log, place })).toEqual([
    `${word}:E2`,
    `${word}:E2:2`,
    `${word}:E2:3`,
    'reading-may-be-wrong:log:E2',
    'duplicate-id:H1:E2',
  ]);
});
