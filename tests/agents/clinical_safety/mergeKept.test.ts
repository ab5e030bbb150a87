import { describe, expect, test } from '@jest/globals';
import { formulasEndingAt } from '../../../bot/agents/clinical_safety/merge/formulaEnds.ts';
import type { Growth } from '../../../bot/agents/clinical_safety/merge/growth.ts';
import { requireKeptCells } from '../../../bot/agents/clinical_safety/merge/keptCells.ts';
import type { Grid, GridCell } from '../../../bot/agents/clinical_safety/ooxml/sheetScanner.ts';

/** Two rows under row 2; everything below moves. */
const moved: Growth = { sheet: 'Log', lastRow: 2, added: 2, shift: 2, columns: { first: 1, last: 3 } };
const unmoved: Growth = { ...moved, shift: 0 };
const nothing = () => false;
const every = { has: () => true };
const compare = (
  was: Grid,
  now: Grid | null,
  growth: Growth,
  isReplaced: (row: number, column: number) => boolean = nothing,
  changed: { has(row: number): boolean } = every,
) => requireKeptCells(was, now, growth, isReplaced, changed);

const cell = (text: string, formula: string | null = null): GridCell => ({ text, number: null, formula });
const grid = (cells: Record<string, GridCell>, name = 'Log'): Grid => {
  const rows: Grid['rows'] = [];
  for (const [address, content] of Object.entries(cells)) {
    const [row, column] = [Number(address.slice(1)), address.charCodeAt(0) - 64];
    const own = rows[row] ?? [];
    own[column] = content;
    rows[row] = own;
  }
  return { name, hidden: false, rows, merges: [] };
};
const before = grid({ A1: cell('Id'), A2: cell('H1'), B3: cell('2', 'COUNTA(A2:A2)+B4'), B4: cell('Note') });

describe('the cells that a sheet had', () => {
  test('are counted if they are the same at their new places, and formulas that lead to moved cells too', () => {
    const after = grid({
      A1: cell('Id'),
      A2: cell('H1'),
      A3: cell('H2'),
      B5: cell('2', 'COUNTA(A2:A2)+B6'),
      B6: cell('Note'),
    });
    expect(compare(before, after, moved)).toEqual({ cells: 4, formulas: 1, replaced: 0 });
    expect(compare(before, before, unmoved)).toEqual({ cells: 4, formulas: 0, replaced: 0 });
  });

  test.each([
    ['another text', { A2: cell('H9') }, '“Log”!A2'],
    ['no cell', { A1: undefined }, '“Log”!A1'],
    ['another number', { A1: { ...cell('Id'), number: 1 } }, '“Log”!A1'],
    ['another formula', { B3: cell('2', 'COUNTA(A2:A3)+B4') }, '“Log”!B3'],
    ['a value instead of a formula', { B3: cell('2') }, '“Log”!B3'],
    ['a formula instead of a value', { B4: cell('Note', 'A1') }, '“Log”!B4'],
  ])('stop the merge, with %s', (_, change, place) => {
    const cells = { A1: cell('Id'), A2: cell('H1'), B3: cell('2', 'COUNTA(A2:A2)+B4'), B4: cell('Note'), ...change };
    const after = grid(cells as Record<string, GridCell>);
    expect(() => compare(before, after, unmoved)).toThrow(
      expect.objectContaining({ code: 'cells_would_change', message: expect.stringContaining(`${place} would not`) }),
    );
  });

  test('that did not move although those of their sheet did stop it; those of another sheet stay', () => {
    expect(() => compare(before, before, moved)).toThrow('“Log”!B3');
    const other = { ...before, name: 'Other' };
    expect(compare(other, other, moved)).toEqual({ cells: 4, formulas: 0, replaced: 0 });
  });

  test('may be written over where the merge says so, on the grown sheet only', () => {
    const after = grid({ A1: cell('Id'), A2: cell('H1'), B3: cell('new'), B4: cell('Note') });
    const isReplaced = (row: number, column: number) => row === 3 && column === 2;
    expect(compare(before, after, unmoved, isReplaced)).toEqual({ cells: 3, formulas: 0, replaced: 1 });
    const other = (it: Grid) => ({ ...it, name: 'Other' });
    expect(() => compare(other(before), other(after), unmoved, isReplaced)).toThrow('“Other”!B3');
  });
});

describe('rows that are the same to the byte', () => {
  test('are counted without a look at their cells; the others are compared', () => {
    expect(compare(before, null, unmoved, nothing, { has: () => false })).toEqual({
      cells: 4,
      formulas: 0,
      replaced: 0,
    });
    const onlyLast = { has: (row: number) => row === 4 };
    expect(compare(before, grid({ B4: cell('Note') }), unmoved, nothing, onlyLast)).toMatchObject({ cells: 4 });
    expect(() => compare(before, grid({ B4: cell('Other') }), unmoved, nothing, onlyLast)).toThrow('“Log”!B4');
    expect(() => compare(before, null, unmoved, nothing, onlyLast)).toThrow('“Log”!B4');
  });
});

describe('formulas that do not count the new rows', () => {
  const ends = (formula: string, place = 'B3', name = 'Log') =>
    formulasEndingAt([grid({ [place]: cell('1', formula) }, name)], moved);

  test('end with the log’s last row, in one of its columns; their place is the one after the merge', () => {
    expect(ends('COUNTA(A1:A2)')).toEqual(['“Log”!B5']);
    expect(ends('COUNTA($C$1:$C$2)')).toEqual(['“Log”!B5']);
    expect(ends('COUNTA(log!A1:A2)', 'A1', 'Summary')).toEqual(['“Summary”!A1']);
  });

  test.each([
    ['end above it', 'COUNTA(A1:A1)'],
    ['reach over it', 'COUNTA(A1:A3)'],
    ['are to the right of the log', 'COUNTA(D1:D2)'],
    ['take single cells', 'A2+A1'],
    ['are of another sheet', 'COUNTA(Other!A1:A2)'],
  ])('are not those that %s', (_, formula) => {
    expect(ends(formula)).toEqual([]);
  });

  test('are not those of the log’s own rows', () => {
    expect(ends('SUM(A1:A2)', 'C2')).toEqual([]);
    expect(ends('SUM(Log!A1:A2)', 'C2', 'Summary')).toEqual(['“Summary”!C2']);
  });
});
