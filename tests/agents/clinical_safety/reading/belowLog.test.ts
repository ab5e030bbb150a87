import { describe, expect, test } from '@jest/globals';
import { readLogFrom } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';
import { type CellSpec, makeGrid } from '../../../factories/grid.ts';

const HEADINGS = ['Hazard ID', 'Hazard', 'Cause', 'Effect', 'Severity', 'Likelihood', 'Risk'];
const hazard = (id: CellSpec, name: string): CellSpec[] => [id, name, 'a', 'b', 'Major', 'Low', 3];

/** The ids (or names) that are read of a log with rows below its two hazards, and what is listed as not read. */
function below(rows: CellSpec[][], first: CellSpec[][] = [hazard('HAZ-1', 'Late'), hazard('HAZ-2', 'Lost')]) {
  const log = readLogFrom(
    { format: 'xlsx', grids: [makeGrid('Log', [HEADINGS, ...first, ...rows])], remarks: [] } as never,
    'log.xlsx',
  );
  return {
    hazards: log?.hazards.map(({ id, hasId, name }) => (hasId ? id : name)),
    unread: log?.findUnread().flatMap(({ what, label, note }) => (what === 'rows' ? [`${label}, ${note}`] : [])),
  };
}
const TWO = ['HAZ-1', 'HAZ-2'];

describe('a row below a log', () => {
  test.each<[string, CellSpec[]]>([
    ['Total', ['Total', 2, null, null, null, null, 6]],
    ['Total hazards', ['Total hazards', 2]],
    ['Total number of open hazards: 2', ['Total number of open hazards: 2', 'see the plan']],
    ['Grand total', ['Grand total', 2, null, null, null, null, 6]],
    ['Subtotal', ['Subtotal', 'Medication', 'all', 'all', null, null, 6]],
    ['Number of hazards', ['Number of hazards', 2]],
    ['Count', ['Count', 2, null, null, 2, 1, 3]],
    ['Total risks 2', [null, 'Total risks 2', null, null, null, null, 6]],
    ['Note 1: agreed on 3 May', ['Note 1: agreed on 3 May', 'see the minutes']],
  ])('“%s” is no hazard, and is listed', (label, row) => {
    expect(below([row])).toEqual({ hazards: TWO, unread: [`${label}, row 4`] });
  });

  test.each([
    'Total parenteral nutrition is too fast',
    'Totals of doses differ',
    'Count of tablets is wrong',
    'Number of patients is wrong',
    'Subtotal of the order is wrong',
    'Notes are lost',
    'Average heart rate is shown late',
  ])('that names a hazard is one: %s', (name) => {
    expect(below([[null, name, 'a', 'b', 'Major', 'Low', 3]]).hazards).toEqual([...TWO, name]);
    expect(below([[name, 'x', 'a', 'b', 'Major', 'Low', 3]]).hazards).toEqual([...TWO, name]);
  });
});

describe('a small list below a log', () => {
  const TERMS: CellSpec[][] = [
    ['CSO', 'Clinical Safety Officer'],
    ['EPR', 'Electronic patient record'],
  ];

  test('with headings of its own is no hazards, with a blank row above or within it and without', () => {
    expect(below([['Term', 'Meaning'], ...TERMS])).toEqual({ hazards: TWO, unread: ['Term, rows 4 to 6'] });
    const apart = below([[], ['Abbreviation:', 'Full form'], ...TERMS.slice(0, 1), [], ...TERMS.slice(1)]);
    expect(apart).toEqual({ hazards: TWO, unread: ['Abbreviation:, rows 5 to 8'] });
  });

  test('with a title is no hazards, also where its columns are not those of the log', () => {
    expect(below([['Glossary'], ...TERMS]).hazards).toEqual(TWO);
    expect(below([[null, 'Abbreviations and terms'], ...TERMS.map((row) => [null, ...row])]).hazards).toEqual(TWO);
  });

  test('of versions, people, or the words of a scale is none', () => {
    const lists: CellSpec[][][] = [
      [
        ['Version', 'Date', 'Author'],
        ['1.0', '2024-01-01', 'Ada'],
      ],
      [
        ['Name', 'Role'],
        ['Ada', 'CSO'],
      ],
      [
        ['Severity', 'Meaning'],
        ['Minor', 'Little harm'],
      ],
    ];
    for (const list of lists) expect(below(list).hazards).toEqual(TWO);
  });

  test('ends where a row is wider than the list, or has an id in the form of the log', () => {
    expect(below([['Term', 'Meaning'], ...TERMS, ['TBC', 'Wrong', 'Typo']]).hazards).toEqual([...TWO, 'TBC']);
    expect(below([['Term', 'Meaning'], ...TERMS, ['haz-3', 'Wrong']]).hazards).toEqual([...TWO, 'haz-3']);
    expect(
      below([
        ['Term', 'Meaning'],
        ['HA-3', 'High availability'],
      ]).hazards,
    ).toEqual(TWO);
  });

  test('of scores is no hazards in a log whose ids are numbers: those that it has are not new', () => {
    const numbered = [hazard(1, 'Late'), hazard(2, 'Lost')];
    const scores: CellSpec[][] = [
      ['Score', 'Meaning'],
      [1, 'Minor'],
      [2, 'Major'],
    ];
    expect(below(scores, numbered).hazards).toEqual(['1', '2']);
    expect(below([...scores, [3, 'Wrong']], numbered).hazards).toEqual(['1', '2', '3']);
  });

  test('in a log without ids is told by its headings', () => {
    const named = [hazard(null, 'Late'), hazard(null, 'Lost')];
    const right = (rows: CellSpec[][]) => rows.map((row) => [null, ...row]);
    expect(below(right([['Term', 'Meaning'], ...TERMS]), named).hazards).toEqual(['Late', 'Lost']);
    // Without them, a row of two cells may be a hazard that nobody has rated yet.
    expect(below(right([['Late again', 'Queue']]), named).hazards).toEqual(['Late', 'Lost', 'Late again']);
  });

  test('is none above the first hazard, where its words are a heading', () => {
    expect(below([], [['Term', 'Meaning'], hazard('HAZ-1', 'Late')]).hazards).toContain('HAZ-1');
  });
});
