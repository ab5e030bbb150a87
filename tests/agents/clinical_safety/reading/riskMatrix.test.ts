import { describe, expect, test } from '@jest/globals';
import {
  groupRows,
  readHazard,
  readRisk,
  sameId,
  sameName,
} from '../../../../bot/agents/clinical_safety/reading/readHazards.ts';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';
import { lookUpRisk, NHS_MATRIX, positionOf } from '../../../../bot/agents/clinical_safety/reading/riskMatrix.ts';
import { namesNobody, saysNothing } from '../../../../bot/agents/clinical_safety/reading/saysNothing.ts';
import { productMatrix } from '../../../../bot/agents/clinical_safety/reading/scale.ts';
import { normaliseRatingWord } from '../../../../models/contracts/clinical_safety/ratingWords.ts';

describe('the NHS matrix', () => {
  // DCB0129 4.2: rows are likelihood, columns severity.
  test.each([
    ['Very high', [3, 4, 4, 5, 5]],
    ['High', [2, 3, 3, 4, 5]],
    ['Medium', [2, 2, 3, 3, 4]],
    ['Low', [1, 2, 2, 3, 4]],
    ['Very low', [1, 1, 2, 2, 3]],
  ])('gives %j for the likelihood %s', (likelihood, risks) => {
    const severities = ['Minor', 'Significant', 'Considerable', 'Major', 'Catastrophic'];
    expect(severities.map((severity) => lookUpRisk(NHS_MATRIX, severity, likelihood))).toEqual(risks);
  });

  test('gives nothing for an unknown or a missing word', () => {
    for (const [severity, likelihood] of [
      ['Grave', 'Low'],
      ['Major', 'Often'],
      [null, 'Low'],
      ['Major', null],
      ['', 'Low'],
      ['Major', ''],
    ] as const)
      expect(lookUpRisk(NHS_MATRIX, severity, likelihood)).toBeNull();
    expect(lookUpRisk({ ...NHS_MATRIX, source: 'none' }, 'Major', 'Low')).toBeNull();
  });

  test('of numbers is their product', () => {
    for (const severity of [1, 2, 3, 4, 5])
      for (const likelihood of [1, 2, 3, 4, 5])
        expect(lookUpRisk(productMatrix(5), `${severity}`, `${likelihood}`)).toBe(severity * likelihood);
  });

  test('does not read a long text as a rating', () => {
    expect(normaliseRatingWord(` 4 - ${'x'.repeat(75)}`)).toBe('x'.repeat(75));
    expect(normaliseRatingWord(` 4 - ${'X'.repeat(76)}`)).toBe(`4 - ${'x'.repeat(76)}`);
  });
});

describe('a recorded risk', () => {
  const of = (cell: { text: string; number: number | null } | undefined) =>
    readRisk({ cell: () => cell } as unknown as Parameters<typeof readRisk>[0], 2, 'initial_risk');
  test.each([
    ['3', 3],
    ['3 - undesirable', 3],
    ['2.5', 2.5],
    [' 12 high', 12],
    ['High (3)', 3],
    ['High 3', 3],
    ['High (3   )', 3],
    ['Grade 3 of all', null],
    ['High', null],
    ['123', null],
    ['A3', null],
    ['2 to 4', 2],
    ['', null],
  ])('“%s” is %s', (text, risk) => {
    expect(of({ text, number: null })).toBe(risk);
  });
  test('is the cell’s number if it has one, and missing without a cell', () => {
    expect(of({ text: '3 - undesirable', number: 4 })).toBe(4);
    expect(of({ text: 'x', number: 0 })).toBe(0);
    expect(of(undefined)).toBeNull();
  });
});

describe('placeholder words', () => {
  test.each([
    '',
    'None',
    'n/a',
    'N/A.',
    '1) None 2) None',
    '-',
    'TBC',
    'tbd',
    'nil',
    'Not applicable',
    'to be confirmed',
    'To be agreed - none',
  ])('“%s”', (text) => {
    expect(saysNothing(text)).toBe(true);
    expect(namesNobody(text)).toBe(true);
  });
  test.each(['Retry', 'not safe', '1) Check 2) None', 'Applicable to wards', 'to be tested', 'CSO'])(
    'do not include “%s”',
    (text) => {
      expect(saysNothing(text)).toBe(false);
      expect(namesNobody(text)).toBe(false);
    },
  );
  test.each(['Unassigned', 'nobody', 'No one.', ' not yet assigned ', 'Vacant'])('“%s” names nobody', (text) => {
    expect(saysNothing(text)).toBe(false);
    expect(namesNobody(text)).toBe(true);
  });
  test('ids are compared without case and spaces, names without punctuation', () => {
    expect(sameId(' h 1\t')).toBe('H1');
    expect(sameName(' Late—Result (2) ')).toBe('late result 2');
  });
});

test('a hazard has the first text of its rows, each cause and control once, and its worst rating', async () => {
  const csv = [
    'ID,Hazard name,Hazard description,Causes,Effect,Existing controls,Severity,Likelihood,Risk,Controls,Control type,Control owner,Action status,Evidence,Owner,Status,Notes',
    'H1,,"Line one\nLine two",01 Queue,,Check,Minor,Low,1,Retry,Software,Ada,Open,T-1,,,See EPS-7 and H1',
    'H1,,,Cable,Harm,Check,Major,High,4,Retry,Other,,,,Ben,Open,EPS-8',
    'H1,,,01 Queue,Later,None,,,,Guide,Training,Cy,Done,T-3,Dee,Closed,EPS-7',
  ].join('\n');
  const log = await readLog(new Uint8Array(Buffer.from(csv)), 'log.csv');
  const [hazard] = log.hazards;
  expect(hazard).toMatchObject({
    id: 'H1',
    hasId: true,
    textPlaces: {},
    name: 'Line one',
    clinicalImpact: 'Harm',
    causes: [
      { id: '01', text: '01 Queue' },
      { id: null, text: 'Cable' },
    ],
    initial: { severity: 'Major', likelihood: 'High', risk: 4, expectedRisk: 4 },
    residual: { severity: null, likelihood: null, risk: null, expectedRisk: null },
    owner: 'Ben',
    status: 'Open',
    ticketKeys: ['EPS-7', 'EPS-8'],
    rows: { first: 2, last: 4 },
    rowNumbers: [2, 3, 4],
  });
  expect(hazard?.controls.map(({ place: _place, ...control }) => control)).toEqual([
    { text: 'Check', kind: 'existing', owner: 'Ada', status: 'Open', evidence: 'T-1' },
    { text: 'Retry', kind: 'design', owner: 'Ada', status: 'Open', evidence: 'T-1' },
    { text: 'Guide', kind: 'training', owner: 'Cy', status: 'Done', evidence: 'T-3' },
  ]);
  expect(readHazard(log, [3])).toMatchObject({ rows: { sheet: 'log.csv', first: 3, last: 3 }, name: '' });
});

test('rows with only a number count as rated, and the worst of them is used', async () => {
  const csv = 'ID,Hazard name,Cause ID,Causes,Risk\nH1 for EPS-3,A,C1,c,\n,,C2,d,2\n,,,03 e,4\n,,,4 f,3\n';
  const log = await readLog(new Uint8Array(Buffer.from(csv)), 'log.csv');
  expect(log.hazards).toHaveLength(1);
  expect(log.hazards[0]).toMatchObject({
    initial: { severity: null, likelihood: null, risk: 4, expectedRisk: null },
    causes: [
      { id: 'C1', text: 'c' },
      { id: 'C2', text: 'd' },
      { id: '03', text: '03 e' },
      { id: null, text: '4 f' },
    ],
    // A ticket key equal to the hazard's own id does not count.
    ticketKeys: [],
  });
});

describe('an incomplete hazard', () => {
  const hazardOf = async (headings: string, row: string) => {
    const log = await readLog(new Uint8Array(Buffer.from(`ID,Cause,Effect,${headings}\nH1,c,e,${row}\n`)), 'log.csv');
    return log.hazards[0];
  };
  const HEADINGS = 'Type,Owner,Status,Controls,Control owner,Action status,Evidence,Severity,Likelihood,Risk';

  test('has null for missing values', async () => {
    expect(await hazardOf(HEADINGS, ',,,Retry,,,,,,')).toMatchObject({
      type: null,
      owner: null,
      status: null,
      controls: [{ text: 'Retry', kind: 'unspecified', owner: null, status: null, evidence: null }],
      causes: [{ id: null, text: 'c' }],
      initial: { severity: null, likelihood: null, risk: null, expectedRisk: null },
    });
    expect(await hazardOf(HEADINGS, 'Data,Ada,Open,Retry,Ben,Done,T-1,Major,Low,3')).toMatchObject({
      type: 'Data',
      owner: 'Ada',
      status: 'Open',
      controls: [{ owner: 'Ben', status: 'Done', evidence: 'T-1' }],
      initial: { severity: 'Major', likelihood: 'Low', risk: 3, expectedRisk: 3 },
    });
  });

  test('is named by the first 120 characters of its description’s first line', async () => {
    const long = 'x'.repeat(121);
    expect((await hazardOf('Hazard description', `"${long}\nmore"`))?.name).toBe('x'.repeat(120));
    expect((await hazardOf('Hazard description', '"One\nTwo"'))?.name).toBe('One');
    expect(await hazardOf('Hazard description,Hazard name', 'Text,Named')).toMatchObject({
      name: 'Named',
      description: 'Text',
    });
    expect((await hazardOf('Owner', 'Ada'))?.name).toBe('');
  });
});

describe('rows of one hazard', () => {
  const group = (rows: [id: string, name: string, description?: string][], hasName = true) =>
    groupRows(
      {
        text: (row: number, column: string) =>
          (column === 'id'
            ? rows[row]?.[0]
            : column === 'name'
              ? rows[row]?.[1]
              : column === 'description'
                ? rows[row]?.[2]
                : '') ?? '',
        has: (column: string) => column === 'name' && hasName,
      } as unknown as Parameters<typeof groupRows>[0],
      rows.map((_, at) => at),
    );
  test.each<[string, [string, string, string?][], number[][], boolean?]>([
    [
      'one id and name',
      [
        ['H1', 'A'],
        ['h 1', 'a'],
      ],
      [[0, 1]],
    ],
    [
      'one id, two names',
      [
        ['H1', 'A'],
        ['H1', 'B'],
      ],
      [[0], [1]],
    ],
    [
      'one id, the second without a name',
      [
        ['H1', 'A'],
        ['H1', ''],
      ],
      [[0, 1]],
    ],
    [
      'one id, the first without a name',
      [
        ['H1', ''],
        ['H1', 'B'],
      ],
      [[0, 1]],
    ],
    [
      'one id again further down',
      [
        ['H1', 'A'],
        ['H2', 'B'],
        ['H1', 'A'],
      ],
      [[0, 2], [1]],
    ],
    [
      'no id and no name',
      [
        ['H1', 'A'],
        ['', ''],
        ['', 'A'],
      ],
      [[0, 1, 2]],
    ],
    [
      'no id and another name',
      [
        ['H1', 'A'],
        ['', 'B'],
      ],
      [[0], [1]],
    ],
    [
      'nothing above',
      [
        ['', ''],
        ['', ''],
      ],
      [[0, 1]],
    ],
    [
      'rows of an id join those of their name',
      [
        ['H1', 'A'],
        ['H1', 'B'],
        ['H1', 'A'],
        ['H1', 'B'],
      ],
      [
        [0, 2],
        [1, 3],
      ],
    ],
    [
      'descriptions, without a column of names',
      [
        ['H1', '', 'A'],
        ['', '', 'A'],
        ['', '', 'B'],
      ],
      [[0, 1], [2]],
      false,
    ],
    [
      'descriptions, with a column of names',
      [
        ['H1', '', 'A'],
        ['', '', 'B'],
      ],
      [[0, 1]],
      true,
    ],
  ])('%s', (_what, rows, groups, ...[hasName]) => {
    expect(group(rows, hasName)).toEqual(groups);
  });
});

test('a rating asked about before has its place in each list of labels, also after more ratings than are remembered', () => {
  const upwards = ['Low', 'Medium', 'High'];
  const downwards = upwards.toReversed();
  for (let round = 0; round < 2; round += 1) {
    expect([positionOf(upwards, 'High'), positionOf(downwards, 'High')]).toEqual([2, 0]);
    for (let at = 0; at < 1100; at += 1) expect(positionOf(upwards, `Word ${'x'.repeat(at % 50)}${at}`)).toBe(-1);
    expect([positionOf(upwards, 'Low'), positionOf(downwards, 'Low')]).toEqual([0, 2]);
  }
});
