import { describe, expect, test } from '@jest/globals';
import type { Grid } from '../../../../bot/agents/clinical_safety/ooxml/sheetScanner.ts';
import {
  type FoundTable,
  findHazardTable,
  isHazardTable,
} from '../../../../bot/agents/clinical_safety/reading/findTable.ts';
import { CHANGE_LOG, CHANGE_LOG_TITLE } from '../../../../bot/agents/clinical_safety/reading/ownSheets.ts';
import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { type CellSpec, makeGrid } from '../../../factories/grid.ts';

/** Four headings that each count one point; "Sheet" says nothing about a sheet's purpose. */
const PLAIN = ['Hazard ID', 'Hazard name', 'Cause', 'Effect'];
const found = (...grids: Grid[]) => findHazardTable(grids);
const tableOf = (rows: CellSpec[][], merges: string[] = []) =>
  found(makeGrid('Sheet', rows, { merges }))?.table ?? null;
/** "B residual_risk" for each column, in order. */
const columnsOf = (table: FoundTable | null) =>
  table?.columns.map(({ canonical, column }) => `${column} ${canonical}`).join(', ') ?? null;
const unmatchedOf = (table: FoundTable | null) => table?.unmatched.map(({ header, column }) => `${column} ${header}`);
const blank = (count: number): CellSpec[][] => Array.from({ length: count }, () => []);
const filled = (count: number): CellSpec[][] => Array.from({ length: count }, () => ['x', 'y']);

describe('a table of hazards', () => {
  const is = (names: CanonicalColumn[], header = 'x') =>
    isHazardTable({ columns: names.map((canonical) => ({ canonical, header, column: 1 })) } as unknown as FoundTable);
  test.each<[CanonicalColumn[], string, boolean]>([
    [['id', 'cause', 'clinical_impact'], 'x', true],
    [['name', 'cause', 'clinical_impact'], 'x', true],
    [['description', 'cause', 'clinical_impact'], 'x', true],
    [['owner', 'cause', 'clinical_impact'], 'x', false],
    [['id', 'cause', 'notes'], 'x', false],
    [['id', 'cause', 'notes'], 'Hazards of', true],
    [['id', 'name', 'notes'], 'Hazards of', false],
    [['id', 'cause'], 'Hazard', false],
    [['id', 'existing_controls', 'existing_controls'], 'Hazard', false],
    [['id', 'initial_severity', 'residual_severity'], 'x', false],
    [['id', 'initial_likelihood', 'residual_likelihood'], 'x', false],
    [['id', 'initial_risk', 'residual_risk'], 'x', false],
    [['id', 'existing_controls', 'control_text'], 'x', false],
  ])('%j under “%s”: %s', (names, header, isOne) => {
    expect(is(names, header)).toBe(isOne);
  });

  test.each<CanonicalColumn>([
    'clinical_impact',
    'initial_severity',
    'residual_severity',
    'initial_likelihood',
    'residual_likelihood',
    'initial_risk',
    'residual_risk',
    'existing_controls',
    'control_text',
    'control_design',
    'control_training',
    'control_business',
  ])('names hazards, causes and %s', (name) => {
    expect(is(['id', 'cause', name])).toBe(true);
  });

  test.each<CanonicalColumn>(['control_test', 'action', 'owner', 'status', 'evidence'])(
    'needs more than hazards, causes and %s',
    (name) => {
      expect(is(['id', 'cause', name])).toBe(false);
    },
  );

  test('names a hazard in any of its headings', () => {
    const columns = [
      { canonical: 'id', header: 'ID', column: 1 },
      { canonical: 'name', header: 'The HAZARD', column: 2 },
      { canonical: 'cause', header: 'Cause', column: 3 },
    ];
    expect(isHazardTable({ columns } as unknown as FoundTable)).toBe(true);
  });
});

describe('the headings of a table', () => {
  test('are read with single spaces, and unknown ones are listed in order', () => {
    const table = tableOf([['', 'Moon', ' Hazard \n ID ', 'Hazard name', 'Colour', 'Cause', 'Effect']]);
    expect(table).toMatchObject({
      headerRows: [1],
      columns: [
        { canonical: 'id', header: 'Hazard ID', column: 3 },
        { canonical: 'name', header: 'Hazard name', column: 4 },
        { canonical: 'cause', column: 6 },
        { canonical: 'clinical_impact', column: 7 },
      ],
      unmatched: [
        { header: 'Moon', column: 2 },
        { header: 'Colour', column: 5 },
      ],
    });
    expect(table?.score).toBeCloseTo(4 - 2 * 0.05, 9);
  });

  test('are sorted from left to right', () => {
    expect(columnsOf(tableOf([['Effect', 'Cause', 'Hazrd ID', 'Hazard name']]))).toBe(
      '1 clinical_impact, 2 cause, 3 id, 4 name',
    );
  });

  test('with the same meaning: the best counts, the first of equals, and the last of justifications', () => {
    const table = tableOf([
      [...PLAIN, 'Ownr', 'Owner', 'Owner', 'Rationale', 'Justification', 'Owner of all', 'Status', 'State'],
    ]);
    expect(columnsOf(table)).toBe('1 id, 2 name, 3 cause, 4 clinical_impact, 6 owner, 9 rationale, 11 status');
    expect(unmatchedOf(table)).toEqual(['5 Ownr', '7 Owner', '8 Rationale', '10 Owner of all', '12 State']);
  });

  test('reach to column 256', () => {
    const wide = (column: number) => tableOf([[...PLAIN, ...Array(column - 5).fill(null), 'Owner']]);
    expect(columnsOf(wide(256))).toContain('256 owner');
    expect(columnsOf(wide(257))).not.toContain('owner');
    expect(unmatchedOf(wide(257))).toEqual([]);
    // A heading in the row above has the same limit.
    const above = (column: number) =>
      tableOf([
        [...Array(column - 1).fill(null), 'Owner'],
        [...PLAIN, ...Array(column - 5).fill(null), null],
      ]);
    expect(columnsOf(above(256))).toContain('256 owner');
    expect(columnsOf(above(257))).not.toContain('owner');
  });

  test('need two', () => {
    expect(tableOf([['Hazard ID'], ['H1']])).toBeNull();
    expect(tableOf([])).toBeNull();
  });

  test('may be in the row above, if a cell spans both', () => {
    const table = tableOf([
      ['Hazard  ID', 'Hazard\nname', 'Colour', 'Owner'],
      [null, null, null, 'Status', 'Cause', 'Effect'],
    ]);
    expect(table).toMatchObject({
      headerRows: [1, 2],
      columns: [
        { canonical: 'id', header: 'Hazard ID', column: 1 },
        { canonical: 'name', header: 'Hazard name', column: 2 },
        { canonical: 'status', column: 4 },
        { canonical: 'cause', column: 5 },
        { canonical: 'clinical_impact', column: 6 },
      ],
      unmatched: [{ header: 'Colour', column: 3 }],
    });
  });

  test('in the row above don’t count if each column has its own below', () => {
    expect(tableOf([['A title', 'Owner'], PLAIN])?.headerRows).toEqual([2]);
  });

  test('in the row above may continue to the right of those below', () => {
    const table = tableOf([[null, null, null, null, 'Owner'], PLAIN]);
    expect(table?.headerRows).toEqual([1, 2]);
    expect(columnsOf(table)).toContain('5 owner');
  });
});

describe('groups above headings', () => {
  const RATINGS = ['Severity', 'Likelihood', 'Severity', 'Likelihood'];
  const plain = '1 id, 2 name, 3 cause, 4 clinical_impact, ';
  const grouped = `${plain}5 initial_severity, 6 initial_likelihood, 7 residual_severity, 8 residual_likelihood`;
  const swapped = `${plain}5 residual_severity, 6 residual_likelihood, 7 initial_severity, 8 initial_likelihood`;
  const four = Array(4).fill(null);

  test('extend to the next group, and say which rating is which', () => {
    const table = tableOf([
      [...four, 'Residual', null, 'Initial'],
      [...PLAIN, ...RATINGS],
    ]);
    expect(columnsOf(table)).toBe(swapped);
    expect(table?.headerRows).toEqual([1, 2]);
  });

  test('extend as far as their merged cell', () => {
    const rows = (first: string, second: string) => [
      [...four, first, null, second, null],
      [...PLAIN, ...RATINGS],
    ];
    expect(columnsOf(tableOf(rows('Residual', 'Initial'), ['E1:F1', 'G1:H1']))).toBe(swapped);
    // "Initial" covers only one column, so the other likelihood has no phase and is the first without.
    expect(columnsOf(tableOf(rows('Residual', 'Initial'), ['E1:F1', 'G1:G1']))).toBe(swapped);
    expect(columnsOf(tableOf(rows('Residual', ''), ['E1:E1']))).toBe(
      `${plain}5 residual_severity, 6 initial_likelihood, 7 initial_severity, 8 residual_likelihood`,
    );
  });

  test.each<[string, string[], boolean]>([
    ['over the group', ['E1:H1'], true],
    ['over the group and the row above it', ['E1:H2'], true],
    ['elsewhere in its columns', ['E2:H2', 'E3:E9'], false],
    ['beside it', ['I1:K1', 'A1:D1'], false],
  ])('with a merged cell %s', (_where, merges, isMerged) => {
    const table = tableOf(
      [
        [...four, 'Residual', 'and', null, null],
        [...PLAIN, 'Severity', 'Likelihood', 'Risk', 'Owner'],
      ],
      merges,
    );
    // Without a merged cell the group ends before the next word.
    const ratings = isMerged
      ? '5 residual_severity, 6 residual_likelihood, 7 residual_risk'
      : '5 residual_severity, 6 initial_likelihood, 7 initial_risk';
    expect(columnsOf(table)).toBe(`${plain}${ratings}, 8 owner`);
    expect(table?.headerRows).toEqual(isMerged ? [1, 2] : [2]);
  });

  test('only with a merged cell in the row above', () => {
    const table = tableOf(
      [
        [...four, 'Title'],
        [...four, 'Residual', 'and'],
        [...PLAIN, 'Severity', 'Likelihood'],
      ],
      ['E1:F1'],
    );
    expect(columnsOf(table)).toBe(`${plain}5 residual_severity, 6 initial_likelihood`);
  });

  test('of a merged cell that starts to the left apply to the columns from the word on', () => {
    const table = tableOf(
      [
        [...four, 'Residual'],
        [...PLAIN, 'Severity', 'Likelihood'],
      ],
      ['A1:F1'],
    );
    expect(columnsOf(table)).toBe(`${plain}5 residual_severity, 6 residual_likelihood`);
  });

  test('that each cover one column are no second heading row', () => {
    const table = tableOf([
      [...four, 'Residual', 'Initial', 'Owner'],
      [...PLAIN, 'Severity', 'Severity', 'Status'],
    ]);
    expect(columnsOf(table)).toBe(`${plain}5 residual_severity, 6 initial_severity, 7 status`);
    expect(table?.headerRows).toEqual([2]);
  });

  test('extend to the last heading, above or below', () => {
    const below = tableOf([
      [...four, 'Residual'],
      [...PLAIN, 'Severity', 'Likelihood', 'Risk'],
    ]);
    expect(columnsOf(below)).toBe(`${plain}5 residual_severity, 6 residual_likelihood, 7 residual_risk`);
    const one = tableOf([
      [...four, 'Residual'],
      [...PLAIN, 'Severity'],
    ]);
    expect(one?.headerRows).toEqual([2]);
  });

  test('are not headings themselves', () => {
    const table = tableOf([
      [...four, 'Initial', 'Residual risk', null],
      [...PLAIN, 'Severity', null, 'Likelihood'],
    ]);
    expect(columnsOf(table)).toBe(`${plain}5 initial_severity, 7 residual_likelihood`);
    expect(unmatchedOf(table)).toEqual([]);
  });

  test('are short: a sentence of more than sixty characters is none', () => {
    const under = (length: number) =>
      columnsOf(
        tableOf([
          [...four, `Residual ${'x'.repeat(length - 9)}`],
          [...PLAIN, 'Severity'],
        ]),
      );
    expect(under(60)).toBe(`${plain}5 residual_severity`);
    expect(under(61)).toBe(`${plain}5 initial_severity`);
  });

  test('extend over cells that contain only spaces', () => {
    const table = tableOf([
      [...four, ' Residual ', ' ', 'Initial', ' '],
      [...PLAIN, ...RATINGS],
    ]);
    expect(columnsOf(table)).toBe(swapped);
  });

  test('are in the row right above', () => {
    expect(columnsOf(tableOf([[...four, 'Residual', null, 'Initial'], [], [...PLAIN, ...RATINGS]]))).toBe(grouped);
  });

  test('turn all controls before them into existing ones, if there are controls after', () => {
    const table = tableOf([
      [...four, 'Initial', null, null, 'Residual', null],
      [...PLAIN, 'Controls', 'Design', 'Owner', 'Controls', 'Training'],
    ]);
    expect(columnsOf(table)).toBe(
      `${plain}5 existing_controls, 6 existing_controls, 7 owner, 8 control_text, 9 control_training`,
    );
    expect(unmatchedOf(table)).toEqual([]);
  });

  test('leave the controls alone if all are under one group', () => {
    expect(
      columnsOf(
        tableOf([
          [...four, 'Initial', null, null],
          [...PLAIN, 'Controls', 'Design', 'Controls'],
        ]),
      ),
    ).toBe(`${plain}5 control_text, 6 control_design, 7 control_text`);
  });

  test.each([
    ['Design', 'control_design'],
    ['Test', 'control_test'],
    ['Training', 'control_training'],
    ['Business process', 'control_business'],
    ['Controls', 'control_text'],
  ])('turn “%s” before an existing control into an existing one, but not after it', (heading, canonical) => {
    expect(columnsOf(tableOf([[...PLAIN, `Initial ${heading}`, `Residual ${heading}`]]))).toBe(
      `${plain}5 existing_controls, 6 ${canonical}`,
    );
    expect(columnsOf(tableOf([[...PLAIN, `Initial ${heading}`, heading]]))).toBe(
      `${plain}5 existing_controls, 6 ${canonical}`,
    );
    expect(columnsOf(tableOf([[...PLAIN, `Initial ${heading}`]]))).toBe(`${plain}5 ${canonical}`);
  });

  test('turn nothing else into existing controls', () => {
    expect(columnsOf(tableOf([[...PLAIN, 'Initial controls', 'Residual controls', 'Initial owner']]))).toBe(
      `${plain}5 existing_controls, 6 control_text, 7 owner`,
    );
  });
});

describe('ratings before and after controls', () => {
  test.each<[string[], string, string[]]>([
    [['Risk'], '5 initial_risk', []],
    [['Risk', 'Risk'], '5 initial_risk, 6 residual_risk', []],
    [['Risk', 'Risk', 'Risk'], '5 initial_risk, 7 residual_risk', ['6 Risk']],
    [['Initial risk', 'Risk'], '5 initial_risk, 6 residual_risk', []],
    [['Risk', 'Initial risk'], '5 residual_risk, 6 initial_risk', []],
    [['Residual risk', 'Risk'], '5 residual_risk, 6 initial_risk', []],
    [['Initial risk', 'Risk', 'Risk'], '5 initial_risk, 7 residual_risk', ['6 Risk']],
    [['Residual risk', 'Risk', 'Risk'], '5 residual_risk, 6 initial_risk', ['7 Risk']],
    [['Initial risk', 'Residual risk', 'Risk'], '5 initial_risk, 6 residual_risk', ['7 Risk']],
    [['Initial risk', 'Residual risk', 'Risk', 'Risk'], '5 initial_risk, 6 residual_risk', ['7 Risk', '8 Risk']],
    [['Initial risc', 'Initial risk'], '6 initial_risk', ['5 Initial risc']],
    [['Residual risk levle', 'Residual risk'], '6 residual_risk', ['5 Residual risk levle']],
    [['Severity', 'Likelihood', 'Risk'], '5 initial_severity, 6 initial_likelihood, 7 initial_risk', []],
    [['Likelihood', 'Likelihood'], '5 initial_likelihood, 6 residual_likelihood', []],
    [['Residual severity'], '5 residual_severity', []],
  ])('%j', (headings, ratings, unmatched) => {
    const table = tableOf([[...PLAIN, ...headings]]);
    expect(columnsOf(table)).toBe(`1 id, 2 name, 3 cause, 4 clinical_impact, ${ratings}`);
    expect(unmatchedOf(table)).toEqual(unmatched);
  });
});

describe('the search for the heading row', () => {
  const rowsOf = (rows: CellSpec[][]) => tableOf(rows)?.headerRows ?? null;

  test('covers the first hundred rows that have cells', () => {
    expect(rowsOf([...filled(99), PLAIN])).toEqual([100]);
    expect(rowsOf([...filled(100), PLAIN])).toBeNull();
    expect(rowsOf([...blank(300), ...filled(99), ...blank(300), PLAIN])).toEqual([700]);
  });

  test('prefers a better row if it is better by more than half a column', () => {
    const weak = ['Hazard ID', 'Cause', 'Effect'];
    const odd = (count: number) => Array.from({ length: count }, (_, at) => `Colour ${at}`);
    expect(rowsOf([weak, [...PLAIN, ...odd(9)]])).toEqual([2]);
    expect(rowsOf([weak, [...PLAIN, ...odd(10)]])).toEqual([1]);
    expect(rowsOf([PLAIN, weak])).toEqual([1]);
  });

  test('does not go far below the first candidate', () => {
    const weak = ['Hazard ID', 'Cause', 'Effect'];
    expect(rowsOf([weak, ...filled(12), PLAIN])).toEqual([14]);
    expect(rowsOf([weak, ...filled(13), PLAIN])).toEqual([1]);
    // The distance counts from the lower of two heading rows.
    const inTwo = [
      [null, null, 'Initial', null],
      ['Hazard ID', 'Cause', 'Severity', 'Likelihood'],
    ];
    const better = [...PLAIN, 'Owner', 'Status'];
    expect(rowsOf([...inTwo, ...filled(12), better])).toEqual([15]);
    expect(rowsOf([...inTwo, ...filled(13), better])).toEqual([1, 2]);
    // Rows above the first candidate don't count.
    expect(rowsOf([...filled(30), weak, ...filled(12), PLAIN])).toEqual([44]);
  });
});

describe('the choice among sheets', () => {
  const scoreOf = (name: string, rows: CellSpec[][] = [PLAIN], hidden = false) =>
    found(makeGrid(name, rows, { hidden }))?.table.score;

  test.each([
    ['Sheet', 4],
    ['Our Hazards', 5.5],
    ['HAZARD LOG', 7],
    ['hazardlog', 7],
    ['Hazard  log', 7],
    ['Log', 4],
    ['Template', 2],
    ['An example', 2],
    ['Old', 2],
    ['Old hazards', 3.5],
    ['Older', 4],
    ['Archive', 2],
    ['Guidance', 2],
    ['How to', 2],
    ['History', 2],
    ['Change log', 2],
    ['Hazard log template', 5],
  ])('gives one named “%s” %d', (name, score) => {
    expect(scoreOf(name)).toBe(score);
  });

  test('gives a hidden sheet three points less, and one with a row below its headings two more', () => {
    expect(scoreOf('Sheet', [PLAIN], true)).toBe(1);
    expect(scoreOf('Sheet', [PLAIN, ['H1', 'A']])).toBe(6);
    expect(scoreOf('Sheet', [PLAIN, [], [], [null, null, 'H1', 'A']])).toBe(6);
    expect(scoreOf('Sheet', [PLAIN, ['H1']])).toBe(4);
    expect(scoreOf('Sheet', [['A', 'B'], PLAIN])).toBe(4);
  });

  test('takes the best one as the log, and names the others', () => {
    const [plain, hazards] = [makeGrid('Sheet', [PLAIN]), makeGrid('Hazards', [PLAIN])];
    const nothing = makeGrid('Cover', [['A', 'B']]);
    for (const grids of [
      [nothing, plain, hazards],
      [hazards, plain, nothing],
    ]) {
      expect(found(...grids)?.table.grid.name).toBe('Hazards');
      expect(found(...grids)?.others.map(({ grid }) => grid.name)).toEqual(['Sheet']);
    }
    expect(found(nothing)).toBeNull();
    expect(found()).toBeNull();
  });

  test('skips the sheet of an earlier merge', () => {
    const own = (name: string, title: string) => found(makeGrid(name, [[title], PLAIN, ['H1', 'A']]));
    expect(own(CHANGE_LOG, CHANGE_LOG_TITLE)).toBeNull();
    expect(own(`${CHANGE_LOG} (2)`, 'Change log: hazards that Arc proposed, in other words')).toBeNull();
    expect(own(`The ${CHANGE_LOG}`, CHANGE_LOG_TITLE)).not.toBeNull();
    expect(own(CHANGE_LOG, `The ${CHANGE_LOG_TITLE}`)).not.toBeNull();
    expect(found(makeGrid(CHANGE_LOG, [[], PLAIN]))).not.toBeNull();
    expect(found(makeGrid(CHANGE_LOG, [[null, CHANGE_LOG_TITLE], PLAIN]))).not.toBeNull();
  });
});
