import { describe, expect, test } from '@jest/globals';
import {
  type Growth,
  grownFormula,
  grownFormulaXml,
  grownList,
  grownRange,
  movedRow,
} from '../../../bot/agents/clinical_safety/merge/growth.ts';

const MOST_ROWS = 1_048_576;
/** Three rows under row 10, and everything below moved by two. */
const moved: Growth = { sheet: 'Log', lastRow: 10, added: 3, shift: 2 };
/** Three rows into room that was there. */
const still: Growth = { ...moved, shift: 0 };

describe('where a row is after a merge', () => {
  test('rows of the log stay, those below move by what it took', () => {
    expect([1, 10, 11, 500].map((row) => movedRow(row, moved))).toEqual([1, 10, 13, 502]);
    expect([10, 11].map((row) => movedRow(row, still))).toEqual([10, 11]);
  });

  test('nothing moves over the last row of a sheet', () => {
    expect([MOST_ROWS - 2, MOST_ROWS - 1, MOST_ROWS].map((row) => movedRow(row, moved))).toEqual([
      MOST_ROWS,
      MOST_ROWS,
      MOST_ROWS,
    ]);
  });
});

describe('where a range is after a merge', () => {
  const grown = (top: number, bottom: number, growth = still, extend = true) => {
    const range = grownRange({ top, bottom, left: 2, right: 4 }, growth, extend);
    return [range.top, range.bottom, range.left, range.right];
  };

  test('what ends with the log grows over the new rows, and over no more', () => {
    expect(grown(2, 10)).toEqual([2, 13, 2, 4]);
    expect(grown(10, 10)).toEqual([10, 13, 2, 4]);
    expect(grown(2, 12)).toEqual([2, 13, 2, 4]);
    expect(grown(2, 13)).toEqual([2, 13, 2, 4]);
    expect(grown(2, 400)).toEqual([2, 400, 2, 4]);
  });

  test('what ends above the log’s last row, or begins below it, does not', () => {
    expect(grown(2, 9)).toEqual([2, 9, 2, 4]);
    expect(grown(11, 12)).toEqual([11, 12, 2, 4]);
  });

  test('what is not to grow only moves', () => {
    expect(grown(2, 10, moved, false)).toEqual([2, 10, 2, 4]);
    expect(grown(11, 12, moved, false)).toEqual([13, 14, 2, 4]);
    expect(grown(9, 12, moved, false)).toEqual([9, 14, 2, 4]);
  });

  test('a range over the log and what is below it does both', () => {
    expect(grown(9, 12, moved)).toEqual([9, 14, 2, 4]);
    expect(grown(9, 10, moved)).toEqual([9, 13, 2, 4]);
  });
});

test('each range of a list is counted by itself, and whole columns are left alone', () => {
  expect(grownList('A2:A10 C2:C9  E11', moved, true)).toBe('A2:A13 C2:C9 E13');
  expect(grownList('A:A 3:4', moved, true)).toBe('A:A 3:4');
});

describe('a formula after a merge', () => {
  test('follows the cells that moved, of its own sheet or named, and of no other', () => {
    expect(grownFormula('SUM(A2:A10)+B11', 'Log', moved)).toBe('SUM(A2:A10)+B13');
    expect(grownFormula('Log!B11+B11', 'Summary', moved)).toBe('Log!B13+B11');
    expect(grownFormula('Other!B11', 'Log', moved)).toBe('Other!B11');
    expect(grownFormula('$B$11&"B11"', 'Log', moved)).toBe('$B$13&"B11"');
  });

  test('stays as it is where nothing moved', () => {
    expect(grownFormula('B11', 'Log', still)).toBe('B11');
    expect(grownFormulaXml('B11', 'Log', still)).toBe('B11');
  });

  test('is read and written as XML, and keeps its own spelling where it does not change', () => {
    expect(grownFormulaXml('IF(B11&lt;3,&quot;x&quot;,1)', 'Log', moved)).toContain('IF(B13&lt;3,');
    expect(grownFormulaXml('IF(B9&#60;3,1,2)', 'Log', moved)).toBe('IF(B9&#60;3,1,2)');
    expect(grownFormulaXml('TODAY()', 'Log', moved)).toBe('TODAY()');
  });
});
