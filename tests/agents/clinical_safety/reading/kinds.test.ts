import { describe, expect, test } from '@jest/globals';
import { findFindings } from '../../../../bot/agents/clinical_safety/findings/findFindings.ts';
import { readLogFrom } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';
import { type CellSpec, makeGrid } from '../../../factories/grid.ts';

function read(rows: CellSpec[][]) {
  const opened = { format: 'xlsx', grids: [makeGrid('Hazard Log', rows)], remarks: [] };
  const log = readLogFrom(opened as never, 'log.xlsx');
  if (!log) throw new Error('no log');
  return log;
}
const hazardsOf = (rows: CellSpec[][]) =>
  read(rows).hazards.map(({ id, name, rowNumbers }) => [id, name, ...rowNumbers]);
const findingsOf = (rows: CellSpec[][], ...rules: string[]) =>
  findFindings({ log: read(rows), asOf: null, report: null })
    .filter(({ rule }) => rules.includes(rule))
    .map(({ level, rule, hazardId, places }) => [level, rule, hazardId, places.map(({ cell }) => cell).join(' ')]);

describe('modules that each count their ids from 1', () => {
  const heading = ['Module', 'ID', 'Hazard', 'Cause', 'Harm'];
  const rows: CellSpec[][] = [
    heading,
    ['Prescribing', 1, 'Wrong dose', 'a', 'b'],
    [null, 2, 'Late alert', 'a', 'b'],
    [null, 2, null, 'another cause', 'b'],
    ['Dispensing', 1, 'Wrong label', 'a', 'b'],
    [null, 2, 'Late alert', 'a', 'b'],
  ];

  test('have hazards of their own, also with the same id and name', () => {
    expect(hazardsOf(rows)).toEqual([
      ['1', 'Wrong dose', 2],
      ['2', 'Late alert', 3, 4],
      ['1', 'Wrong label', 5],
      ['2', 'Late alert', 6],
    ]);
    expect(findingsOf(rows, 'duplicate-id', 'ids-counted-by-module')).toEqual([
      ['check', 'ids-counted-by-module', null, 'B2 B5 B3 B6'],
    ]);
  });

  test('an id that comes twice in one module is still one too many', () => {
    const again: CellSpec[][] = [...rows, [null, 2, 'Lost label', 'a', 'b']];
    expect(findingsOf(again, 'duplicate-id')).toEqual([['fix', 'duplicate-id', '2', 'B6 B7']]);
  });

  test.each<[string, CellSpec[][]]>([
    ['a column of kinds', [['Category', ...heading.slice(1)], ...rows.slice(1)]],
    ['one shared id', [...rows.slice(0, 5), ['Dispensing', 3, 'Late alert', 'a', 'b']]],
    ['a module in two places', [...rows, ['Prescribing', 3, 'Lost order', 'a', 'b']]],
  ])('are not assumed for %s', (_, log) => {
    expect(read(log).modules).toBeNull();
    expect(findingsOf(log, 'ids-counted-by-module')).toEqual([]);
  });
});

describe('several hazards in one cell', () => {
  const named = (name: string): CellSpec[][] => [
    ['Hazard ID', 'Hazard', 'Cause', 'Harm'],
    ['H1', name, 'a', 'b'],
    ['H2', 'Late alert', 'a', 'b'],
  ];
  test.each(['• Wrong dose\n• Lost dose', '- Wrong dose\n\n- Lost dose', '1. Wrong dose\n2) Lost dose'])(
    'as bullets are a finding to check: %j',
    (name) =>
      expect(findingsOf(named(name), 'several-hazards-in-one-cell')).toEqual([
        ['check', 'several-hazards-in-one-cell', 'H1', 'B2'],
      ]),
  );

  test.each([
    '• Wrong dose',
    'Wrong dose:\n• tablets\n• liquids',
    'Wrong dose\nLost dose',
    '-5 °C in the fridge\n-6 °C',
  ])('are not assumed for %j', (name) => expect(findingsOf(named(name), 'several-hazards-in-one-cell')).toEqual([]));
});

describe('P1 and P2 of ISO 14971', () => {
  const rows: CellSpec[][] = [
    ['Hazard ID', 'Hazard', 'Cause', 'Harm', 'Severity', 'P1', 'P2', 'Risk'],
    ['H1', 'Wrong dose', 'a', 'b', 4, 3, 2, 24],
    ['H2', 'Late alert', 'a', 'b', 2, 3, 2, 12],
    ['H3', 'Lost order', 'a', 'b', 5, 1, 2, 11],
  ];

  const factors = (log: ReturnType<typeof read>) => log.hazards.map(({ initial }) => initial.likelihood);

  test('are read as the likelihood, and no risk is compared with a matrix of two ratings', () => {
    const log = read(rows);
    expect(log.findUnread()).toEqual([]);
    expect(log.matrix).toMatchObject({ source: 'none', name: expect.stringContaining('P1 and P2 (ISO 14971)') });
    expect(log.openPoints).toEqual([]);
    expect(log.hazards.map(({ initial }) => [initial.risk, initial.likelihood, initial.expectedRisk])).toEqual([
      [24, 'P1 3, P2 2', null],
      [12, 'P1 3, P2 2', null],
      [11, 'P1 1, P2 2', null],
    ]);
    const found = findFindings({ log, asOf: null, report: null }).map(({ level, rule }) => [level, rule]);
    expect(found.filter(([level]) => level === 'fix')).toEqual([]);
    expect(findingsOf(rows, 'risk-differs-from-matrix', 'matrix-unknown')).toEqual([
      ['check', 'matrix-unknown', null, 'A1'],
    ]);
  });

  test.each<[string, string[], (string | null)[]]>([
    [
      'a word for their phase',
      ['Severity', 'Initial P1', 'Initial P2', 'P1 after controls', 'P2 after controls'],
      ['P1 3, P2 2', 'P1 1, P2 2'],
    ],
    ['a second pair', ['Severity', 'P1', 'P2', 'P1', 'P2'], ['P1 3, P2 2', 'P1 1, P2 2']],
    ['long names', ['Severity', 'Probability (P1)', 'Probability (P2)', 'Notes', 'Owner'], ['P1 3, P2 2', null]],
    ['a total of their own', ['Severity', 'P1', 'P2', 'P = P1 x P2', 'Owner'], ['1', null]],
    ['a total beside its category', ['Severity', 'P1', 'P2', 'P1*P2', 'P'], ['2', null]],
    ['severities of the same numbers', ['S1', 'P1', 'RPN1', 'S2', 'P2'], ['3', '2']],
    ['ratings between them', ['Severity', 'P1', 'Risk', 'Residual severity', 'P2'], [null, null]],
  ])('under headings with %s', (_, headings, likelihoods) => {
    const log = read([
      ['Hazard ID', 'Hazard', 'Cause', 'Harm', ...headings],
      ['H1', 'Wrong dose', 'a', 'b', 4, 3, 2, 1, 2],
    ]);
    const [hazard] = log.hazards;
    expect([hazard?.initial.likelihood, hazard?.residual.likelihood]).toEqual(likelihoods);
  });

  test('of a hazard without them are blank, and one alone is kept', () => {
    const log = read([
      ...rows,
      ['H4', 'Late list', 'a', 'b', 2, null, 2, null],
      ['H5', 'No list', 'a', 'b', 2, null, null, 3],
    ]);
    expect(factors(log).slice(3)).toEqual(['P1 –, P2 2', null]);
  });

  test('leave the probability of harm that stands beside them to be compared', () => {
    const [heading, ...others] = rows;
    const withHarm = [
      [...(heading ?? []), 'Probability of harm'],
      ...others.map((row, at) => [...row.slice(0, 7), Number(row[4]) * (at + 1), at + 1]),
    ];
    expect(read(withHarm).hazards.map(({ initial }) => initial.expectedRisk)).toEqual([4, 4, 15]);
  });
});

describe('a priority number of severity, occurrence and detection', () => {
  const rows = (...head: string[]): CellSpec[][] => [
    ['Nr.', 'Failure mode', 'Cause', 'Effect', ...head],
    ['F1', 'Wrong dose', 'a', 'b', 9, 3, 4, 108],
    ['F2', 'Late alert', 'a', 'b', 5, 2, 5, 50],
    ['F3', 'Lost order', 'a', 'b', 8, 2, 3, 47],
  ];
  test.each([
    [['S', 'O', 'D', 'RPN']],
    [['Severity', 'Occurrence', 'Detection', 'Risk Priority Number']],
    [['Schweregrad', 'Auftreten', 'Entdeckung', 'RPZ']],
  ])('under %j has its ratings, detection listed as not read, and no risk compared', (head) => {
    const log = read(rows(...head));
    expect(log.hazards.map(({ initial }) => [initial.severity, initial.likelihood, initial.risk])).toEqual([
      ['9', '3', 108],
      ['5', '2', 50],
      ['8', '2', 47],
    ]);
    expect(log.findUnread().map(({ what, label }) => [what, label])).toEqual([['column', head[2]]]);
    expect(log.matrix.source).toBe('none');
    const found = findFindings({ log, asOf: null, report: null });
    expect(found.filter(({ level }) => level === 'fix')).toEqual([]);
    expect(found.filter(({ rule }) => rule === 'risk-differs-from-matrix')).toEqual([]);
  });
});
