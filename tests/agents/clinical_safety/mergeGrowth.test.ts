import { describe, expect, test } from '@jest/globals';
import {
  type Growth,
  grownAreas,
  grownFormula,
  grownFormulaXml,
  grownList,
  grownPlace,
  grownPlaceXml,
  grownRange,
  movedRow,
} from '../../../bot/agents/clinical_safety/merge/growth.ts';

const MAX_ROWS = 1_048_576;
/** Three rows under row 10, and everything below moved by two. */
const moved: Growth = { sheet: 'Log', lastRow: 10, added: 3, shift: 2, columns: { first: 2, last: 6 } };
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

describe('a range beside the log', () => {
  const grown = (left: number, right: number) => grownRange({ top: 2, bottom: 10, left, right }, unmoved, true).bottom;

  test('does not grow with it; one that shares its first or last column does', () => {
    expect([grown(1, 1), grown(1, 2), grown(6, 9), grown(7, 9)]).toEqual([10, 13, 13, 10]);
  });
});

describe('whole columns that are written with their last row', () => {
  test('stay within the sheet when they move, grow, or begin below the log', () => {
    const [top, from] = [`B1:B${MAX_ROWS}`, `C11:C${MAX_ROWS}`];
    expect(grownList(`${top} ${from}`, moved, true)).toBe(`${top} C13:C${MAX_ROWS}`);
    expect(grownFormula(`SUM(${top})+SUM($C$11:$C$${MAX_ROWS})`, 'Log', moved)).toBe(
      `SUM(${top})+SUM($C$13:$C$${MAX_ROWS})`,
    );
    expect(grownAreas(`Log!$B$1:$B$${MAX_ROWS}`, moved)).toBe(`Log!$B$1:$B$${MAX_ROWS}`);
    const atEnd: Growth = { ...unmoved, lastRow: MAX_ROWS - 1 };
    expect(grownList(`B2:B${MAX_ROWS - 1}`, atEnd, true)).toBe(`B2:B${MAX_ROWS}`);
  });
});

test('a list of ranges is computed range by range, and whole columns are left alone', () => {
  expect(grownList('B2:B10 C2:C9  E11', moved, true)).toBe('B2:B13 C2:C9 E13');
  expect(grownList('A:A 3:4', moved, true)).toBe('A:A 3:4');
});

describe('the target of a link after a merge', () => {
  test.each([
    ["'Log'!A11", "'Log'!A13"],
    ['Log!A10', 'Log!A10'],
    ['LOG!$A$11:$B$12', 'LOG!$A$13:$B$14'],
    ['A11', 'A11'],
    ['Other!A11', 'Other!A11'],
    ['Total', 'Total'],
  ])('%s becomes %s', (place, expected) => {
    expect(grownPlace(place, 'Summary', moved)).toBe(expected);
  });

  test('is on its own sheet where it names none, may lack the quotes of its sheet, and is written as XML', () => {
    expect(grownPlace('A11', 'Log', moved)).toBe('A13');
    expect(grownPlace('My log!A11', 'Summary', { ...moved, sheet: 'My log' })).toBe('My log!A13');
    expect(grownPlaceXml("'R&amp;D'!A11", 'Summary', { ...moved, sheet: 'R&D' })).toBe("'R&amp;D'!A13");
    expect(grownPlaceXml('&#65;11', 'Summary', moved)).toBe('&#65;11');
    expect(grownPlace('A11', 'Log', unmoved)).toBe('A11');
  });
});

test('the areas of a name grow and move one by one, with their own marks', () => {
  const areas = (text: string, growth = moved) => grownAreas(text, growth);
  expect(areas('Log!$B$1:$F$10,Log!$B$11:$C12,Other!$B$1:$F$10')).toBe(
    'Log!$B$1:$F$13,Log!$B$13:$C14,Other!$B$1:$F$10',
  );
  expect(areas("'A, b'!$B$1:$F$11", { ...unmoved, sheet: 'A, b' })).toBe("'A, b'!$B$1:$F$13");
  expect(areas('Log!$B:$F')).toBe('Log!$B:$F');
});

describe('a formula after a merge', () => {
  test('follows the moved cells of its own or a named sheet, and no other', () => {
    expect(grownFormula('SUM(A2:A10)+B11', 'Log', moved)).toBe('SUM(A2:A10)+B13');
    expect(grownFormula('Log!B11+B11', 'Summary', moved)).toBe('Log!B13+B11');
    expect(grownFormula('Other!B11', 'Log', moved)).toBe('Other!B11');
    expect(grownFormula('$B$11&"B11"', 'Log', moved)).toBe('$B$13&"B11"');
    expect(grownFormula("log!B11+'LOG'!B11", 'Summary', moved)).toBe("log!B13+'LOG'!B13");
  });

  test('knows sheets whose names have letters of any language', () => {
    const umlaut = { ...moved, sheet: 'Gefährdungen' };
    expect(grownFormula('Gefährdungen!B11+Übersicht!B11', 'Übersicht', umlaut)).toBe('Gefährdungen!B13+Übersicht!B11');
    expect(grownFormula('Übersicht!B11', 'Log', { ...moved, sheet: 'bersicht' })).toBe('Übersicht!B11');
    expect(grownFormula('ÄB11', 'Log', moved)).toBe('ÄB11');
  });

  test('follows whole rows, and leaves times and texts alone', () => {
    expect(grownFormula('SUM(11:12)+SUM(Log!$9:$11)+SUM(Other!11:11)', 'Log', moved)).toBe(
      'SUM(13:14)+SUM(Log!$9:$13)+SUM(Other!11:11)',
    );
    expect(grownFormula('TIMEVALUE("11:12")', 'Log', moved)).toBe('TIMEVALUE("11:12")');
    expect(grownFormula('SUM(B11:B12)', 'Log', moved)).toBe('SUM(B13:B14)');
  });

  test('moves the literal target of a link, and nothing else in quotes', () => {
    const link = (place: string) => `HYPERLINK("#${place}","see Log!B11")`;
    expect(grownFormula(link('Log!B11'), 'Summary', moved)).toBe(link('Log!B13'));
    expect(grownFormula(link('B11'), 'Log', moved)).toBe(link('B13'));
    expect(grownFormula(link('B11'), 'Summary', moved)).toBe(link('B11'));
    expect(grownFormula('HYPERLINK("https://example.org/B11")', 'Log', moved)).toBe(
      'HYPERLINK("https://example.org/B11")',
    );
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
