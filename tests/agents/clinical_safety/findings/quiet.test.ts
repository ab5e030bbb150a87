import { describe, expect, test } from '@jest/globals';
import {
  BARE,
  BOTH,
  complete,
  FULL,
  findAll,
  list,
  messages,
  NEXT,
  RATED,
  START,
  THIRD,
} from '../../../factories/findings.ts';
import type { SheetCell } from '../../../factories/hazardLog.ts';

// Logs in which a rule finds nothing, beside the most similar ones in which it does.

describe('a log without hazards', () => {
  test.each([
    ['with the columns of a log', [...BOTH, 'Controls', 'Owner', 'Evidence', 'Status', 'Review date']],
    ['without them', BARE],
  ])('with %s has no findings', async (_what, head) => {
    expect(await list({ rows: [head] })).toEqual([]);
  });

  test('does not match the number in a report', async () => {
    const rows = [[...BARE, 'Status', 'Review date']];
    expect(await list({ rows, report: 'There are 2 hazards.' })).toEqual([
      'fix report-count-differs (3.3.3) log A2: 0 → 2',
    ]);
    expect(await list({ rows, report: 'There are no hazards.' })).toEqual([]);
  });
});

describe('ratings', () => {
  const blank = (row: SheetCell[], ...rating: SheetCell[]) => [...row, ...rating];

  test('that are blank throughout are reported once, not per column', async () => {
    const rows = complete(RATED, blank(START, '', '', null), blank(NEXT, '', '', null));
    expect(await list({ rows })).toEqual(['fix no-ratings (4.4.1) log A1']);
  });

  test.each([
    ['severity', ['', 'Low', 3], ['fix missing-severity (4.4.1) H1 E2']],
    ['likelihood', ['Major', '', 3], ['fix missing-likelihood (4.4.1) H1 F2']],
    ['risk', ['Major', 'Low', null], ['fix missing-risk (4.4.1) H1 G2']],
  ] as [string, SheetCell[], string[]][])('that lack a %s are reported per hazard', async (_what, rating, found) => {
    expect(await list({ rows: complete(RATED, [...START, ...rating], [...NEXT, 'Major', 'Low', 3]) })).toEqual(found);
  });

  test.each([
    [1, 'H1: initial severity is blank', 'Initial severity is blank for H1. '],
    [4, 'Initial severity is blank in 4 hazards', 'Initial severity is blank in H1, H2, H3 and H4. '],
    [
      5,
      'Initial severity is blank in all 5 hazards',
      'The column is there and empty: initial severity is blank in all 5 hazards. ',
    ],
  ])('that lack a severity in %i of five hazards are reported as “%s”', async (count, title, message) => {
    const rows = [1, 2, 3, 4, 5].map((at): SheetCell[] => [
      ...[`H${at}`, `Hazard of kind ${'abcde'[at - 1]}`, 'Cause', 'Harm'],
      ...(at <= count ? ['', 'Low', 3] : ['Major', 'Low', 3]),
    ]);
    expect(await findAll({ rows: complete(RATED, ...rows) })).toMatchObject([
      { title, message: `${message}Severity, likelihood and risk are estimated for each hazard.` },
    ]);
  });

  test('of rows with only a likelihood differ from those with both', async () => {
    const rows = complete(RATED, [...START, 'Major', 'Low', 3], ['H1', 'Late', 'Cable', 'Delay', '', 'Low', null]);
    expect(await list({ rows }, 'ratings-differ-between-rows')).toEqual([
      'note ratings-differ-between-rows (4.4.1) H1 E2 E3: major/low; /low → null',
    ]);
  });

  test('that the matrix puts as high as after controls are no rise, whatever is recorded', async () => {
    const recorded = (risk: number) =>
      list({ rows: complete(BOTH, [...START, 'Major', 'Low', 1, 'Major', 'Low', risk]) }, 'residual-above-initial');
    expect(await recorded(2)).toEqual([]);
    expect(await recorded(4)).toEqual([]);
  });
});

describe('a likelihood that may be that of the fault', () => {
  const rule = 'likelihood-rates-the-fault';
  const said = 'The failure is unlikely';

  test.each([
    ['Rationale', 'K2'],
    ['Notes', 'K2'],
  ])('is looked for in the column %s', async (column, cell) => {
    const row = (text: string) => [...START, 'Major', 'Low', 3, 'Major', 'Very Low', 2, text];
    const found = (text: string) => list({ rows: [[...BOTH, column], row(text)] }, rule);
    expect(await found(said)).toEqual([
      `check ${rule} (4.4.1) H1 ${cell}: failure is unlikely → the likelihood of the harm, with controls in place`,
    ]);
    expect(await found('The harm is unlikely')).toEqual([]);
  });
});

describe('ids', () => {
  test('of rows that share the first line of their description are no drag error if the log gives none', async () => {
    const head = ['ID', 'Hazard Description', 'Causes', 'Effect'];
    const row = (id: string, second: string) => [id, `Late\n${second}`, 'a', 'x'];
    const rule = 'id-counted-up-by-dragging';
    expect(await list({ rows: [head, row('H1', 'one'), row('H2', 'two')] }, rule)).toHaveLength(1);
    expect(await list({ rows: [head, row('', 'one'), row('', 'two')] }, rule)).toEqual([]);
    expect(await list({ rows: [head, row('Row 2', 'one'), row('', 'two')] }, rule)).toEqual([]);
  });

  test('that appear twice with one name are not reported as names, too', async () => {
    const rows = complete(BARE, ['H1', 'Late', 'a', 'x'], ['H1', 'Lost', 'b', 'x'], ['H1', 'Lost', 'c', 'x']);
    expect(await list({ rows }, 'duplicate-id', 'same-name-several-ids')).toEqual([
      'fix duplicate-id (3.3.1) H1 A2 A3: H1 → one hazard per id',
    ]);
  });

  test('are compared by their last number, even with words behind it', async () => {
    const row = (id: string) => [id, 'Late', 'a', 'x'];
    const dragged = (...ids: string[]) => list({ rows: complete(BARE, ...ids.map(row)) }, 'id-counted-up-by-dragging');
    expect(await dragged('2026-H1 (draft)', '2026-H2 (draft)')).toHaveLength(1);
    expect(await dragged('1-H', '2-H')).toHaveLength(1);
    expect(await dragged('H', 'J')).toEqual([]);
  });
});

describe('causes', () => {
  const log = (...causes: string[]) => ({
    rows: complete(
      ['Num', 'Hazard', 'Causes', 'Effect'],
      ...causes.map((cause): SheetCell[] => ['H01', 'Late', cause, 'x']),
    ),
  });
  const rule = 'cause-id-off-pattern';

  test.each([
    ['some are filled up with noughts', ['0101 a', '0102 b', '0103 c', '1004 d', '1005 e', '106 f'], '106 → 0106'],
    ['none has the usual length', ['101 a', '102 b', '103 c', '104 d', '105 e', '0106 f'], null],
    ['all are of one length', ['0101 a', '0102 b', '0103 c', '0104 d', '0105 e', '0106 f'], null],
  ])('if %s', async (_what, causes, found) => {
    expect(await list(log(...causes), rule)).toEqual(found ? [`check ${rule} (3.3.1) H01 C7: ${found}`] : []);
  });

  test.each([
    [6, '100, 101, 102, 103, 104, 105'],
    [7, '100, 101, 102, 103, 104, 105 and 1 more'],
  ])('with %i wrong in one hazard are named up to six', async (count, found) => {
    const sound = Array.from({ length: 20 }, (_, at) => `01${10 + at} a`);
    const off = Array.from({ length: count }, (_, at) => `${100 + at} b`);
    const [line] = await list(log(...sound, ...off), rule);
    expect(line).toContain(`: ${found} → 0100, 0101, 0102`);
  });

  test('with one of four for another hazard are numbered by hazard, with one of three they are not', async () => {
    const rows = (right: number) => [
      BARE,
      ...Array.from({ length: right }, (_, at): SheetCell[] => ['H01', 'A', `01${10 + at} a`, 'x', ...FULL]),
      ['H02', 'B', '0301 b', 'x', ...FULL],
    ];
    expect(await list({ rows: rows(3) }, 'cause-id-of-another-hazard')).toHaveLength(1);
    expect(await list({ rows: rows(2) }, 'cause-id-of-another-hazard')).toEqual([]);
  });
});

describe('formulas', () => {
  test('of a risk after controls may read the severity before if there is none after', async () => {
    const head = [...RATED, 'Residual Likelihood', 'Residual Risk'];
    const row = (formula: string): SheetCell[] => [...START, 'Major', 'Low', 3, 'Low', { formula, result: 3 }];
    const found = (formula: string) => list({ rows: [head, row(formula)] }, 'formula-mixes-initial-and-residual');
    expect(await found('E2*H2')).toEqual([]);
    expect(await found('E2*F2')).toEqual([
      'fix formula-mixes-initial-and-residual (6.1.4) log I2: =E2*F2 → residual severity and likelihood',
    ]);
  });

  test('of a log without a rating after controls mix nothing up', async () => {
    const rows = complete(RATED, [...START, 'Major', 'Low', { formula: 'E2*F2', result: 3 }]);
    expect(await list({ rows })).toEqual([]);
  });
});

describe('a control with a blank', () => {
  const HEAD = [...BARE, 'Controls', 'Control type', 'Action', 'Action status'];
  const rule = 'control-row-incomplete';
  const row = (at: number, ...control: string[]): SheetCell[] => [
    `H${at}${at}`,
    `Hazard of kind ${'abcdef'[at]}`,
    'Cause',
    'Harm',
    ...control,
  ];
  const whole = [0, 1, 2, 3].map((at) => row(at, 'Retry', 'Design', 'Build it', 'Done'));
  const found = (...control: string[]) => ({ rows: [HEAD, ...whole, row(4, ...control)] });

  test.each([
    [['Check', '', 'Do', 'Done'], 'F6', 'no type'],
    [['Check', 'Test', '', 'Done'], 'G6', 'no action'],
    [['Check', 'Test', 'Do', ''], 'H6', 'no action status'],
    [['Check', '', 'Do', ''], 'F6 H6', 'no type or no action status'],
    [['Check', '', '', ''], 'F6 G6 H6', 'no type, no action or no action status'],
  ])('has %j: %s', async (control, cells, says) => {
    expect(await list(found(...control), rule)).toEqual([`check ${rule} (6.3.1) H44 ${cells}`]);
    expect(await messages(found(...control), rule)).toEqual([
      `Most controls of this log say their type, action, action status. Under H44 one has ${says}, so the log does not show what is to be done, or whether it was done.`,
    ]);
  });

  test.each([
    ['Check', 'Test', 'Do', 'Done'],
    ['', '', '', ''],
    ['None', '', '', ''],
    ['N/A', '', '', ''],
  ])('has no blank with “%s”, “%s”, “%s”, “%s”', async (...control) => {
    expect(await list(found(...control), rule)).toEqual([]);
  });

  test('is compared only with rows that have a control', async () => {
    const none = [4, 5].map((at) => row(at, 'None', '', '', ''));
    const rows = [HEAD, row(0, 'Retry', 'Design', '', ''), row(1, 'Check', 'Test', '', ''), row(2, 'Show', '', '', '')];
    expect(await list({ rows: [...rows, ...none] }, rule)).toEqual([`check ${rule} (6.3.1) H22 F4`]);
  });
});

test('hazards without faults have no findings', async () => {
  const rating = ['Major', 'Low', 3, 'Major', 'Very Low', 2];
  expect(
    await list({ rows: complete(BOTH, [...START, ...rating], [...NEXT, ...rating], [...THIRD, ...rating]) }),
  ).toEqual([]);
});
