import { describe, expect, test } from '@jest/globals';
import { findFindings } from '../../../../bot/agents/clinical_safety/findings/findFindings.ts';
import { readLogFrom } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';
import type { SettledPoint } from '../../../../models/contracts/clinical_safety/settledPoint.ts';
import { type CellSpec, makeGrid } from '../../../factories/grid.ts';

type Sheets = [name: string, rows: CellSpec[][]][];

function read(rows: CellSpec[][], settled: SettledPoint[] = [], more: Sheets = []) {
  const grids = [['Hazard Log', rows] as Sheets[number], ...more].map(([name, cells]) => makeGrid(name, cells));
  const log = readLogFrom({ format: 'xlsx', grids, remarks: [] } as never, 'log.xlsx', settled);
  if (!log) throw new Error('no log');
  return log;
}
const idsOf = ({ openPoints }: ReturnType<typeof read>) => openPoints.map(({ id }) => id);
const candidatesOf = (log: ReturnType<typeof read>, at = 0) => log.openPoints[at]?.candidates ?? [];
const columnOf = ({ table }: ReturnType<typeof read>, role: string) =>
  table.columns.find(({ canonical }) => canonical === role)?.header;
const levelsOf = (log: ReturnType<typeof read>, rule: string) =>
  findFindings({ log, asOf: null, report: null })
    .filter((finding) => finding.rule === rule)
    .map(({ level, message }) => [level, message] as const);

const HEADINGS = ['Hazard ID', 'Hazard', 'Cause', 'Effect', 'Severity', 'Likelihood', 'Risk'];
const hazard = (id: string, severity: CellSpec, likelihood: CellSpec, risk: CellSpec): CellSpec[] => [
  id,
  `Name of ${id}`,
  `Cause of ${id}`,
  `Effect of ${id}`,
  severity,
  likelihood,
  risk,
];

describe('which matrix gives the risk', () => {
  const MIXED = [
    HEADINGS,
    hazard('H1', '4 - Major', '3 - Medium', 12),
    hazard('H2', '2 - Significant', '2 - Low', 2),
    hazard('H3', '5 - Catastrophic', '1 - Very low', null),
  ].map((row, at) => (at === 1 ? [...row.slice(0, 6), null] : row));
  const SMALL: CellSpec[][] = [
    ['Low', 1, 1, 2],
    ['Medium', 2, 2, 3],
    ['High', 2, 3, 4],
    [null, 'Minor', 'Major', 'Fatal'],
  ];
  const OTHER = SMALL.map((row) => row.map((cell) => (typeof cell === 'number' ? cell + 1 : cell)));

  test('is asked where too little is recorded to tell, with every candidate on three ratings of the file', () => {
    const log = read(MIXED);
    expect(idsOf(log)).toEqual(['scale']);
    expect(log.matrix).toMatchObject({ source: 'nhs', basis: 'assumed' });
    expect(candidatesOf(log).map(({ id, label, examples }) => [id, label, examples.length])).toEqual([
      ['nhs', 'The NHS table (DCB0129 4.2)', 3],
      ['product', 'Severity times likelihood', 3],
      ['none', 'None of these: compare no risk', 3],
    ]);
    // A recorded risk tells most, so it is shown first.
    expect(candidatesOf(log)[1]?.examples[0]).toEqual({
      title: 'H2, before controls',
      gives: 'The risk would be 4; 2 is recorded',
      quote: 'Severity: 2 - Significant · Likelihood: 2 - Low · Risk: 2',
      place: { sheet: 'Hazard Log', cell: 'E3' },
    });
  });

  test('is not asked where the recorded risks tell, or where one matrix alone fits', () => {
    const recorded = ['H1', 'H2', 'H3'].map((id) => hazard(id, '4 - Major', '3 - Medium', 12));
    expect(idsOf(read([HEADINGS, ...recorded]))).toEqual([]);
    expect(idsOf(read([HEADINGS, hazard('H1', 'Major', 'Medium', null)]))).toEqual([]);
  });

  test.each([
    ['nhs', 'nhs', 3],
    ['product', 'numeric', 12],
    ['none', 'none', null],
  ] as const)('once chosen, %s decides and nothing is asked', (choice, source, expected) => {
    const log = read(MIXED, [{ point: 'scale', choice }]);
    expect(idsOf(log)).toEqual([]);
    expect(log.matrix.source).toBe(source);
    expect(log.matrix.basis).toBe(source === 'none' ? undefined : 'chosen');
    expect(log.hazards[0]?.initial.expectedRisk).toBe(expected);
  });

  test('a chosen matrix makes findings to fix; one that nobody knew makes findings to check', () => {
    const [chosen] = levelsOf(read(MIXED, [{ point: 'scale', choice: 'product' }]), 'risk-differs-from-matrix');
    expect(chosen?.[0]).toBe('fix');
    const notKnown = [{ point: 'scale', choice: null }];
    const product = MIXED.map((row) => row.map((cell) => (cell === 2 ? 4 : cell)));
    const [assumed] = levelsOf(read(product, notKnown), 'risk-differs-from-matrix');
    expect(assumed?.[0]).toBe('check');
    expect(idsOf(read(product, notKnown))).toEqual([]);
  });

  test.each<[what: string, before: CellSpec, after: CellSpec, choice: string | null, levels: string[]]>([
    ['as recorded, whatever the matrix gives', 2, 3, null, ['fix']],
    ['by an assumed matrix', null, null, null, ['check']],
    ['by an assumed matrix and one record', 2, null, null, ['check']],
    ['by the chosen matrix', null, null, 'nhs', ['fix']],
    ['not by the chosen matrix', null, null, 'product', []],
  ])('a risk that is higher after controls %s (%j, then %j)', (_, before, after, choice, levels) => {
    const more: CellSpec[] = ['Controls', 'Residual severity', 'Residual likelihood', 'Residual risk'];
    const rows = [
      [...HEADINGS, ...more],
      [...hazard('H1', '2 - Significant', '3 - Medium', before), 'c', '5 - Catastrophic', '1 - Very low', after],
    ];
    const found = levelsOf(read(rows, [{ point: 'scale', choice }]), 'residual-above-initial');
    expect(found.map(([level]) => level)).toEqual(levels);
    for (const [level, message] of found) expect(message.includes('This assumes the ')).toBe(level === 'check');
  });

  test('the recorded risks go before those of an assumed matrix', () => {
    const more: CellSpec[] = ['Controls', 'Residual severity', 'Residual likelihood', 'Residual risk'];
    // The NHS table gives 3 before and 2 after.
    const rated = [...hazard('H1', '4 - Major', '3 - Medium', 2), 'c', '4 - Major', '1 - Very low', 3];
    const assumed = read([[...HEADINGS, ...more], rated], [{ point: 'scale', choice: null }]);
    expect(assumed.hazards.map(({ initial, residual }) => [initial.expectedRisk, residual.expectedRisk])).toEqual([
      [3, 2],
    ]);
    expect(levelsOf(assumed, 'residual-above-initial').map(([level]) => level)).toEqual(['fix']);
  });

  test('is asked between two matrices of the file that fit equally well and give other risks', () => {
    const rows = [HEADINGS, hazard('H1', 'Major', 'Low', null), hazard('H2', 'Minor', 'High', null)];
    const several: Sheets = [
      ['Clinical matrix', SMALL],
      ['Project matrix', OTHER],
    ];
    const log = read(rows, [], several);
    expect(idsOf(log)).toEqual(['scale']);
    expect(log.matrix.basis).toBe('assumed');
    const [clinical, project] = candidatesOf(log);
    expect([clinical?.reference, project?.reference]).toEqual(['Matrix 1 of the file', 'Matrix 2 of the file']);
    expect(project?.label).toContain('Project matrix');
    const settled = [{ point: 'scale', choice: project?.id ?? '' }];
    expect(read(rows, settled, several).hazards.map(({ initial }) => initial.expectedRisk)).toEqual([2, 3]);
    expect(idsOf(read(rows, [], [several[0], ['Again', SMALL]] as Sheets))).toEqual([]);
    // A later version without the chosen sheet asks again, and says why.
    const later = read(rows, settled, [several[0]] as Sheets);
    expect(idsOf(later)).toEqual(['scale']);
    expect(later.openPoints[0]?.why).toBe(
      'The matrix that was chosen for an earlier version no longer fits this file.',
    );
  });

  test('is asked where most recorded risks contradict the matrix of the file', () => {
    const rows = [HEADINGS, ...['H1', 'H2', 'H3', 'H4', 'H5'].map((id) => hazard(id, 'Major', 'Low', 4))];
    const log = read(rows, [], [['Matrix', SMALL]]);
    expect(log.matrix.basis).toBe('contradicted');
    expect(idsOf(log)).toEqual(['scale']);
    expect(idsOf(read(rows, [{ point: 'scale', choice: 'none' }], [['Matrix', SMALL]]))).toEqual([]);
  });
});

describe('which column has a role', () => {
  const rows: CellSpec[][] = [
    ['Ref', 'Number', 'Hazard', 'Cause', 'Effect', 'Owner'],
    ['R1', 7, 'Wrong dose', 'a', 'b', 'Ada'],
    ['R1', 8, 'Late dose', 'a', 'b', 'Ada'],
    ['R3', 9, 'No dose', 'a', 'b', 'Ada'],
  ];

  test('is asked where two columns fit equally well and differ, on rows where they do', () => {
    const log = read(rows);
    expect(idsOf(log)).toEqual(['column:id']);
    expect(log.openPoints[0]).toMatchObject({
      label: 'Which column is the hazard’s id?',
      why: 'Two columns fit by their headings, and they differ in 3 rows.',
    });
    expect(candidatesOf(log).map(({ id, label, reference, examples }) => [id, label, reference, examples[0]])).toEqual([
      [
        'ref#1',
        '“Ref” (column A)',
        'Column A',
        {
          title: 'Row 2',
          gives: 'The hazard’s id would be “R1”',
          quote: 'Ref: R1 · Number: 7',
          place: { sheet: 'Hazard Log', cell: 'A2' },
        },
      ],
      [
        'number#1',
        '“Number” (column B)',
        'Column B',
        expect.objectContaining({ gives: 'The hazard’s id would be “7”' }),
      ],
    ]);
  });

  test('is read as chosen; what nobody knew is read with care, and what rests on it is to check', () => {
    const chosen = read(rows, [{ point: 'column:id', choice: 'number#1' }]);
    expect(idsOf(chosen)).toEqual([]);
    expect(chosen.hazards.map(({ id }) => id)).toEqual(['7', '8', '9']);
    expect(chosen.table.unmatched.map(({ header }) => header)).toContain('Ref');
    const notKnown = read(rows, [{ point: 'column:id', choice: null }]);
    expect(idsOf(notKnown)).toEqual([]);
    expect(notKnown.hazards.map(({ id }) => id)).toEqual(['R1', 'R1', 'R3']);
    const [[level, message] = []] = levelsOf(notKnown, 'duplicate-id');
    expect(level).toBe('check');
    expect(message).toContain('What it rests on isn’t settled. Which column is the hazard’s id?');
    expect(levelsOf(read(rows, [{ point: 'column:id', choice: 'ref#1' }]), 'duplicate-id')[0]?.[0]).toBe('fix');
  });

  test('is not asked where the columns say the same, where one is nearly empty, or where a heading names the hazard', () => {
    const alike = rows.map((row, at) => (at === 0 ? row : [row[0] ?? null, row[0] ?? null, ...row.slice(2)]));
    expect(idsOf(read(alike))).toEqual([]);
    const sparse = rows.map((row, at) => (at === 0 || at === 2 ? row : [row[0] ?? null, null, ...row.slice(2)]));
    expect(idsOf(read(sparse))).toEqual([]);
    const named = rows.map((row, at) => (at === 0 ? ['Ref', 'Hazard ID', ...row.slice(2)] : row));
    expect(idsOf(read(named))).toEqual([]);
    expect(columnOf(read(named), 'id')).toBe('Hazard ID');
  });

  test('is asked again where the chosen column is gone, with the reason', () => {
    const log = read(
      rows.map((row) => row.filter((_, at) => at !== 1)),
      [{ point: 'column:id', choice: 'number#1' }],
    );
    expect(idsOf(log)).toEqual(['column:id']);
    const why = 'The column “number”, which was chosen for an earlier version, is no longer in the file.';
    expect(log.openPoints[0]?.why).toBe(why);
    expect(log.shape.remarks).toContain(why);
    expect(candidatesOf(log).map(({ id }) => id)).toEqual(['ref#1', 'none']);
    expect(read(rows, [{ point: 'column:id', choice: 'none' }]).has('id')).toBe(false);
  });

  test('is asked for a rating that three columns could be', () => {
    const rated = ['Residual severity', 'Residual severity'];
    const three: CellSpec[][] = [
      ['Hazard ID', 'Hazard', 'Cause', 'Risk', 'Controls', 'Risk', 'Risk'],
      ['H1', 'Wrong dose', 'a', 4, 'c', 3, 2],
      ['H2', 'Late dose', 'a', 4, 'c', 3, 3],
    ];
    const log = read(three);
    expect(idsOf(log)).toEqual(['column:residual_risk']);
    expect(candidatesOf(log).map(({ reference }) => reference)).toEqual(['Column F', 'Column G']);
    // What rests on the rating is to check too, though its cells are others.
    const severities: CellSpec[][] = [
      [
        'Hazard ID',
        'Hazard',
        'Cause',
        'Severity',
        'Likelihood',
        'Risk',
        'Controls',
        ...rated,
        'Residual likelihood',
        'Residual risk',
      ],
      ['H1', 'Wrong dose', 'a', 'Major', 'Low', 3, 'c', 'Major', 'Minor', 'Low', 4],
      ['H2', 'Late dose', 'a', 'Major', 'Low', 3, 'c', 'Minor', 'Major', 'Very low', 2],
    ];
    const raised = (choice: string | null) =>
      levelsOf(read(severities, [{ point: 'column:residual_severity', choice }]), 'residual-above-initial');
    expect(raised('residual severity#1').map(([level]) => level)).toEqual(['fix']);
    expect(raised(null).map(([level]) => level)).toEqual(['check']);
    const middle = read(three, [{ point: 'column:residual_risk', choice: 'risk#2' }]);
    expect(middle.hazards.map(({ residual }) => residual.risk)).toEqual([3, 3]);
  });
});

describe('which ratings are those before controls', () => {
  const log = (pairs: [before: number, after: number][]): CellSpec[][] => [
    ['Hazard ID', 'Hazard', 'Cause', 'Severity', 'Likelihood', 'Risk', 'Controls', 'Severity', 'Likelihood', 'Risk'],
    ...pairs.map(([before, after], at): CellSpec[] => [
      `H${at}`,
      `Name ${at}`,
      'a',
      1,
      before,
      before,
      'c',
      1,
      after,
      after,
    ]),
  ];

  test('is asked where the headings don’t say and risks rise from left to right at least as often as they fall', () => {
    const risen = read(
      log([
        [2, 4],
        [3, 5],
        [2, 2],
      ]),
    );
    expect(idsOf(risen)).toEqual(['phases']);
    expect(candidatesOf(risen).map(({ label }) => label)).toEqual([
      'Before controls: columns D, E, F. After: columns H, I, J',
      'Before controls: columns H, I, J. After: columns D, E, F',
    ]);
    expect(candidatesOf(risen)[1]?.examples[0]?.gives).toBe('Risk 4 before controls, 2 after');
    expect(
      idsOf(
        read(
          log([
            [2, 4],
            [5, 3],
          ]),
        ),
      ),
    ).toEqual(['phases']);
    expect(
      idsOf(
        read(
          log([
            [2, 4],
            [5, 3],
            [5, 2],
          ]),
        ),
      ),
    ).toEqual([]);
    expect(
      idsOf(
        read(
          log([
            [4, 2],
            [3, 3],
          ]),
        ),
      ),
    ).toEqual([]);
    // One row that rises is more likely a wrong rating.
    expect(idsOf(read(log([[2, 4]])))).toEqual([]);
    // Once it is settled, numbers that rise may still mean that the lowest one is the worst.
    const settled = [{ point: 'phases', choice: 'first-initial' }];
    expect(
      idsOf(
        read(
          log([
            [2, 4],
            [3, 5],
            [1, 2],
          ]),
          settled,
        ),
      ),
    ).toEqual(['direction']);
  });

  test('is read as chosen, and else by custom, with no finding that compares before with after', () => {
    const rows = log([
      [2, 4],
      [3, 5],
    ]);
    const swapped = read(rows, [{ point: 'phases', choice: 'first-residual' }]);
    expect(swapped.hazards.map(({ initial, residual }) => [initial.risk, residual.risk])).toEqual([
      [4, 2],
      [5, 3],
    ]);
    expect(levelsOf(swapped, 'residual-above-initial')).toEqual([]);
    for (const unknown of [read(rows), read(rows, [{ point: 'phases', choice: null }])]) {
      expect(levelsOf(unknown, 'residual-above-initial')).toEqual([]);
      expect(levelsOf(unknown, 'phases-unknown')).toEqual([
        ['check', expect.stringContaining('Which ratings are those before controls?')],
      ]);
    }
    expect(levelsOf(swapped, 'phases-unknown')).toEqual([]);
    const kept = read(rows, [{ point: 'phases', choice: 'first-initial' }]);
    expect(idsOf(kept)).toEqual([]);
    expect(levelsOf(kept, 'residual-above-initial').map(([level]) => level)).toEqual(['fix', 'fix']);
  });
});

describe('two columns of risk beside one severity and one likelihood', () => {
  /** Severity and likelihood of words, with their risk from 1 to 5 and from 1 to 25. */
  const log = (...rows: [severity: string, likelihood: string, risk: CellSpec, rating: CellSpec][]): CellSpec[][] => [
    ['Hazard ID', 'Hazard', 'Cause', 'Severity', 'Likelihood', 'Risk', 'Risk rating', 'Controls'],
    ...rows.map(([severity, likelihood, risk, rating], at): CellSpec[] => [
      `H${at}`,
      `Name ${at}`,
      'a',
      severity,
      likelihood,
      risk,
      rating,
      'c',
    ]),
  ];
  const rows = log(['Major', 'Low', 3, 8], ['Major', 'High', 4, 16], ['Minor', 'High', 2, 4]);
  const risksOf = (choice: string | null) =>
    read(rows, [{ point: 'phases', choice }]).hazards.map(({ initial, residual }) => [initial.risk, residual.risk]);

  test('may rate the same thing on two scales: both can be chosen, and nothing is then read as after controls', () => {
    expect(candidatesOf(read(rows)).map(({ id, label, examples }) => [id, label, examples[0]?.gives])).toEqual([
      ['first-initial', 'Before controls: columns D, E, F. After: column G', 'Risk 3 before controls, 8 after'],
      ['first-residual', 'Before controls: column G. After: columns D, E, F', 'Risk 8 before controls, 3 after'],
      ['same-first', 'Both rate the same risk: read column F, not column G', 'Risk 3, none after controls'],
      ['same-second', 'Both rate the same risk: read column G, not column F', 'Risk 8, none after controls'],
    ]);
    expect(risksOf('same-first')).toEqual([
      [3, null],
      [4, null],
      [2, null],
    ]);
    expect(risksOf('same-second')).toEqual([
      [8, null],
      [16, null],
      [4, null],
    ]);
    expect(risksOf('first-initial')[0]).toEqual([3, 8]);
    const settled = read(rows, [{ point: 'phases', choice: 'same-first' }]);
    expect(idsOf(settled)).not.toContain('phases');
    expect(settled.has('residual_risk')).toBe(false);
    expect(settled.findUnread().map(({ what, label }) => [what, label])).toContainEqual(['column', 'Risk rating']);
    expect(settled.matrix.name).toContain('NHS');
  });

  test('are not judged as before and after controls while nobody knows', () => {
    const after = ['residual-above-initial', 'residual-risk-unacceptable', 'residual-risk-without-rationale'];
    const found = (choice: string) =>
      after.flatMap((rule) => levelsOf(read(rows, [{ point: 'phases', choice }]), rule)).length;
    expect(found('first-initial')).toBeGreaterThan(0);
    expect(found('same-first')).toBe(0);
    for (const rule of after) expect(levelsOf(read(rows, [{ point: 'phases', choice: null }]), rule)).toEqual([]);
  });

  test('are asked about where the second is lower in every row too, and where one differs in words', () => {
    expect(idsOf(read(log(['Major', 'Low', 8, 3])))).toEqual(['phases']);
    expect(idsOf(read(log(['Major', 'Low', 3, 'Amber'])))).toEqual(['phases']);
  });

  test('are not asked about where they agree, or where controls stand between them and the risk falls', () => {
    expect(idsOf(read(log(['Major', 'Low', 3, 3], ['Minor', 'Low', 1, 1])))).toEqual([]);
    const between = log(['Major', 'Low', 3, 2], ['Minor', 'High', 2, 1]).map((row) => [
      ...row.slice(0, 6),
      row[7] ?? '',
      row[6] ?? '',
    ]);
    expect(idsOf(read(between))).toEqual([]);
    const two: CellSpec[][] = [
      ['Hazard ID', 'Hazard', 'Cause', 'Severity', 'Likelihood', 'Risk', 'Likelihood', 'Risk'],
      ['H1', 'Late', 'a', 'Major', 'Low', 3, 'Very low', 2],
      ['H2', 'Lost', 'a', 'Minor', 'High', 2, 'Low', 1],
    ];
    expect(idsOf(read(two))).toEqual([]);
  });
});

describe('which end of a scale of numbers is the worst', () => {
  const headings = [
    'Hazard ID',
    'Hazard',
    'Cause',
    'Initial severity',
    'Initial likelihood',
    'Initial risk',
    'Controls',
  ];
  const rows = (pairs: [number, number | null][]): CellSpec[][] => [
    [...headings, 'Residual severity', 'Residual likelihood', 'Residual risk'],
    ...pairs.map(([before, after], at): CellSpec[] => [
      `H${at}`,
      `Name ${at}`,
      'a',
      before,
      1,
      before,
      'c',
      after,
      1,
      after,
    ]),
  ];

  test('is asked where controls raise the numbers at least as often as they lower them', () => {
    expect(
      idsOf(
        read(
          rows([
            [2, 4],
            [3, 5],
            [1, 2],
          ]),
        ),
      ),
    ).toEqual(['direction']);
    expect(
      idsOf(
        read(
          rows([
            [2, 4],
            [3, 5],
            [5, 2],
            [4, 2],
          ]),
        ),
      ),
    ).toEqual(['direction']);
    expect(
      idsOf(
        read(
          rows([
            [2, 4],
            [5, 3],
            [5, 2],
          ]),
        ),
      ),
    ).toEqual([]);
    expect(
      idsOf(
        read(
          rows([
            [2, 4],
            [3, 5],
          ]),
        ),
      ),
    ).toEqual([]);
  });

  test('turns round what a higher number means, once somebody says that the lowest is the worst', () => {
    const pairs: [number, number | null][] = [
      [2, 4],
      [3, 5],
      [1, 2],
      [4, 3],
      [1, null],
    ];
    const falling = read(rows(pairs), [{ point: 'direction', choice: 'falling' }]);
    expect(levelsOf(falling, 'residual-above-initial').map(([level]) => level)).toEqual(['fix']);
    expect(
      findFindings({ log: falling, asOf: null, report: null }).find(({ rule }) => rule === 'residual-above-initial'),
    ).toMatchObject({ hazardId: 'H3', expected: 'at least 4' });
    const rising = read(rows(pairs), [{ point: 'direction', choice: 'rising' }]);
    expect(levelsOf(rising, 'residual-above-initial').map(([level]) => level)).toEqual(['fix', 'fix', 'fix']);
    expect(levelsOf(read(rows(pairs)), 'residual-above-initial').map(([level]) => level)).toEqual([
      'check',
      'check',
      'check',
    ]);
  });
});

describe('what a column gives', () => {
  const rows = (heading: string, text: string): CellSpec[][] => [
    ['Hazard ID', 'Hazard', heading, 'Severity', 'Likelihood', 'Risk'],
    ...['H1', 'H2', 'H3'].map((id): CellSpec[] => [id, `Name of ${id}`, text, 'Major', 'Low', 2]),
  ];

  test('is asked where its heading names both a cause and an effect', () => {
    const both = rows('Cause and effect', 'The server was down and the order was lost');
    const log = read(both);
    expect(idsOf(log)).toEqual(['meaning:cause and effect#1']);
    expect(log.openPoints[0]?.label).toBe('What does column C give?');
    expect(candidatesOf(log).map(({ id }) => id)).toEqual(['cause', 'clinical_impact', 'none']);
    const as = (choice: string) => read(both, [{ point: 'meaning:cause and effect#1', choice }]);
    expect(columnOf(as('clinical_impact'), 'clinical_impact')).toBe('Cause and effect');
    expect(columnOf(as('clinical_impact'), 'cause')).toBeUndefined();
    expect(as('none').table.unmatched.map(({ header }) => header)).toEqual(['Cause and effect']);
  });

  test('is asked where a rating is written in sentences, and what rests on it is to check meanwhile', () => {
    const text = 'Patients may get a wrong dose, and somebody has to call them back for a check';
    const log = read([
      ['Hazard ID', 'Hazard', 'Cause', 'Consequence', 'Likelihood', 'Risk'],
      ...['H1', 'H2', 'H3'].map((id): CellSpec[] => [id, `Name of ${id}`, 'a', text, 'Low', 2]),
    ]);
    expect(idsOf(log)).toEqual(['meaning:consequence#1']);
    expect(candidatesOf(log).map(({ id }) => id)).toEqual(['initial_severity', 'clinical_impact', 'none']);
    expect(levelsOf(log, 'unknown-rating-word').map(([level]) => level)).toEqual(['check']);
  });
});
