import { describe, expect, test } from '@jest/globals';
import {
  cellAddress,
  columnLetters,
  columnNumber,
  formatRange,
  MAX_COLUMNS,
  MAX_ROWS,
  parseAddress,
  parseRange,
} from '../../../../bot/agents/clinical_safety/ooxml/cellAddress.ts';

describe('columns', () => {
  test.each([
    [1, 'A'],
    [2, 'B'],
    [25, 'Y'],
    [26, 'Z'],
    [27, 'AA'],
    [52, 'AZ'],
    [53, 'BA'],
    [701, 'ZY'],
    [702, 'ZZ'],
    [703, 'AAA'],
    [16_383, 'XFC'],
    [16_384, 'XFD'],
  ])('%i is %s', (column, letters) => {
    expect(columnLetters(column)).toBe(letters);
    expect(columnLetters(column)).toBe(letters);
    expect(columnNumber(letters)).toBe(column);
    expect(columnNumber(letters.toLowerCase())).toBe(column);
  });

  test('end at XFD, and rows at 1,048,576', () => {
    expect([columnLetters(MAX_COLUMNS), MAX_ROWS]).toEqual(['XFD', 2 ** 20]);
    expect(columnLetters(0)).toBe('');
    expect(columnNumber('')).toBe(0);
  });

  test('are numbered without gaps', () => {
    const all = Array.from({ length: 18_278 }, (_, at) => columnLetters(at + 1));
    expect(all.map(columnNumber)).toEqual(all.map((_, at) => at + 1));
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('addresses', () => {
  test.each([
    ['A1', 1, 1],
    ['H2', 2, 8],
    ['$H$2', 2, 8],
    ['H$2', 2, 8],
    ['$H2', 2, 8],
    ['h2', 2, 8],
    [' XFD1048576 ', 1_048_576, 16_384],
    ['AAA9999999', 9_999_999, 703],
  ])('“%s” is row %i, column %i', (text, row, column) => {
    expect(parseAddress(text)).toEqual({ row, column });
    expect(cellAddress(row, column)).toBe(text.replace(/[$ ]/g, '').toUpperCase());
  });

  test.each(['', 'A', '1', '1A', 'AAAA1', 'A12345678', 'A1:B2', '$$A1', 'A$$1', 'A-1', 'A1.5', 'Ä1'])(
    '“%s” is no address',
    (text) => {
      expect(parseAddress(text)).toBeNull();
    },
  );

  test.each([
    ['A1:S12', { top: 1, left: 1, bottom: 12, right: 19 }, 'A1:S12'],
    ['$B$3:$C$4', { top: 3, left: 2, bottom: 4, right: 3 }, 'B3:C4'],
    ['B3', { top: 3, left: 2, bottom: 3, right: 2 }, 'B3'],
    ['B3:B3', { top: 3, left: 2, bottom: 3, right: 2 }, 'B3'],
    ['B3:B4', { top: 3, left: 2, bottom: 4, right: 2 }, 'B3:B4'],
    ['A:B', null, null],
    ['A1:', null, null],
    [':A1', null, null],
    ['A1:B', null, null],
    ['A:B2', null, null],
    ['', null, null],
  ])('the range “%s”', (text, range, formatted) => {
    expect(parseRange(text)).toEqual(range);
    if (range) expect(formatRange(range)).toBe(formatted);
  });
});
