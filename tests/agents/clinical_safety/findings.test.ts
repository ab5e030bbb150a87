import { describe, expect, test } from '@jest/globals';
import { findFindings } from '../../../bot/agents/clinical_safety/findings/findFindings.ts';
import { readDay } from '../../../bot/agents/clinical_safety/findings/readDay.ts';
import { readSafetyReport } from '../../../bot/agents/clinical_safety/findings/safetyReport.ts';
import { readLog } from '../../../bot/agents/clinical_safety/reading/readLog.ts';
import { analyseLog } from '../../../bot/agents/clinical_safety/worker/analyseLog.ts';
import type { Finding } from '../../../models/contracts/clinical_safety/hazards.ts';
import {
  type HazardRow,
  hazardRow,
  MATRIX_SHEET,
  makePackage,
  makeWideLog,
  type SheetCell,
  WIDE_HEADERS,
} from '../../factories/hazardLog.ts';

const text = (content: string) => new Uint8Array(Buffer.from(content));

async function check(
  bytes: Uint8Array,
  more: { fileName?: string; asOf?: string; report?: string } = {},
): Promise<Finding[]> {
  const log = await readLog(bytes, more.fileName ?? 'log.xlsx');
  return findFindings({
    log,
    asOf: more.asOf ?? null,
    report: more.report ? readSafetyReport(more.report, 'report.md') : null,
  });
}

/** A log of several sound rows with one faulty row. */
const faulty = (row: HazardRow) =>
  makeWideLog([{ id: 'A1' }, { id: 'A2', name: 'Second', ...row }, { id: 'A3', name: 'Third' }]);
const of = (findings: Finding[], rule: string) => findings.filter((finding) => finding.rule === rule);
const cells = (finding: Finding | undefined) => finding?.places.map(({ cell }) => cell);

test('a sound log has nothing to fix', async () => {
  const findings = await check(makeWideLog([{ id: 'A1' }, { id: 'A2', name: 'Second' }]));
  expect(findings.filter(({ level }) => level !== 'note')).toEqual([]);
});

describe('ratings', () => {
  test('a risk that differs from the matrix is reported with both figures and its cell', async () => {
    const [finding] = of(await check(faulty({ risk: 2 })), 'risk-differs-from-matrix');
    expect(finding).toMatchObject({
      level: 'fix',
      hazardId: 'A2',
      found: '2',
      expected: '3',
      clause: '4.4.1',
      places: [{ sheet: 'Hazard Log', cell: 'I3' }],
    });
    expect(finding?.title).toBe('A2: initial risk is 2, the matrix gives 3');
  });

  test('a word that the matrix does not know is reported', async () => {
    const [finding] = of(await check(faulty({ likelihood: 'Unlikely' })), 'unknown-rating-word');
    expect(finding).toMatchObject({ hazardId: 'A2', found: 'Unlikely', places: [{ cell: 'H3' }] });
  });

  test('a risk that is higher after controls than before is reported', async () => {
    const findings = await check(faulty({ residualLikelihood: 'High', residualRisk: 4 }));
    expect(of(findings, 'residual-above-initial')[0]).toMatchObject({ hazardId: 'A2', level: 'fix' });
    expect(of(findings, 'residual-risk-unacceptable')[0]).toMatchObject({ hazardId: 'A2', level: 'fix', found: '4' });
  });

  test('a severity that falls without a design control is reported', async () => {
    const row = { residualSeverity: 'Minor', residualRisk: 1, design: 'None' };
    expect(of(await check(faulty(row)), 'severity-lowered-without-design-control')[0]).toMatchObject({
      hazardId: 'A2',
      level: 'check',
      found: 'Minor',
      expected: 'Major',
    });
    expect(
      of(
        await check(faulty({ ...row, design: 'Limit the rate of the pump' })),
        'severity-lowered-without-design-control',
      ),
    ).toEqual([]);
  });

  test('a residual risk of 3 without a reason is reported', async () => {
    const row = { residualLikelihood: 'Low', residualRisk: 3 };
    expect(of(await check(faulty({ ...row, notes: '' })), 'residual-risk-without-rationale')[0]).toMatchObject({
      hazardId: 'A2',
      clause: '6.2.1',
    });
    expect(
      of(await check(faulty({ ...row, notes: 'No better control exists.' })), 'residual-risk-without-rationale'),
    ).toEqual([]);
  });

  test('a likelihood of the fault instead of the harm is reported', async () => {
    const [finding] = of(
      await check(faulty({ notes: 'The likelihood of a software failure is low.' })),
      'likelihood-rates-the-fault',
    );
    expect(finding).toMatchObject({ hazardId: 'A2', level: 'check', places: [{ cell: 'Q3' }] });
  });

  test('rows of one hazard with different ratings are reported', async () => {
    const csv =
      'Hazard ID,Hazard name,Cause,Effect,Severity,Likelihood,Risk\nH1,A,a,x,Major,Low,3\nH1,A,b,x,Minor,Low,1\n';
    expect(of(await check(text(csv), { fileName: 'log.csv' }), 'ratings-differ-between-rows')[0]).toMatchObject({
      hazardId: 'H1',
      level: 'note',
    });
  });

  test('a numeric scale is named, and the NHS levels are not applied to it', async () => {
    const findings = await check(text('ID,Hazard,Cause,Effect,S,L,RPN\nHZ-1,A,B,C,5,5,25\nHZ-2,B,B,C,2,2,5\n'), {
      fileName: 'log.csv',
    });
    expect(of(findings, 'numeric-scale')).toHaveLength(1);
    expect(of(findings, 'residual-risk-unacceptable')).toEqual([]);
    expect(of(findings, 'risk-differs-from-matrix')[0]).toMatchObject({ hazardId: 'HZ-2', found: '5', expected: '4' });
  });

  describe('by a matrix that the file does not state', () => {
    const rated = (...rows: string[]) =>
      text(
        `ID,Hazard,Cause,Effect,Severity,Likelihood,Risk,Residual Severity,Residual Likelihood,Residual Risk\n${rows.map((row, at) => `H${at + 1},Hazard ${at},B,C,${row}`).join('\n')}\n`,
      );
    const FOLLOWS = 'Major,Low,3,Minor,Low,1';
    const levels = async (...rows: string[]) =>
      (await check(rated(...rows), { fileName: 'log.csv' }))
        .filter(({ rule }) =>
          /^(?:risk-differs-from-matrix|unknown-rating-word|residual-risk-unacceptable)$/.test(rule),
        )
        .map(({ rule, level, hazardId }) => `${hazardId} ${rule} ${level}`);

    test('are to be checked, and to be fixed once the recorded risks follow the matrix', async () => {
      expect(await levels('Major,Low,2,Minor,Low,1')).toEqual(['H1 risk-differs-from-matrix check']);
      expect(await levels('Major,Low,2,Minor,Low,1', FOLLOWS)).toEqual(['H1 risk-differs-from-matrix fix']);
      expect(await levels('Nasty,Low,2,Minor,Low,1')).toEqual(['H1 unknown-rating-word check']);
      expect(await levels('Nasty,Low,2,Minor,Low,1', FOLLOWS)).toEqual(['H1 unknown-rating-word fix']);
      expect(await levels('Major,High,,Major,High,')).toEqual(['H1 residual-risk-unacceptable check']);
      expect(await levels('Major,High,4,Major,High,4', FOLLOWS)).toEqual(['H1 residual-risk-unacceptable fix']);
    });

    test('say what is assumed', async () => {
      const findings = await check(rated('Major,Low,2,Minor,Low,1'), { fileName: 'log.csv' });
      expect(of(findings, 'risk-differs-from-matrix')[0]?.message).toContain(
        'This assumes the NHS 5x5 (DCB0129 4.2): the kind of ratings suggests it, and nothing in the file states it.',
      );
    });

    test('are not reported where the recorded risks follow no matrix', async () => {
      const risks = Array.from({ length: 3 }, () => 'Major,Low,1,Minor,Low,2');
      expect(await levels(...risks)).toEqual([]);
    });
  });

  test('the NHS levels of acceptance are not certain for a matrix with other figures', async () => {
    const rows = [{ id: 'A1', residualSeverity: 'Catastrophic', residualLikelihood: 'Very High', residualRisk: 4 }];
    const own = { ...MATRIX_SHEET, rows: MATRIX_SHEET.rows.map((row) => row.map((cell) => (cell === 5 ? 4 : cell))) };
    const log = makePackage({ sheets: [{ name: 'Hazard Log', rows: [WIDE_HEADERS, ...rows.map(hazardRow)] }, own] });
    const [finding] = of(await check(log), 'residual-risk-unacceptable');
    expect(finding).toMatchObject({
      level: 'check',
      message: expect.stringContaining('This assumes the NHS levels of acceptance.'),
    });
  });

  test('the NHS levels are certain for the NHS table in whatever order the file has it', async () => {
    const rows = [{ id: 'A1', residualSeverity: 'Catastrophic', residualLikelihood: 'Very High', residualRisk: 5 }];
    const [top, ...others] = MATRIX_SHEET.rows;
    const turned = { ...MATRIX_SHEET, rows: [top ?? [], ...others.slice(0, 5).toReversed(), ...others.slice(5)] };
    const log = makePackage({ sheets: [{ name: 'Hazard Log', rows: [WIDE_HEADERS, ...rows.map(hazardRow)] }, turned] });
    expect(of(await check(log), 'residual-risk-unacceptable')[0]).toMatchObject({ level: 'fix' });
  });

  test('most risks that differ from the file’s own matrix speak against the matrix: they are to be checked', async () => {
    const differing = async (...rows: { risk?: number; residualRisk?: number }[]) => {
      const log = makeWideLog(rows.map((row, at) => ({ id: `A${at}`, name: `Hazard ${at}`, ...row })));
      return of(await check(log), 'risk-differs-from-matrix');
    };
    const wrong = { risk: 5, residualRisk: 5 };
    const half = await differing(wrong, { risk: 5 }, {});
    expect(half.map(({ level }) => level)).toEqual(['fix', 'fix', 'fix']);
    const most = await differing(wrong, wrong, {});
    expect(most).toHaveLength(4);
    for (const finding of most)
      expect(finding).toMatchObject({
        level: 'check',
        message: expect.stringContaining('so it may not be the log’s matrix'),
      });
  });

  test('a priority number of three factors is not checked against a product of two', async () => {
    const head = 'ID,Failure mode,Effect,Cause,S,O,D,RPN';
    const findings = await check(text(`${head}\nF1,A,B,C,4,2,3,24\nF2,D,E,F,5,3,2,30\n`), { fileName: 'fmea.csv' });
    expect(of(findings, 'risk-differs-from-matrix')).toEqual([]);
    expect(of(findings, 'matrix-unknown')[0]?.message).toContain(
      'a priority number of severity, occurrence and detection',
    );
    const product = await check(
      text(`${head}\nF1,A,B,C,4,2,3,8\nF2,D,E,F,5,3,2,15\nF3,G,H,I,1,1,2,9\nF4,J,K,L,2,2,2,4\nF5,M,N,O,2,3,2,6\n`),
      { fileName: 'fmea.csv' },
    );
    expect(of(product, 'risk-differs-from-matrix')[0]).toMatchObject({
      hazardId: 'F3',
      level: 'fix',
      found: '9',
      expected: '1',
    });
  });

  test('words of no known matrix are reported as not checkable', async () => {
    const findings = await check(text('ID,Hazard,Cause,Effect,Severity,Likelihood\nHZ-1,A,B,C,Nasty,Often\n'), {
      fileName: 'log.csv',
    });
    expect(of(findings, 'matrix-unknown')).toHaveLength(1);
    expect(of(findings, 'unknown-rating-word')).toEqual([]);
  });
});

describe('formulas', () => {
  const lookUp = (severity: string, likelihood: string): string =>
    `IF(ISBLANK(${severity}),"",INDEX('Risk Matrix'!$D$2:$H$6,MATCH('Hazard Log'!${likelihood},'Risk Matrix'!$C$2:$C$6,0),MATCH(${severity},'Risk Matrix'!$D$7:$H$7,0)))`;
  const risk = (severity: string, likelihood: string, result: number): SheetCell => ({
    formula: lookUp(severity, likelihood),
    result,
  });

  test('a residual risk that reads the initial severity lists every row, and which values are wrong today', async () => {
    const rows: HazardRow[] = [
      { id: 'A1', residualRisk: risk('G2', 'O2', 2) },
      { id: 'A2', name: 'Second', residualSeverity: 'Minor', residualRisk: risk('G3', 'O3', 2) },
    ];
    const [finding] = of(await check(makeWideLog(rows)), 'formula-mixes-initial-and-residual');
    expect(finding).toMatchObject({ level: 'fix', hazardId: null });
    expect(cells(finding)).toEqual(['P2', 'P3']);
    expect(finding?.message).toContain('A2 shows 2 where the residual words give 1');
  });

  test('cells of the matrix in the same column letters are not mistaken for the log’s', async () => {
    const rows = Array.from({ length: 8 }, (_, at) => ({
      id: `A${at + 1}`,
      name: `Hazard ${at}`,
      residualRisk: risk(`N${at + 2}`, `O${at + 2}`, 2),
    }));
    expect(of(await check(makeWideLog(rows)), 'formula-mixes-initial-and-residual')).toEqual([]);
  });

  test('a formula that reads another hazard’s row is reported', async () => {
    const [finding] = of(await check(faulty({ risk: risk('G2', 'H2', 3) })), 'formula-reads-another-row');
    expect(finding).toMatchObject({ hazardId: 'A2', level: 'fix', places: [{ cell: 'I3' }] });
  });
});

describe('ids and names', () => {
  test('one id for two hazards is reported', async () => {
    const findings = await check(makeWideLog([{ id: 'A1' }, { id: 'a1 ', name: 'Another' }]));
    expect(cells(of(findings, 'duplicate-id')[0])).toEqual(['A2', 'A3']);
  });

  test('one name under several ids is reported', async () => {
    const findings = await check(makeWideLog([{ id: 'A1' }, { id: 'A5', name: 'Second' }, { id: 'A9' }]));
    expect(of(findings, 'same-name-several-ids')[0]).toMatchObject({ found: 'A1 and A9' });
  });

  test('neighbours with one name and rising ids, as when a cell is dragged, are reported', async () => {
    const findings = await check(makeWideLog([{ id: 'H1' }, { id: 'H2' }, { id: 'H3' }]));
    expect(of(findings, 'id-counted-up-by-dragging')[0]).toMatchObject({ found: 'H1 to H3', expected: 'H1' });
    expect(of(findings, 'same-name-several-ids')).toEqual([]);
  });

  test.each([
    [['H9', 'H10'], 'H9 to H10'],
    [['HAZ-09 (draft)', 'HAZ-10 (draft)'], 'HAZ-09 (draft) to HAZ-10 (draft)'],
    [['2024-099', '2024-100', '2024-101'], '2024-099 to 2024-101'],
    [['H1-7', 'H2-7'], null],
    [['H2', 'H1'], null],
    [['H1', 'H3'], null],
    [['HA', 'HB'], null],
  ])('of neighbours %j with one name, those with rising ids: %s', async (ids, found) => {
    const findings = await check(makeWideLog(ids.map((id) => ({ id }))));
    expect(of(findings, 'id-counted-up-by-dragging').map((finding) => finding.found)).toEqual(found ? [found] : []);
    expect(of(findings, 'same-name-several-ids')).toHaveLength(found ? 0 : 1);
  });

  test('a cause numbered for another hazard is reported', async () => {
    const rows = ['H01,A,0101 a,x', 'H01,A,0102 b,x', 'H02,B,0201 c,x', 'H02,B,0202 d,x', 'H02,B,0103 e,x'];
    const findings = await check(text(['Hazard ID,Hazard name,Cause,Effect', ...rows].join('\n')), {
      fileName: 'log.csv',
    });
    expect(of(findings, 'cause-id-of-another-hazard')[0]).toMatchObject({
      hazardId: 'H02',
      found: '0103',
      places: [{ cell: 'C6' }],
    });
  });
});

describe('blanks', () => {
  test('a column that is blank throughout is one finding with every cell', async () => {
    const findings = await check(makeWideLog(['A1', 'A2', 'A3'].map((id) => ({ id, name: id, owner: '' }))));
    const [finding, ...others] = of(findings, 'missing-owner');
    expect(finding?.title).toBe('Owner is blank in all 3 hazards');
    expect(cells(finding)).toEqual(['R2', 'R3', 'R4']);
    expect(others).toEqual([]);
  });

  test.each([
    ['missing-severity', { severity: '' }, 'G3'],
    ['missing-likelihood', { likelihood: '' }, 'H3'],
    ['missing-risk', { risk: null }, 'I3'],
    ['missing-clinical-impact', { impact: '' }, 'D3'],
    ['missing-cause', { causes: '' }, 'E3'],
    ['missing-owner', { owner: '' }, 'R3'],
    ['missing-status', { status: '' }, 'S3'],
    ['missing-name', { name: '' }, 'B3'],
    ['missing-residual', { residualSeverity: '', residualLikelihood: '', residualRisk: null }, 'N3'],
    ['no-controls', { existing: 'None', design: '', test: 'n/a', training: '', business: '1) None 2) None' }, 'B3'],
  ] satisfies [string, HazardRow, string][])('%s', async (rule, row, cell) => {
    const [finding] = of(await check(faulty(row)), rule);
    expect(finding).toMatchObject({ hazardId: 'A2' });
    expect(cells(finding)?.[0]).toBe(cell);
  });

  test('a hazard without an id is named by its row', async () => {
    const findings = await check(faulty({ id: '' }));
    expect(of(findings, 'missing-id')[0]).toMatchObject({ hazardId: 'row 3', places: [{ cell: 'A3' }] });
  });

  test('a log without any rating is reported once', async () => {
    const findings = await check(
      text('Hazard ID,Hazard name,Cause,Effect,Severity,Likelihood\nH1,A,a,b,,\nH2,B,a,b,,\n'),
      { fileName: 'log.csv' },
    );
    expect(of(findings, 'no-ratings')[0]).toMatchObject({ title: 'None of the 2 hazards is rated', level: 'fix' });
    expect(of(findings, 'missing-severity')).toEqual([]);
  });
});

describe('controls', () => {
  const log = (rows: string[]) =>
    text(
      [
        'Hazard ID,Hazard name,Cause,Effect,Additional controls,Control type,Control owner,Action status,Status,Evidence',
        ...rows,
      ].join('\n'),
    );

  test('a closed hazard with an open action is reported', async () => {
    const findings = await check(
      log(['H1,A,a,b,Retry,Design,Me,Closed,Closed,T-1', 'H2,B,a,b,Retry,Design,Me,In progress,Closed,T-2']),
      { fileName: 'log.csv' },
    );
    expect(of(findings, 'closed-with-open-action')[0]).toMatchObject({
      hazardId: 'H2',
      clause: '6.3.1',
      places: [{ cell: 'H3' }],
    });
  });

  test('a control without owner or evidence is reported', async () => {
    const findings = await check(
      log(['H1,A,a,b,Retry,Design,Me,Closed,Open,TR-1', 'H2,B,a,b,Retry,Design,,Open,Open,']),
      { fileName: 'log.csv' },
    );
    expect(of(findings, 'control-without-owner')[0]).toMatchObject({ hazardId: 'H2', places: [{ cell: 'G3' }] });
    expect(of(findings, 'control-without-evidence')[0]).toMatchObject({ hazardId: 'H2', places: [{ cell: 'J3' }] });
  });
});

describe('numbering and control rows', () => {
  const long = (rows: (string | number)[][]) =>
    makePackage({
      sheets: [
        {
          name: 'Hazard Log',
          rows: [
            [
              'Num',
              'Hazard Name',
              'Effect',
              'Possible Causes',
              'Additional controls',
              'Control type',
              'Action',
              'Action status',
              'Initial Consequence',
              'Initial Likelihood',
            ],
            ...rows,
          ],
        },
        MATRIX_SHEET,
      ],
    });
  const row = (id: string, cause: string, control: string, rest = ['Design', 'Validate', 'Closed']) => [
    id,
    id === 'H01' ? 'Absent' : 'Wrong',
    'Delay',
    cause,
    control,
    ...rest,
    'Major',
    'Low',
  ];
  const sound = [
    row('H01', '0101 Messaging', '010101 Retry'),
    row('H01', '0101 Messaging', '010102 Rota'),
    row('H01', '0102 Malicious', '010201 Sign'),
    row('H02', '0201 Wrong clinician', '020101 Check'),
    row('H02', '0202 Errors', '020201 Test'),
    row('H02', '0203 Service', '020301 Monitor'),
  ];
  const RULES = ['cause-id-off-pattern', 'control-id-of-another-cause', 'control-row-incomplete'];

  test('a log that is completely numbered and filled has no such findings', async () => {
    const findings = await check(long(sound));
    expect(findings.filter(({ rule }) => RULES.includes(rule))).toEqual([]);
  });

  test('a cause written as 101 among others like 0101 is reported', async () => {
    const findings = await check(
      long([...sound.slice(0, 2), row('H01', '101 Messaging', '010103 Log'), ...sound.slice(2)]),
    );
    expect(of(findings, 'cause-id-off-pattern')).toMatchObject([
      { hazardId: 'H01', found: '101', expected: '0101', places: [{ cell: 'D4' }] },
    ]);
    expect(of(findings, 'control-id-of-another-cause')).toEqual([]);
  });

  test('a control numbered for another cause is reported', async () => {
    const findings = await check(long([...sound, row('H02', '0203 Service', '020102 Alert')]));
    expect(of(findings, 'control-id-of-another-cause')).toMatchObject([
      { hazardId: 'H02', found: '020102 under 0203', places: [{ cell: 'E8' }] },
    ]);
  });

  test('a control row without type, action or status is reported; a column that the log hardly uses is no gap', async () => {
    const findings = await check(long([...sound, row('H02', '0203 Service', '020302 Alert', ['', '', ''])]));
    expect(of(findings, 'control-row-incomplete')).toMatchObject([
      {
        hazardId: 'H02',
        title: 'H02: a control has no type, no action or no action status',
        places: [{ cell: 'F8' }, { cell: 'G8' }, { cell: 'H8' }],
      },
    ]);
    const unused = sound.map((cells) => cells.map((cell) => (cell === 'Validate' ? '' : cell)));
    expect(of(await check(long(unused)), 'control-row-incomplete')).toEqual([]);
  });

  test('a missing status column is reported, as is a missing review date', async () => {
    expect(of(await check(long(sound)), 'no-status-column')).toMatchObject([
      { level: 'note', places: [{ cell: 'A1' }] },
    ]);
    expect(of(await check(faulty({})), 'no-status-column')).toEqual([]);
  });

  test('names that differ only in punctuation are not the same name', async () => {
    const log = (names: string[]) => makeWideLog(names.map((name, at) => ({ id: `A${at + 1}`, name })));
    const rules = ['id-counted-up-by-dragging', 'same-name-several-ids'];
    const found = async (names: string[]) =>
      (await check(log(names))).filter(({ rule }) => rules.includes(rule)).length;
    expect(await found(['+1+1', '=1+1'])).toBe(0);
    expect(await found(['Late  result', 'late result'])).toBe(1);
  });
});

describe('versions, dates and the safety case report', () => {
  test('the file’s name, the cover and the history are compared', async () => {
    const bytes = makePackage({
      sheets: [
        { name: 'Cover Page', rows: [['Version', 1.6]] },
        {
          name: 'Version History',
          rows: [
            ['Version', 'Date'],
            ['1.6', 'x'],
            ['1.7', 'y'],
          ],
        },
        {
          name: 'Hazard Log',
          rows: [
            ['Hazard ID', 'Hazard name', 'Cause', 'Effect'],
            ['H1', 'A', 'b', 'c'],
          ],
        },
        MATRIX_SHEET,
      ],
    });
    const [finding] = of(await check(bytes, { fileName: 'product_hazard_log_v1.7.xlsx' }), 'version-differs');
    expect(finding).toMatchObject({ level: 'fix', clause: '3.3.2', found: '1.6', expected: '1.7' });
    expect(of(await check(bytes, { fileName: 'hazard_log_v1.6.xlsx' }), 'version-differs')).toHaveLength(1);
  });

  test('1 and 1.0 are the same version', async () => {
    const bytes = makePackage({
      sheets: [
        { name: 'Cover Page', rows: [['Version', 1]] },
        {
          name: 'Hazard Log',
          rows: [
            ['Hazard ID', 'Hazard name', 'Cause', 'Effect'],
            ['H1', 'A', 'b', 'c'],
          ],
        },
      ],
    });
    expect(of(await check(bytes, { fileName: 'log V1.0.xlsx' }), 'version-differs')).toEqual([]);
  });

  test('a review more than twelve months ago is reported', async () => {
    const csv = text(
      'Hazard ID,Hazard name,Cause,Effect,Review date\nH1,A,a,b,01/02/2024\nH2,B,a,b,3 March 2026\nH3,C,a,b,\n',
    );
    const findings = await check(csv, { fileName: 'log.csv', asOf: '2026-06-01' });
    expect(of(findings, 'review-older-than-a-year')).toMatchObject([{ hazardId: 'H1', found: '2024-02-01' }]);
    expect(of(findings, 'missing-review-date')[0]).toMatchObject({ hazardId: 'H3' });
  });

  test.each([
    ['01/06/2025', '2026-06-01', true],
    ['02/06/2025', '2026-06-01', false],
    ['31/05/2025', '2026-06-01', true],
    ['29 February 2024', '2025-02-28', false],
    ['29 February 2024', '2025-03-01', true],
    ['15/12/2025', '2026-11-30', false],
    ['15/11/2025', '2026-11-15', true],
    // A month without a day counts from its first.
    ['June 2025', '2026-06-01', true],
    ['July 2025', '2026-06-30', false],
  ])('a review of %s, checked on %s, is older than a year: %s', async (day, asOf, isStale) => {
    const csv = text(`Hazard ID,Hazard name,Cause,Effect,Review date\nH1,A,a,b,${day}\n`);
    const stale = of(await check(csv, { fileName: 'log.csv', asOf }), 'review-older-than-a-year');
    expect(stale).toHaveLength(isStale ? 1 : 0);
  });

  test('a hazard with several rows counts by its latest review, wherever that is', async () => {
    const rows = ['H1,A,a,b,01/02/2026', 'H1,A,c,b,01/02/2020', 'H2,B,a,b,01/02/2020', 'H2,B,c,b,01/03/2021'];
    const csv = text(['Hazard ID,Hazard name,Cause,Effect,Review date', ...rows].join('\n'));
    const findings = await check(csv, { fileName: 'log.csv', asOf: '2026-06-01' });
    expect(of(findings, 'review-older-than-a-year')).toMatchObject([
      { hazardId: 'H2', found: '2021-03-01', places: [{ cell: 'E5' }] },
    ]);
  });

  test('without a given date, reviews are compared with the latest date in the log', async () => {
    const log = async (days: string[]) => {
      const rows = days.map((day, at) => `H${at + 1},Name ${at},a,b,${day}`);
      const bytes = text(['Hazard ID,Hazard name,Cause,Effect,Review date', ...rows].join('\n'));
      const result = await analyseLog({ log: { bytes, fileName: 'log.csv', digest: 'd' }, tickets: null });
      return of(result.findings, 'review-older-than-a-year');
    };
    expect(await log(['01/06/2026', '01/06/2025', '02/06/2025'])).toMatchObject([
      { hazardId: 'H2', expected: 'within twelve months of 2026-06-01' },
    ]);
    expect(await log(['01/06/2015', '01/05/2016'])).toEqual([]);
    expect(await log(['', ''])).toEqual([]);
  });

  test.each([
    ['2026-02-03', '2026-02-03'],
    ['reviewed 3/2/26 by A', '2026-02-03'],
    ['03.02.2026', '2026-02-03'],
    ['3rd Feb 2026', '2026-02-03'],
    ['February 2026', '2026-02-01'],
    ['12/13/2025', null],
    ['32/01/2026', null],
    ['01/01/1989', null],
    ['v1.2.3', null],
    ['soon', null],
  ])('the date of “%s” is %s', (words, day) => {
    expect(readDay(words)).toBe(day);
  });

  test('a report with another count, another version or a missing transferred control is reported', async () => {
    const bytes = makeWideLog([{ id: 'HAZ01' }, { id: 'HAZ02', name: 'B', status: 'Transferred' }]);
    const report =
      '# Safety case report\n\nSeven hazards were identified. The hazard log version 2.0 is attached.\n\n## 9 Transferred controls\n\nHAZ01: train the users.\n\n## 10 Statement\n';
    const findings = await check(bytes, { fileName: 'log v1.9.xlsx', report });
    expect(of(findings, 'report-count-differs')[0]).toMatchObject({ found: '2', expected: '7' });
    expect(of(findings, 'version-differs')[0]).toMatchObject({ found: '2.0', expected: '1.9' });
    expect(of(findings, 'transferred-control-not-in-report')[0]?.message).toContain('HAZ02');
  });
});

test('the same log gives the same findings with the same unique ids', async () => {
  const bytes = makeWideLog([
    { id: 'A1', risk: 1, owner: '' },
    { id: 'A1', name: 'B', severity: 'Odd' },
    { id: '', name: 'C' },
  ]);
  const [first, second] = [await check(bytes), await check(bytes)];
  expect(first).toEqual(second);
  expect(new Set(first.map(({ id }) => id)).size).toBe(first.length);
});
