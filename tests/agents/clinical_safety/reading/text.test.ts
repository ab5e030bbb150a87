import { describe, expect, test } from '@jest/globals';
import type { Grid } from '../../../../bot/agents/clinical_safety/ooxml/sheetScanner.ts';
import { findDelimiter, parseCsv, readCsv } from '../../../../bot/agents/clinical_safety/reading/csv.ts';
import { decodeText, looksBinary } from '../../../../bot/agents/clinical_safety/reading/decodeText.ts';
import { editDistance, matchHeader } from '../../../../bot/agents/clinical_safety/reading/matchHeader.ts';
import { CHANGE_LOG_TITLE } from '../../../../bot/agents/clinical_safety/reading/ownSheets.ts';
import {
  CELL_LIMIT,
  LONGEST_CELL,
  ReadingBudget,
} from '../../../../bot/agents/clinical_safety/reading/readingBudget.ts';
import { findVersions, sameVersion } from '../../../../bot/agents/clinical_safety/reading/versions.ts';
import { makeGrid } from '../../../factories/grid.ts';

describe('records of CSV', () => {
  test.each<[string, string[][]]>([
    ['', [['']]],
    ['a', [['a']]],
    ['a,b\n', [['a', 'b']]],
    ['a,b', [['a', 'b']]],
    [
      'a,\n,b\r\n',
      [
        ['a', ''],
        ['', 'b'],
      ],
    ],
    ['a\rb\r\n\nc', [['a'], ['b'], [''], ['c']]],
    ['a,', [['a', '']]],
    [' a , b', [[' a ', ' b']]],
    ['  "a" ,b', [['a', 'b']]],
    ['"a,b\nc""d",e', [['a,b\nc"d', 'e']]],
    ['"a" b",c', [['a" b', 'c']]],
    ['"a', [['a']]],
    ['"a"",b', [['a",b']]],
    ['"a""', [['a"']]],
    ['""', [['']]],
    ['"a"\r"b"\n"c"', [['a'], ['b'], ['c']]],
    ['"a"   ', [['a']]],
    ['a"b,c', [['a"b', 'c']]],
  ])('%j', (text, records) => {
    expect(parseCsv(text, ',')).toEqual(records);
  });

  test('are limited to the requested number', () => {
    expect(parseCsv('a\nb\nc', ',', 2)).toEqual([['a'], ['b']]);
    expect(parseCsv('a\nb\nc', ',', 0)).toEqual([]);
  });

  test.each([
    ['a,b;c\n1,2;3\n', ','],
    ['a;b\n1,5;2\n', ';'],
    ['a\tb,c\n1\t2\n', '\t'],
    ['a|b\nc|d', '|'],
    ['a\nb', null],
    ['', null],
    ['sep=;\na,b;c', ';'],
    ['SEP=|\r\na,b', '|'],
    // More columns win over fewer, and even rows over uneven ones.
    ['a,b,c;d\n1,2,3;4', ','],
    ['a;b\nc;d\ne,f,g,h;i\nj;k\nl;m', ';'],
    ['\n \na;b\nc;d', ';'],
    ['a;b\n , , \n , , \nc;d', ';'],
    // Of equally frequent lengths, the longer one counts.
    ['a;b;c\nd;e\nx\ny,z', ';'],
    // The most frequent number of columns counts for a delimiter.
    ['a;b;c\nd;e,x\nf;g,y\nh;i', ';'],
    // The score is the share of the records times the doublings of their columns plus one.
    [`${'a,b;c;d;e\n'.repeat(3)}a,b`, ';'],
    [`${'a,b;c;d;e\n'.repeat(3)}${'a,b\n'.repeat(2)}`, ','],
    ['"a,b";c', ';'],
    // Only the first twenty records count.
    [`${'a,b\n'.repeat(20)}${'a;b;c;d;e\n'.repeat(60)}`, ','],
  ])('of %j are separated by %j', (text, delimiter) => {
    expect(findDelimiter(text)).toBe(delimiter);
  });

  test('are separated by what the first 200,000 characters suggest', () => {
    const long = 'x'.repeat(30_000);
    const [comma, semicolons] = [`${long},x\n`, `${long};x;x\n`];
    expect(findDelimiter(comma.repeat(3))).toBe(',');
    expect(findDelimiter(comma.repeat(3) + semicolons.repeat(3) + comma.repeat(7))).toBe(';');
  });

  test('are read without the line that names the delimiter; one column is no table', () => {
    const budget = new ReadingBudget('file', null);
    expect(readCsv('sep=;\r\na;b\nc;d', budget)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(readCsv('a\nb', budget)).toBeNull();
    const fits = (cells: number) => {
      const left = new ReadingBudget('file', null);
      left.spendCells(CELL_LIMIT - cells);
      try {
        return readCsv('a,b\n"c",d\n', left) !== null;
      } catch {
        return false;
      }
    };
    expect([fits(4), fits(3)]).toEqual([true, false]);
    const long = (length: number) => readCsv(`b,${'a'.repeat(length)}\n`, new ReadingBudget('file', null));
    expect(long(LONGEST_CELL)).toHaveLength(1);
    expect(() => long(LONGEST_CELL + 1)).toThrow(/One cell of this file holds more/);
  });
});

describe('text in any encoding', () => {
  const utf16 = (text: string, isBig = false) => {
    const bytes = Buffer.from(text, 'utf16le');
    return new Uint8Array(isBig ? bytes.swap16() : bytes);
  };
  const joined = (...parts: (number[] | Uint8Array)[]) => new Uint8Array(parts.flatMap((part) => [...part]));

  test.each([
    ['UTF-8', new Uint8Array(Buffer.from('Größe €')), 'Größe €'],
    ['UTF-8 with its mark', joined([0xef, 0xbb, 0xbf], Buffer.from('Größe')), 'Größe'],
    ['UTF-16 with its mark', joined([0xff, 0xfe], utf16('Größe')), 'Größe'],
    ['UTF-16, big end first, with its mark', joined([0xfe, 0xff], utf16('Größe', true)), 'Größe'],
    ['UTF-16 without a mark', utf16('Hazard'), 'Hazard'],
    ['UTF-16, big end first, without a mark', utf16('Hazard', true), 'Hazard'],
    ['UTF-16 of four letters', utf16('Risk'), 'Risk'],
    ['Windows-1252', new Uint8Array([0x80, 0x93, 0xe4, 0x94, 0x9f, 0x81, 0x41]), '€“ä”Ÿ\u0081A'],
    ['a single wrong byte', new Uint8Array([0xff]), 'ÿ'],
    ['ff and something else', new Uint8Array([0xff, 0x41, 0x42]), 'ÿAB'],
    ['fe and something else', new Uint8Array([0xfe, 0x41, 0x42]), 'þAB'],
    ['half a mark of UTF-8', new Uint8Array([0xef, 0xbb, 0x41]), 'ï»A'],
    ['its first and last byte', new Uint8Array([0xef, 0x41, 0xbf]), 'ïA¿'],
    ['its last two bytes', new Uint8Array([0x41, 0xbb, 0xbf]), 'A»¿'],
    ['a letter and the second byte of a mark', new Uint8Array([0x41, 0xfe, 0x42]), 'AþB'],
    ['a letter and the second byte of the other', new Uint8Array([0x41, 0xff, 0x42]), 'AÿB'],
    ['UTF-16 with its mark, and no letter of the West', joined([0xff, 0xfe], utf16('Ωμέγα')), 'Ωμέγα'],
    ['UTF-16, big end first, with its mark, and none', joined([0xfe, 0xff], utf16('Ωμέγα', true)), 'Ωμέγα'],
    ['UTF-8 with its mark, and a wrong byte', new Uint8Array([0xef, 0xbb, 0xbf, 0x41, 0xff]), 'A\ufffd'],
    ['nothing', new Uint8Array(), ''],
  ])('%s', (_name, bytes, text) => {
    expect(decodeText(bytes)).toBe(text);
  });

  test('is UTF-16 if more than six in ten have a zero on one side and fewer than one in ten on the other', () => {
    const pairs = (zeros: number, others: number, isBig = false) =>
      joined(
        ...Array.from({ length: zeros }, () => (isBig ? [0, 0x41] : [0x41, 0])),
        ...Array.from({ length: others }, () => [0x41, 0x42]),
      );
    for (const isBig of [false, true]) {
      expect(decodeText(pairs(7, 3, isBig))).toHaveLength(10);
      expect(decodeText(pairs(6, 4, isBig))).toHaveLength(20);
    }
    const both = joined(pairs(18, 0), pairs(2, 0, true));
    expect(decodeText(both)).toHaveLength(40);
    expect(decodeText(joined(pairs(19, 0), pairs(1, 0, true)))).toHaveLength(20);
    expect(decodeText(joined(pairs(19, 0, true), pairs(1, 0)))).toHaveLength(20);
    expect(decodeText(joined(pairs(18, 0, true), pairs(2, 0)))).toHaveLength(40);
  });

  test.each([
    ['text', new Uint8Array(Buffer.from('Hazard\tlog\r\n')), false],
    ['a zero', new Uint8Array([0x41, 0, 0x42]), true],
    ['UTF-16 with a mark', new Uint8Array([0xff, 0xfe, 0x41, 0]), false],
    ['UTF-16, big end first, with a mark', new Uint8Array([0xfe, 0xff, 0, 0x41]), false],
    ['half a mark and a zero', new Uint8Array([0xff, 0x41, 0]), true],
    ['the other half and a zero', new Uint8Array([0x41, 0xfe, 0]), true],
    ['half of the other mark and a zero', new Uint8Array([0xfe, 0x41, 0]), true],
    ['its other half and a zero', new Uint8Array([0x41, 0xff, 0]), true],
    ['one control character in fifty', new Uint8Array([8, ...Array(49).fill(65)]), false],
    ['one control character in forty-nine', new Uint8Array([8, ...Array(48).fill(65)]), true],
    ['two control characters in fifty', new Uint8Array([8, 14, ...Array(48).fill(65)]), true],
    ['two tabs and breaks in fifty', new Uint8Array([9, 13, 10, ...Array(47).fill(65)]), false],
    ['two of 31 in fifty', new Uint8Array([31, 31, ...Array(48).fill(65)]), true],
    ['two spaces in fifty', new Uint8Array([32, 32, ...Array(48).fill(65)]), false],
    ['a zero after eight thousand letters', new Uint8Array([...Array(8000).fill(65), 0]), false],
    ['a zero within eight thousand letters', new Uint8Array([...Array(7999).fill(65), 0]), true],
    ['nothing', new Uint8Array(), false],
  ])('looks binary or not: %s', (_name, bytes, is) => {
    expect(looksBinary(bytes)).toBe(is);
  });
});

describe('the edit distance of two words', () => {
  test.each([
    ['hazard', 'hazard', 2, 0],
    ['hazrad', 'hazard', 2, 1],
    ['hazad', 'hazard', 2, 1],
    ['hazardd', 'hazard', 2, 1],
    ['hasard', 'hazard', 2, 1],
    ['hzarad', 'hazard', 2, 2],
    ['ahzard', 'hazard', 1, 1],
    ['control', 'cause', 2, 3],
    ['haz', 'hazard', 2, 3],
    ['', 'ab', 2, 2],
    ['', 'abcde', 2, 3],
    ['ab', '', 2, 2],
    ['abcdef', 'uvwxyz', 2, 3],
    ['abcdef', 'badcfe', 3, 3],
    ['abcdef', 'badcfe', 2, 3],
  ])('“%s” and “%s” up to %i: %i', (left, right, limit, edits) => {
    expect(editDistance(left, right, limit)).toBe(edits);
    expect(editDistance(right, left, limit)).toBe(edits);
  });

  test.each([
    ['Hazard Number', 'id', 1],
    ['Issue key', 'id', 0.7],
    ['Hazard Numbr', 'id', 0.8],
    ['Hazad Numbr', 'id', 0.7],
    ['Onwer', 'owner', 0.8],
    ['Sage', null, 0],
    ['Likelihod', 'likelihood', 0.8],
    ['Likelihood (1-5)', 'likelihood', 0.6],
    ['Hazard name as agreed', 'name', 0.6],
    ['Severity of the worst case', null, 0],
    ['Severity now then', 'severity', 0.6],
    [`Hazard name ${'x'.repeat(39)}`, 'name', 0.6],
    [`Hazard name ${'x'.repeat(40)}`, null, 0],
    ['Colour', null, 0],
    ['', null, 0],
  ])('the heading “%s” is of %s', (header, meaning, score) => {
    const match = matchHeader(header, null);
    expect(match?.meaning ?? null).toBe(meaning);
    if (match) expect(match.score).toBeCloseTo(score, 6);
  });

  test.each([
    ['Severity', 'residual', 'severity', 'residual'],
    ['Residual severity', null, 'severity', 'residual'],
    ['Initial risk', 'residual', 'risk', 'initial'],
    ['Owner', null, 'owner', null],
  ] as const)('“%s” under %s is of %s, %s', (header, group, meaning, phase) => {
    expect(matchHeader(header, group)).toMatchObject({ meaning, phase });
  });
});

describe('versions', () => {
  test.each([
    ['1', '1.0', true],
    ['1.6', '1.6.0.0', true],
    ['1.6', '1.60', false],
    ['1', '1.0.1', false],
    ['2', '1', false],
    ['01', '1', true],
  ])('%s and %s are equal: %s', (left, right, is) => {
    expect(sameVersion(left, right)).toBe(is);
    expect(sameVersion(right, left)).toBe(is);
  });

  const LOG = makeGrid('Hazard Log', [['Version', '9.9']]);
  const found = (fileName: string, ...grids: Grid[]) =>
    findVersions(fileName, [LOG, ...grids], LOG).map(
      ({ source, version, place }) => `${source} ${version} ${place?.cell ?? '-'}`,
    );

  test.each([
    ['log_v1.2.xlsx', ['file name 1.2 -']],
    ['log version 3.xlsx', ['file name 3 -']],
    ['log (v1.2.3.4).xlsx', ['file name 1.2.3.4 -']],
    ['v2 log.xlsx', ['file name 2 -']],
    ['rev2.xlsx', []],
    ['log_v1234.xlsx', []],
    ['log.xlsx', []],
  ])('in the name “%s”: %j', (fileName, versions) => {
    expect(found(fileName, makeGrid('Cover', [['x']]))).toEqual(versions);
  });

  test('are found on a cover, next to the word or one further, in sixty rows', () => {
    const blank = (count: number) => Array.from({ length: count }, () => ['']);
    expect(
      found(
        'log.xlsx',
        makeGrid('Cover', [
          ['Title', '7'],
          [' Version: ', ' 1.6 '],
        ]),
      ),
    ).toEqual(['Cover 1.6 B2']);
    expect(found('log.xlsx', makeGrid('Cover', [['', 'Document version no.', '', 'v2']]))).toEqual(['Cover 2 D1']);
    expect(found('log.xlsx', makeGrid('Cover', [['Version', '', '', '2']]))).toEqual([]);
    expect(
      found(
        'log.xlsx',
        makeGrid('Cover', [
          ['Version', 'final'],
          ['Current version', '3'],
        ]),
      ),
    ).toEqual(['Cover 3 B2']);
    expect(found('log.xlsx', makeGrid('Cover', [...blank(58), ['Version', '1']]))).toEqual(['Cover 1 B59']);
    expect(found('log.xlsx', makeGrid('Cover', [...blank(59), ['Version', '1']]))).toEqual([]);
    expect(found('log.xlsx', makeGrid('Cover', [['Conversion', '1']]))).toEqual([]);
  });

  test.each(['Version History', 'Amendments', 'Changes', 'Revisions'])(
    'are found in the last row of “%s” before a gap',
    (name) => {
      const history = makeGrid(name, [
        ['Date', 'Notes'],
        ['x', ' Version '],
        ['a', ' 1.1 '],
        ['b', '1.2'],
        ['c', ''],
        ['d', '1.3'],
      ]);
      expect(found('log.xlsx', history)).toEqual([`${name} 1.2 B4`]);
      expect(found('log.xlsx', makeGrid(name, [['Version'], ['none']]))).toEqual([]);
      expect(found('log.xlsx', makeGrid(name, [['Conversion'], ['1']]))).toEqual([]);
    },
  );

  test('are not read from the sheet of an earlier merge', () => {
    const own = (title: string) => makeGrid('Change log', [[title], ['Version'], ['7']]);
    expect(found('log.xlsx', own(CHANGE_LOG_TITLE))).toEqual([]);
    expect(found('log.xlsx', own('Changes'))).toEqual(['Change log 7 A3']);
  });

  test('are not read from the log itself, unless it is the only sheet', () => {
    expect(found('log.xlsx')).toEqual(['Hazard Log 9.9 B1']);
    expect(found('log.xlsx', makeGrid('Cover', [['x']]))).toEqual([]);
  });
});
