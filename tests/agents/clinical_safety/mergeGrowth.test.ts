import { describe, expect, test } from '@jest/globals';
import {
  type Growth,
  grownFormula,
  grownFormulaXml,
  grownList,
  grownRange,
  movedRow,
} from '../../../bot/agents/clinical_safety/merge/growth.ts';

const MAX_ROWS = 1_048_576;
/** Three rows under row 10, and everything below moved by two. */
const moved: Growth = { sheet: 'Log', lastRow: 10, added: 3, shift: 2 };
/** Three rows into existing room. */
const unmoved: Growth = { ...moved, shift: 0 };

describe('the position of a row after a merge', () => {
  test('is unchanged in the log, and shifted by the inserted rows below', () => {
    expect([1, 10, 11, 500].map((row) => movedRow(row, moved))).toEqual([1, 10, 13, 502]);
    expect([10, 11].map((row) => movedRow(row, unmoved))).toEqual([10, 11]);
  });

  test('is never past the last row of a sheet', () => {
    expect([MAX_ROWS - 2, MAX_ROWS - 1, MAX_ROWS].map((row) => movedRow(row, moved))).toEqual([
      MAX_ROWS,
      MAX_ROWS,
      MAX_ROWS,
    ]);
  });
});

describe('the extent of a range after a merge', () => {
  const grown = (top: number, bottom: number, growth = unmoved, extend = true) => {
    const range = grownRange({ top, bottom, left: 2, right: 4 }, growth, extend);
    return [range.top, range.bottom, range.left, range.right];
  };

  test('grows over the new rows if it ends with the log, and no further', () => {
    expect(grown(2, 10)).toEqual([2, 13, 2, 4]);
    expect(grown(10, 10)).toEqual([10, 13, 2, 4]);
    expect(grown(2, 12)).toEqual([2, 13, 2, 4]);
    expect(grown(2, 13)).toEqual([2, 13, 2, 4]);
    expect(grown(2, 400)).toEqual([2, 400, 2, 4]);
  });

  test('is unchanged if it ends above the log’s last row, or starts below it', () => {
    expect(grown(2, 9)).toEqual([2, 9, 2, 4]);
    expect(grown(11, 12)).toEqual([11, 12, 2, 4]);
  });

  test('only shifts if it must not grow', () => {
    expect(grown(2, 10, moved, false)).toEqual([2, 10, 2, 4]);
    expect(grown(11, 12, moved, false)).toEqual([13, 14, 2, 4]);
    expect(grown(9, 12, moved, false)).toEqual([9, 14, 2, 4]);
  });

  test('grows and shifts if it covers the log and rows below', () => {
    expect(grown(9, 12, moved)).toEqual([9, 14, 2, 4]);
    expect(grown(9, 10, moved)).toEqual([9, 13, 2, 4]);
  });
});

test('a list of ranges is computed range by range, and whole columns are left alone', () => {
  expect(grownList('A2:A10 C2:C9  E11', moved, true)).toBe('A2:A13 C2:C9 E13');
  expect(grownList('A:A 3:4', moved, true)).toBe('A:A 3:4');
});

describe('a formula after a merge', () => {
  test('follows the moved cells of its own or a named sheet, and no other', () => {
    expect(grownFormula('SUM(A2:A10)+B11', 'Log', moved)).toBe('SUM(A2:A10)+B13');
    expect(grownFormula('Log!B11+B11', 'Summary', moved)).toBe('Log!B13+B11');
    expect(grownFormula('Other!B11', 'Log', moved)).toBe('Other!B11');
    expect(grownFormula('$B$11&"B11"', 'Log', moved)).toBe('$B$13&"B11"');
  });

  test('is unchanged if nothing moved', () => {
    expect(grownFormula('B11', 'Log', unmoved)).toBe('B11');
    expect(grownFormulaXml('B11', 'Log', unmoved)).toBe('B11');
  });

  test('is read and written as XML, and keeps its own spelling if it does not change', () => {
    expect(grownFormulaXml('IF(B11&lt;3,&quot;x&quot;,1)', 'Log', moved)).toContain('IF(B13&lt;3,');
    expect(grownFormulaXml('IF(B9&#60;3,1,2)', 'Log', moved)).toBe('IF(B9&#60;3,1,2)');
    expect(grownFormulaXml('TODAY()', 'Log', moved)).toBe('TODAY()');
  });
});
