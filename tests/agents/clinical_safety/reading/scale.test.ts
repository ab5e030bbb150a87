import { describe, expect, test } from '@jest/globals';
import { productMatrix, type RatedRow, readScale } from '../../../../bot/agents/clinical_safety/reading/scale.ts';
import { type CellSpec, makeGrid } from '../../../factories/grid.ts';

const row = (severity: string | number, likelihood: string | number, risk: number | null = null): RatedRow => ({
  severity: String(severity),
  likelihood: String(likelihood),
  risk,
});
const OWN: CellSpec[][] = [
  ['High', 3, 4, 5],
  ['Medium', 2, 3, 4],
  ['Low', 1, 2, 3],
  [null, 'Minor', 'Major', 'Fatal'],
];
const NUMBERED: CellSpec[][] = [
  [null, null, 'Severity'],
  [null, null, 1, 2, 3, 4, 5],
  ['Likelihood', 5, 2, 3, 4, 4, 4],
  [null, 4, 2, 2, 3, 4, 4],
  [null, 3, 1, 2, 3, 3, 4],
  [null, 2, 1, 2, 2, 3, 3],
  [null, 1, 1, 1, 1, 2, 2],
];
const of = (rows: RatedRow[], own: CellSpec[][] = []) => {
  const { source, basis } = readScale(own.length > 0 ? [makeGrid('Matrix', own)] : [], rows, null).matrix;
  return basis ? `${source}, ${basis}` : source;
};
const repeated = (times: number, rated: RatedRow) => Array.from({ length: times }, () => rated);

describe('the matrix of a log', () => {
  test.each<[string, RatedRow[], CellSpec[][], string]>([
    ['words, and a matrix in the file', [row('Major', 'Low', 2)], OWN, 'log, stated'],
    [
      'words, a matrix in the file, and four other risks recorded',
      repeated(4, row('Major', 'Low', 5)),
      OWN,
      'log, stated',
    ],
    [
      'words, a matrix in the file, and five other risks recorded',
      repeated(5, row('Major', 'Low', 5)),
      OWN,
      'log, contradicted',
    ],
    ['no ratings, and a matrix in the file', [], OWN, 'log, stated'],
    ['numbers, and a matrix of numbers in the file', repeated(9, row(3, 4, 3)), NUMBERED, 'log, stated'],
    [
      'numbers that are multiplied, though the file has another matrix',
      repeated(9, row(3, 4, 12)),
      NUMBERED,
      'numeric, consistent',
    ],
    [
      'words that the file’s matrix does not know',
      [row('Severe', 'High'), row('Severe', 'Often')],
      OWN,
      'nhs, assumed',
    ],
    ['NHS words, and risks that follow', repeated(3, row('Major', 'Low', 3)), [], 'nhs, consistent'],
    ['NHS words, and two risks that follow', repeated(2, row('Major', 'Low', 3)), [], 'nhs, assumed'],
    ['NHS words without risks', [row('Major', 'Low')], [], 'nhs, assumed'],
    [
      'NHS words, and four risks of five that follow',
      [...repeated(4, row('Major', 'Low', 3)), row('Major', 'Low', 1)],
      [],
      'nhs, consistent',
    ],
    [
      'NHS words, and three risks of five that follow',
      [...repeated(3, row('Major', 'Low', 3)), ...repeated(2, row('Major', 'Low', 1))],
      [],
      'nhs, assumed',
    ],
    [
      'NHS words, and two risks of five that follow',
      [...repeated(2, row('Major', 'Low', 3)), ...repeated(3, row('Major', 'Low', 1))],
      [],
      'none',
    ],
    ['NHS words, and none of four risks that follows', repeated(4, row('Major', 'Low', 1)), [], 'nhs, assumed'],
    ['NHS words, and a risk of 6', [...repeated(9, row('Major', 'Low', 3)), row('Major', 'Low', 6)], [], 'none'],
    [
      'NHS words with numbers that are multiplied',
      repeated(3, row('4 - Major', '2 - Low', 8)),
      [],
      'numeric, consistent',
    ],
    [
      'NHS words with numbers, and risks of the NHS',
      repeated(3, row('4 - Major', '2 - Low', 3)),
      [],
      'nhs, consistent',
    ],
    ['numbers that are multiplied', repeated(3, row(4, 2, 8)), [], 'numeric, consistent'],
    ['numbers without risks', [row(4, 2)], [], 'numeric, assumed'],
    ['numbers, and risks that are no product', repeated(5, row(4, 2, 6)), [], 'none'],
    ['numbers, and four risks that are no product', repeated(4, row(4, 2, 6)), [], 'numeric, assumed'],
    ['words of its own', [row('Nasty', 'Often')], [], 'none'],
    ['one word of its own', [row('Nasty', 'Low')], [], 'nhs, assumed'],
    ['risks alone', [row('', '', 12)], [], 'none'],
    ['severities alone, in words of the NHS', [row('Major', '', 3)], [], 'nhs, assumed'],
    ['nothing', [], [], 'nhs, assumed'],
  ])('%s', (_what, rows, own, matrix) => {
    expect(of(rows, own)).toBe(matrix);
  });

  test('is that one of several that gives more of the recorded risks', () => {
    const other = OWN.map((cells) => cells.map((cell) => (typeof cell === 'number' ? cell + 1 : cell)));
    const grids = [makeGrid('Old', other), makeGrid('New', OWN)];
    expect(readScale(grids, repeated(3, row('Major', 'Low', 2)), null).matrix.place?.sheet).toBe('New');
    expect(readScale(grids, repeated(3, row('Major', 'Low', 3)), null).matrix.place?.sheet).toBe('Old');
  });

  test('of numbers has as many steps as are used, and five at least', () => {
    const steps = (rows: RatedRow[]) => readScale([], rows, null).matrix.severities.length;
    expect([
      steps([row(3, 2)]),
      steps([row(3, 6)]),
      steps([row(10, 1)]),
      steps([row(11, 1), row(2, 2), row(2, 3)]),
    ]).toEqual([5, 6, 10, 5]);
    expect(readScale([], [row(6, 6)], null).matrix.name).toContain('1–36');
    expect(productMatrix(6).cells[0]).toEqual([6, 12, 18, 24, 30, 36]);
  });

  test('that there is none says why', () => {
    const why = (rows: RatedRow[]) => readScale([], rows, null).matrix.name;
    expect(why([row('Major', 'Low', 6)])).toContain('risks above 5 are recorded');
    expect(why(repeated(5, row('Major', 'Low', 1)))).toContain('most recorded risks are not those of the NHS matrix');
    expect(why(repeated(5, row(4, 2, 6)))).toContain('not severity times likelihood');
    expect(why([row('', '', 12)])).toContain('no pair of severity and likelihood');
    expect(why([row('Nasty', 'Often')])).toContain('the rating words of this log');
  });
});
