import { describe, expect, test } from '@jest/globals';
import { findFindings } from '../../../../bot/agents/clinical_safety/findings/findFindings.ts';
import { listHazardsIn } from '../../../../bot/agents/clinical_safety/reading/listedHazards.ts';
import { readLogFrom } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';
import { analyseLog } from '../../../../bot/agents/clinical_safety/worker/analyseLog.ts';
import type { SettledPoint } from '../../../../models/contracts/clinical_safety/settledPoint.ts';
import { type CellSpec, makeGrid } from '../../../factories/grid.ts';

function read(rows: CellSpec[][], ...settled: SettledPoint[]) {
  const opened = { format: 'xlsx', grids: [makeGrid('Hazard Log', rows)], remarks: [] };
  const log = readLogFrom(opened as never, 'log.xlsx', settled);
  if (!log) throw new Error('no log');
  return log;
}
type Log = ReturnType<typeof read>;
const hazardsOf = (log: Log) => log.hazards.map(({ id, name, rowNumbers }) => [id, name, ...rowNumbers]);
const found = (log: Log, ...rules: string[]) =>
  findFindings({ log, asOf: null, report: null })
    .filter(({ rule }) => rules.length === 0 || rules.includes(rule))
    .filter(({ level }) => level !== 'note')
    .map(({ level, rule, hazardId, places }) => [level, rule, hazardId, places.map(({ cell }) => cell).join(' ')]);
const pointsOf = ({ openPoints }: Log) =>
  openPoints.map(({ id, candidates }) => [id, ...candidates.map((it) => it.id)]);
const HEAD = ['Hazard ID', 'Hazard', 'Cause', 'Harm', 'Severity', 'Likelihood', 'Risk', 'Controls'];
const rated = (id: CellSpec, name: CellSpec, cause = 'a'): CellSpec[] => [id, name, cause, 'b', 'Minor', 'Low', 1, 'c'];
const bare = (id: CellSpec, name: CellSpec, cause: string): CellSpec[] => [id, name, cause];

describe('a name that lists hazards', () => {
  test.each([
    ['• Wrong dose\n• Lost dose', ['Wrong dose', 'Lost dose']],
    ['1. Wrong dose\n2) Lost dose', ['Wrong dose', 'Lost dose']],
    ['1) Wrong dose 2) Lost dose', ['Wrong dose', 'Lost dose']],
    ['(1) Wrong dose; (2) Lost dose', ['Wrong dose', 'Lost dose']],
    ['1) Wrong dose 3) Lost dose', []],
    ['Wrong dose 1) tablets 2) liquids', []],
    ['Dose 1. 2. as before', []],
    ['• Wrong dose', []],
    ['Wrong dose\nLost dose', []],
  ])('%j lists %j', (text, names) => expect(listHazardsIn(text)).toEqual(names));

  test('is not looked for in a long text', () => {
    expect(listHazardsIn(`1) ${'x'.repeat(1900)} 2) Lost dose`)).toHaveLength(2);
    expect(listHazardsIn(`1) ${'x'.repeat(2000)} 2) Lost dose`)).toEqual([]);
  });

  const rows = [HEAD, rated('H1', '1. Wrong dose\n2. Lost dose'), rated('H2', 'Late alert')];

  test('is asked about, with the lines that would be hazards, and is one hazard to check until somebody answers', () => {
    const log = read(rows);
    expect(pointsOf(log)).toEqual([['hazards:listed', 'each', 'one']]);
    expect(log.openPoints[0]?.candidates.map(({ examples }) => examples.map(({ gives }) => gives))).toEqual([
      ['2 hazards: “Wrong dose”, “Lost dose”'],
      ['One hazard'],
    ]);
    expect(hazardsOf(log)).toEqual([
      ['H1', '1. Wrong dose\n2. Lost dose', 2],
      ['H2', 'Late alert', 3],
    ]);
    expect(found(log, 'several-hazards-in-one-cell')).toEqual([['check', 'several-hazards-in-one-cell', 'H1', 'B2']]);
  });

  test('is split where a person says that each line is a hazard, with the rating and controls of the row', () => {
    const log = read(rows, { point: 'hazards:listed', choice: 'each' });
    expect(hazardsOf(log)).toEqual([
      ['H1 (1)', 'Wrong dose', 2],
      ['H1 (2)', 'Lost dose', 2],
      ['H2', 'Late alert', 3],
    ]);
    expect(log.hazards.map(({ initial, controls }) => [initial.risk, controls.length])).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    expect(pointsOf(log)).toEqual([]);
    expect(found(log, 'duplicate-id', 'same-name-several-ids', 'several-hazards-in-one-cell')).toEqual([
      ['check', 'several-hazards-in-one-cell', 'H1 (1)', 'B2'],
    ]);
    expect(log.findUnread()).toEqual([]);
  });

  test('is one hazard, with nothing to check, where a person says so', () => {
    const log = read(rows, { point: 'hazards:listed', choice: 'one' });
    expect(log.hazards).toHaveLength(2);
    expect(found(log, 'several-hazards-in-one-cell')).toEqual([]);
  });

  test('gives each line its id where the row has as many ids as lines', () => {
    const two = [HEAD, rated('H1\nH2', 'Wrong dose\nLost dose'), rated('H3', 'Late alert')];
    expect(pointsOf(read(two))).toEqual([['hazards:listed', 'each', 'one']]);
    expect(hazardsOf(read(two, { point: 'hazards:listed', choice: 'each' }))).toEqual([
      ['H1', 'Wrong dose', 2],
      ['H2', 'Lost dose', 2],
      ['H3', 'Late alert', 3],
    ]);
  });
});

describe('ids that were counted up', () => {
  const dragged = [
    HEAD,
    rated('H1', 'Late alert'),
    bare('H2', 'Late alert', 'second'),
    bare('H3', null, 'third'),
    [null, null, 'fourth'],
    rated('H7', 'Wrong dose'),
  ];

  test('while the name stayed, or is blank, are one hazard with one finding, and asked about', () => {
    const log = read(dragged);
    expect(hazardsOf(log)).toEqual([
      ['H1', 'Late alert', 2, 3, 4, 5],
      ['H7', 'Wrong dose', 6],
    ]);
    expect(log.hazards[0]?.causes.map(({ text }) => text)).toEqual(['a', 'second', 'third', 'fourth']);
    expect(found(log).filter(([, rule]) => rule !== 'missing-residual')).toEqual([
      ['fix', 'id-counted-up-by-dragging', 'H1', 'A2 A3 A4'],
    ]);
    expect(pointsOf(log)).toEqual([['hazards:counted-bare', 'one', 'each']]);
    expect(log.findUnread()).toEqual([]);
  });

  test('are a hazard each where a person says so', () => {
    expect(hazardsOf(read(dragged, { point: 'hazards:counted-bare', choice: 'each' }))).toEqual([
      ['H1', 'Late alert', 2],
      ['H2', 'Late alert', 3],
      ['H3', '', 4, 5],
      ['H7', 'Wrong dose', 6],
    ]);
  });

  test('are never given to a new hazard', async () => {
    const csv = [HEAD, rated('H1', 'Late alert'), bare('H2', null, 'b'), bare('H3', null, 'c')]
      .map((row) => row.join(','))
      .join('\n');
    const text = 'Allergy of the wrong patient is shown after switching records';
    const { existingHazards, newHazards } = await analyseLog({
      log: { bytes: new TextEncoder().encode(csv), fileName: 'log.csv', digest: '' },
      tickets: {
        records: ['T-1', 'T-2', 'T-3'].map((key) => ({ key, summary: text, description: `${text}. Patient harmed.` })),
        source: 'test',
        digest: '',
      },
    });
    expect(existingHazards.map(({ id }) => id)).toEqual(['H1']);
    expect(newHazards.map(({ proposedId }) => proposedId)).toEqual(['H4']);
  });

  test('over rows that are rated each are a hazard each, with one finding, and asked about', () => {
    const log = read([HEAD, rated('H1', 'Late alert'), rated('H2', 'Late alert', 'z'), rated('H9', 'Lost dose')]);
    expect(log.hazards).toHaveLength(3);
    expect(found(log, 'id-counted-up-by-dragging', 'same-name-several-ids')).toEqual([
      ['check', 'id-counted-up-by-dragging', 'H1', 'A2 A3'],
    ]);
    expect(pointsOf(log)).toEqual([['hazards:counted-whole', 'each', 'one']]);
  });

  test.each<[string, CellSpec[][]]>([
    ['the row is rated', [rated('H1', 'Late alert'), rated('H2', null)]],
    ['the id jumps', [rated('H1', 'Late alert'), bare('H3', null, 'b')]],
    ['the id is of another kind', [rated('H1', 'Late alert'), bare('K2', null, 'b')]],
    ['a row lies between', [rated('H1', 'Late alert'), [], bare('H2', null, 'b')]],
    ['the row above is not rated either', [bare('H1', 'Late alert', 'a'), bare('H2', null, 'b')]],
  ])('are not assumed under a blank name where %s', (_, rows) => {
    const log = read([HEAD, ...rows]);
    expect(log.counted).toEqual([]);
    expect(log.hazards).toHaveLength(2);
  });
});

test('one id under two names is two hazards and one finding, however many rows each has', () => {
  const log = read([HEAD, rated('H1', 'Late alert'), bare('H1', 'Lost dose', 'b'), bare('H1', 'Lost dose', 'c')]);
  expect(hazardsOf(log)).toEqual([
    ['H1', 'Late alert', 2],
    ['H1', 'Lost dose', 3, 4],
  ]);
  expect(found(log, 'duplicate-id')).toEqual([['fix', 'duplicate-id', 'H1', 'A2 A3']]);
});
