import { describe, expect, test } from '@jest/globals';
import { cellAddress } from '../../../../bot/agents/clinical_safety/ooxml/cellAddress.ts';
import { findDataRows, tableCells } from '../../../../bot/agents/clinical_safety/reading/dataRows.ts';
import type { FoundTable } from '../../../../bot/agents/clinical_safety/reading/findTable.ts';
import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { type CellSpec, makeGrid } from '../../../factories/grid.ts';

/** A table with headings in its first row, in consecutive columns. */
function tableOf(
  canonicals: CanonicalColumn[],
  rows: CellSpec[][],
  { merges = [], headerRows = [1] }: { merges?: string[]; headerRows?: number[] } = {},
): FoundTable {
  const grid = makeGrid('Log', [canonicals, ...rows], { merges });
  const columns = canonicals.map((canonical, at) => ({ canonical, header: canonical, column: at + 1 }));
  return { grid, headerRows, columns, unmatched: [], matches: [], score: 0 };
}

/** The data rows, counted from the first one below the headings. */
function dataRowsOf(canonicals: CanonicalColumn[], rows: CellSpec[][], merges: string[] = []): number[] {
  const table = tableOf(canonicals, rows, { merges });
  return findDataRows(table, tableCells(table)).map((row) => row - 1);
}

describe('the cells of a table', () => {
  const cells = tableCells(
    tableOf(
      ['id', 'name', 'existing_controls', 'existing_controls'],
      [
        [' H1 ', 'A', 'first', 'second'],
        [null, 'B', 3],
        [null, 'C'],
      ],
      { merges: ['A2:A4'] },
    ),
  );

  test('are found by the meaning of their column; of two such columns the first counts', () => {
    expect(cells.text(2, 'id')).toBe('H1');
    expect(cells.cell(2, 'id')?.text).toBe(' H1 ');
    expect(cells.text(2, 'existing_controls')).toBe('first');
    expect(cells.cell(3, 'existing_controls')?.number).toBe(3);
    expect(cells.columnOf('existing_controls')).toBe(3);
    expect([cells.has('name'), cells.has('owner')]).toEqual([true, false]);
  });

  test('are empty if the table has no such column, row or cell', () => {
    expect(cells.cell(2, 'owner')).toBeUndefined();
    expect(cells.text(2, 'owner')).toBe('');
    expect(cells.text(9, 'name')).toBe('');
    expect(cells.text(4, 'existing_controls')).toBe('');
    expect(cells.columnOf('owner')).toBeNull();
  });

  test('have the value of the first cell if merged', () => {
    expect([2, 3, 4, 5].map((row) => cells.text(row, 'id'))).toEqual(['H1', 'H1', 'H1', '']);
    expect([2, 3, 4].map((row) => cells.text(row, 'name'))).toEqual(['A', 'B', 'C']);
  });

  test('have a position, in the first column if the table has none of that name', () => {
    expect(cells.place(3, 'name')).toEqual({ sheet: 'Log', cell: 'B3' });
    expect(cells.place(3, 'owner')).toEqual({ sheet: 'Log', cell: 'A3' });
    const right = tableOf([], []);
    const later = { ...right, columns: [{ canonical: 'name' as const, header: 'x', column: 4 }] };
    expect(tableCells(later).place(3, 'owner').cell).toBe('D3');
    expect(tableCells(right).place(3, 'owner').cell).toBe('A3');
  });

  test('of a merged block have the value of its corner', () => {
    const block = tableCells(
      tableOf(
        ['id', 'name', 'cause'],
        [
          ['H1', 'x', 'own'],
          [null, null, 'c'],
        ],
        { merges: ['A2:B3'] },
      ),
    );
    expect([block.text(3, 'id'), block.text(3, 'name'), block.text(3, 'cause')]).toEqual(['H1', 'H1', 'c']);
    // A cell's own value takes precedence.
    expect(block.text(2, 'name')).toBe('x');
  });

  test('stand alone if the merged block starts in the headings', () => {
    const merged = (merges: string[], headerRows: number[]) =>
      tableCells(
        tableOf(
          ['id', 'name'],
          [
            ['H1', 'A'],
            [null, 'B'],
          ],
          { merges, headerRows },
        ),
      ).text(3, 'id');
    expect(merged(['A2:A3'], [1])).toBe('H1');
    expect(merged(['A2:A3'], [1, 2])).toBe('');
    expect(merged(['A1:A3'], [1])).toBe('');
    expect(merged(['A1:A3'], [])).toBe('id');
  });

  test('stand alone if the merged block has more than 20,000 cells', () => {
    const merged = (range: string) =>
      tableCells(
        tableOf(
          ['id', 'name'],
          [
            ['H1', 'A'],
            [null, 'B'],
          ],
          { merges: [range] },
        ),
      ).text(3, 'id');
    expect(merged('A2:A20001')).toBe('H1');
    expect(merged('A2:A20002')).toBe('');
    expect(merged('A2:B10001')).toBe('H1');
    expect(merged('A2:B10002')).toBe('');
  });

  test('stand alone beyond half a million merged ones, except in a block that still fits', () => {
    const blocks = (count: number) =>
      Array.from({ length: count }, (_, at) => `${cellAddress(2, at + 3)}:${cellAddress(20_001, at + 3)}`);
    const merged = (...merges: string[]) => {
      const cells = tableCells(tableOf(['id', 'name'], [['H1', 'A']], { merges }));
      return [cells.text(3, 'id'), cells.text(3, 'name')];
    };
    expect(merged(...blocks(24), 'A2:A3', 'B2:B20001')).toEqual(['H1', '']);
    expect(merged(...blocks(24), 'B2:B20001', 'A2:A3')).toEqual(['', 'A']);
    expect(merged(...blocks(24), 'B2:B20000', 'A2:A3')).toEqual(['', 'A']);
    expect(merged(...blocks(24), 'B2:B19999', 'A2:A3')).toEqual(['H1', 'A']);
  });
});

describe('the rows of a log', () => {
  const WIDE: CanonicalColumn[] = ['id', 'name', 'description', 'cause', 'owner'];
  const FULL = ['H1', 'Wrong dose', 'Text', 'Cause', 'Ada'];

  test.each<[what: string, row: CellSpec[], is: boolean]>([
    ['an id and some content', ['H1', null, null, 'Cause'], true],
    ['an id and a name', ['H1', 'A'], true],
    ['a name alone', [null, 'A'], false],
    ['a name and an owner', [null, 'A', null, null, 'Ada'], true],
    ['an id and an owner', ['H1', null, null, null, 'Ada'], false],
    ['an id alone', ['H1'], false],
    ['spaces', [' ', ' ', ' '], false],
    ['a description and two more', [null, null, 'Text', 'Cause', 'Ada'], true],
    ['a description and one more', [null, null, 'Text', 'Cause'], false],
    ['no description, id or name', [null, null, null, 'Cause', 'Ada'], false],
    ['a total', ['Total', 'Text', 'Text', 'Cause', 'Ada'], false],
    ['a total under the name', [null, 'Totals:', 'Text', 'Cause', 'Ada'], false],
    ['an id, and a total under the name', ['H1', 'Total', 'Text', 'Cause', 'Ada'], true],
  ])('need an id or a name, and content: %s', (_what, row, is) => {
    expect(dataRowsOf(WIDE, [row])).toEqual(is ? [1] : []);
  });

  test.each<CanonicalColumn>([
    'description',
    'clinical_impact',
    'cause',
    'existing_controls',
    'control_text',
    'control_design',
  ])('have content with their %s', (name) => {
    expect(dataRowsOf(['id', name, 'owner'], [['H1', 'x', null]])).toEqual([1]);
  });

  test.each<CanonicalColumn>(['owner', 'status', 'action', 'control_test', 'initial_risk', 'notes'])(
    'have no content with only their %s',
    (name) => {
      expect(dataRowsOf(['id', name, 'release'], [['H1', 'x', 'y']])).toEqual([]);
    },
  );

  test.each([
    'total',
    'Totals',
    'SUM',
    'End of log',
    'End of document',
    'end of table:',
    'Note',
    'Notes: ',
    'Key',
    'Legend',
  ])('end with lines such as “%s”', (id) => {
    expect(dataRowsOf(WIDE, [[id, ...FULL.slice(1)]])).toEqual([]);
  });
  test.each([
    'Total loss',
    'Keyed wrongly',
    'Not',
    'Notes of H1',
    'Totality',
    'Countless',
    'Subtotals of doses',
    'end of',
  ])('have ids such as “%s”', (id) => {
    expect(dataRowsOf(WIDE, [[id, ...FULL.slice(1)]])).toEqual([1]);
  });

  test.each(['Signed off by:', 'Approved by', 'AUTHORISED BY', 'Version:', 'Date of review: '])(
    'end with lines to fill in such as “%s”',
    (label) => {
      expect(dataRowsOf(WIDE, [FULL, [], [label, 'Ada Example'], ['H2', 'Late dose']])).toEqual([1, 4]);
      expect(dataRowsOf(WIDE, [FULL, [null, label, 'Ada Example', null, '3 May']])).toEqual([1]);
    },
  );
  test.each<[what: string, row: CellSpec[]]>([
    ['an id with a colon', ['H1:', 'Wrong dose']],
    ['a label with four cells', ['New:', 'Wrong dose', 'Text', 'Cause']],
    ['a name that only begins like a label', ['H1', 'Signed off by the wrong person']],
    ['a label that is the name beside an id', ['H1', 'Approved by:']],
  ])('are no lines to fill in with %s', (_what, row) => {
    expect(dataRowsOf(WIDE, [row])).toEqual([1]);
  });

  test('need one filled cell in a table of two columns', () => {
    expect(dataRowsOf(['name', 'owner'], [['A', null]])).toEqual([1]);
    expect(dataRowsOf(['name', 'owner', 'status'], [['A', null, null]])).toEqual([]);
    expect(dataRowsOf(['name'], [['A']])).toEqual([1]);
  });

  test('count content only in the columns of the table', () => {
    expect(dataRowsOf(['name', 'owner', 'status'], [['A', null, null, 'x', 'y']])).toEqual([]);
  });

  test.each<CanonicalColumn>([
    'cause',
    'control_text',
    'cause_id',
    'control_id',
    'action',
    'control_design',
    'existing_controls',
  ])('continue with a %s and another value', (name) => {
    const goesOn = (...rows: CellSpec[][]) => dataRowsOf(['id', 'description', name, 'owner'], rows);
    const first: CellSpec[] = ['H1', 'Text', 'x', 'Ada'];
    expect(goesOn(first, [null, null, 'x', 'Ben'])).toEqual([1, 2]);
    expect(goesOn(first, [null, null, 'x', 'Ben'], [null, null, 'y', 'Cy'])).toEqual([1, 2, 3]);
    // But not with nothing above, nor below a gap.
    expect(goesOn([null, null, 'x', 'Ben'], first)).toEqual([2]);
    expect(goesOn(first, [], [null, null, 'x', 'Ben'])).toEqual([1]);
  });

  test.each<[CanonicalColumn, number[]]>([
    ['cause', [1, 2, 3]],
    ['control_text', [1, 2, 3]],
    ['control_design', [1, 2, 3]],
    ['existing_controls', [1, 2, 3]],
    ['cause_id', [1]],
    ['control_id', [1]],
    ['action', [1]],
  ])('with nothing but a %s: %j', (name, rows) => {
    const table = [
      ['H1', 'Text', 'x', 'Ada'],
      [null, null, 'x'],
      [null, null, 'y', 'Ben'],
    ];
    expect(dataRowsOf(['id', 'description', name, 'owner'], table)).toEqual(rows);
  });

  test('do not continue with anything else', () => {
    expect(
      dataRowsOf(
        ['id', 'cause', 'owner', 'status'],
        [
          ['H1', 'x', 'Ada', 'Open'],
          [null, null, 'Ben', 'Open'],
        ],
      ),
    ).toEqual([1]);
  });

  test('continue below an id that is merged over them', () => {
    expect(
      dataRowsOf(
        ['id', 'cause', 'owner'],
        [
          ['H1', 'x', 'Ada'],
          [null, 'y', 'Ben'],
          [null, 'z', null],
        ],
        ['A2:A4'],
      ),
    ).toEqual([1, 2, 3]);
  });

  test('end after thirty rows without content', () => {
    const gap = (count: number) => dataRowsOf(WIDE, [FULL, ...Array.from({ length: count }, () => []), FULL, [], FULL]);
    expect(gap(29)).toEqual([1, 31, 33]);
    expect(gap(30)).toEqual([1]);
  });

  test('start below the last row of the headings', () => {
    const table = tableOf(WIDE, [FULL, FULL, FULL], { headerRows: [1, 2] });
    expect(findDataRows(table, tableCells(table))).toEqual([3, 4]);
    const none = tableOf(WIDE, [FULL], { headerRows: [] });
    // The first row repeats the headings.
    expect(findDataRows(none, tableCells(none))).toEqual([2]);
  });
});

test('a row repeats the headings whatever its white space, and not where one word differs', () => {
  const columns: CanonicalColumn[] = ['id', 'name', 'cause'];
  const table = (row: CellSpec[]) => ({
    ...tableOf(columns, [['H1', 'A', 'b'], row]),
    columns: ['Hazard id', 'Hazard name', 'Possible cause'].map((header, at) => ({
      canonical: columns[at] ?? 'id',
      header,
      column: at + 1,
    })),
  });
  const read = (row: CellSpec[]) => {
    const of = table(row);
    return findDataRows(of, tableCells(of));
  };
  expect(read([' \nHazard\n id ', 'Hazard  name', 'Possible cause'])).toEqual([2]);
  // Two of three are more than half; one is not.
  expect(read(['Hazard id', 'Hazard\u00a0name', 'Other'])).toEqual([2]);
  expect(read(['Hazard id', 'Hazard names', 'Possible causes'])).toEqual([2, 3]);
});
