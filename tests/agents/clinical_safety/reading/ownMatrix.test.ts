import { describe, expect, test } from '@jest/globals';
import { findOwnMatrices } from '../../../../bot/agents/clinical_safety/reading/ownMatrix.ts';
import { type CellSpec, makeGrid } from '../../../factories/grid.ts';

const words = (severities: string[] = [], likelihoods: string[] = []) => ({
  severities: new Set(severities),
  likelihoods: new Set(likelihoods),
});

describe('a log’s own matrix', () => {
  const ACROSS = ['Minor', 'Major', 'Severe', 'Fatal'];
  const block = [
    ['High', 3, 4, 5, 6],
    ['Medium', 2, 3, 4, 5],
    ['Low', 1, 2, 3, 4],
  ];
  const found = (rows: CellSpec[][], own = words()) =>
    findOwnMatrices([makeGrid('Matrix', rows)], own, null)[0] ?? null;
  const matrix = {
    source: 'log',
    name: '“Matrix” sheet of this workbook',
    severities: ACROSS,
    likelihoods: ['High', 'Medium', 'Low'],
    cells: [
      [3, 4, 5, 6],
      [2, 3, 4, 5],
      [1, 2, 3, 4],
    ],
  };

  test.each<[string, CellSpec[][], string]>([
    ['under it', [...block, [null, ...ACROSS]], 'B1'],
    ['over it', [[null, ...ACROSS], ...block], 'B2'],
    ['two rows under it', [...block, [null, 'Severity'], [null, ...ACROSS]], 'B1'],
    ['two rows over it', [[null, ...ACROSS], [null, 'Severity'], ...block], 'B3'],
  ])('is found with its severities %s', (_where, rows, cell) => {
    expect(found(rows)).toEqual({ ...matrix, place: { sheet: 'Matrix', cell } });
  });

  test('may have three columns', () => {
    const narrow = [...block.map((row) => row.slice(0, 4)), [null, ...ACROSS.slice(0, 3)]];
    expect(found(narrow)).toMatchObject({ severities: ACROSS.slice(0, 3), likelihoods: ['High', 'Medium', 'Low'] });
  });

  test('is found lying, with the likelihoods across', () => {
    const rows: CellSpec[][] = [
      [null, 'High', 'Medium', 'Low', 'Very low'],
      ['Minor', 3, 2, 1, 1],
      ['Major', 4, 3, 2, 1],
      ['Fatal', 5, 4, 3, 2],
    ];
    expect(found(rows)).toEqual({
      source: 'log',
      name: '“Matrix” sheet of this workbook',
      place: { sheet: 'Matrix', cell: 'B2' },
      severities: ['Minor', 'Major', 'Fatal'],
      likelihoods: ['High', 'Medium', 'Low', 'Very low'],
      cells: [
        [3, 4, 5],
        [2, 3, 4],
        [1, 2, 3],
        [1, 1, 2],
      ],
    });
  });

  test.each<[string, CellSpec[][]]>([
    ['of two rows', [...block.slice(1), [null, ...ACROSS]]],
    ['of two columns', [...block.map((row) => row.slice(0, 3)), [null, ...ACROSS.slice(0, 2)]]],
    ['without words across', block],
    ['with a word that is none', [...block, [null, 'Minor', 'Major', 'Severe', 'Purple']]],
    ['three rows away from its words', [...block, [], [], [null, ...ACROSS]]],
    ['with a hole', [...block.slice(0, 2), ['Low', 1, null, 3, 4], [null, ...ACROSS]]],
    ['of words that are no likelihoods', [...block.map(([, ...risks]) => ['Blue', ...risks]), [null, ...ACROSS]]],
  ])('is not one %s', (_what, rows) => {
    expect(found(rows)).toBeNull();
  });

  test('may use the log’s own words', () => {
    const rows = [...block, [null, 'Minor', 'Major', 'Severe', 'Purple']];
    expect(found(rows, words(['purple']))).toMatchObject({ severities: ['Minor', 'Major', 'Severe', 'Purple'] });
  });

  test('may be on the log’s sheet, and is never read out of the log’s rows', () => {
    const grid = makeGrid('Hazard Log', [['ID'], ...block, [null, ...ACROSS], [], ...block, [null, ...ACROSS]]);
    const found = (first: number, last: number) =>
      findOwnMatrices([grid], words(), { grid, first, last }).map(({ place }) => place?.cell);
    expect(found(1, 1)).toEqual(['B2', 'B7']);
    expect(found(1, 5)).toEqual(['B7']);
    expect(found(2, 2)).toEqual(['B7']);
    expect(found(7, 10)).toEqual(['B2']);
  });

  test('has labels of words with their numbers beside or over them', () => {
    const rows: CellSpec[][] = [
      [null, null, 'Minor', 'Major', 'Fatal'],
      [null, null, 1, 2, 3],
      ['High', 3, 2, 3, 4],
      ['Medium', 2, 1, 3, 3],
      ['Low', 1, 1, 1, 2],
    ];
    expect(found(rows)).toMatchObject({
      place: { cell: 'C3' },
      severities: ['1 - Minor', '2 - Major', '3 - Fatal'],
      likelihoods: ['3 - High', '2 - Medium', '1 - Low'],
      cells: [
        [2, 3, 4],
        [1, 3, 3],
        [1, 1, 2],
      ],
    });
  });

  describe('whose labels are numbers', () => {
    const scale = (down: string, across: string): CellSpec[][] => [
      [null, null, across],
      [null, null, 1, 2, 3, 4],
      [down, 4, 2, 3, 4, 4],
      [null, 3, 1, 2, 3, 4],
      [null, 2, 1, 2, 2, 3],
      [null, 1, 1, 1, 2, 2],
    ];
    test('is read by the names of its scales', () => {
      expect(found(scale('Likelihood', 'Severity'))).toMatchObject({
        place: { cell: 'C3' },
        severities: ['1', '2', '3', '4'],
        likelihoods: ['4', '3', '2', '1'],
        cells: [
          [2, 3, 4, 4],
          [1, 2, 3, 4],
          [1, 2, 2, 3],
          [1, 1, 2, 2],
        ],
      });
      expect(found(scale('Consequence', 'Probability'))).toMatchObject({
        severities: ['4', '3', '2', '1'],
        likelihoods: ['1', '2', '3', '4'],
        cells: [
          [2, 1, 1, 1],
          [3, 2, 2, 1],
          [4, 3, 2, 2],
          [4, 4, 3, 2],
        ],
      });
    });
    test('is read where one of the two scales is named', () => {
      expect(found(scale('', 'Severity'))).toMatchObject({ likelihoods: ['4', '3', '2', '1'] });
      expect(found(scale('Severity', ''))).toMatchObject({ severities: ['4', '3', '2', '1'] });
    });
    test('is not read where neither is named, or both have one name', () => {
      expect(found(scale('', ''))).toBeNull();
      expect(found(scale('Severity', 'Impact'))).toBeNull();
    });
  });

  test('may name its risks beside their numbers', () => {
    const rows: CellSpec[][] = [
      [null, 'Minor', 'Major', 'Fatal'],
      ['High', '3 - Medium', '6 - High', 'Extreme (9)'],
      ['Medium', '2 - Low', '4 - Medium', '6 - High'],
      ['Low', '1 - Low', '2 - Low', '3 - Medium'],
    ];
    expect(found(rows)).toMatchObject({
      cells: [
        [3, 6, 9],
        [2, 4, 6],
        [1, 2, 3],
      ],
    });
  });

  test('rises or falls along each side; other numbers are not a matrix', () => {
    const risks = block.map(([word, ...numbers]) => [word ?? null, ...numbers]);
    expect(found([...risks, [null, ...ACROSS]])).not.toBeNull();
    expect(found([...risks.slice(0, 2), ['Low', 1, 3, 2, 4], [null, ...ACROSS]])).toBeNull();
    expect(found([...risks.slice(0, 2), ['Low', 4, 5, 6, 7], [null, ...ACROSS]])).toBeNull();
    expect(found([...risks.map(([word]) => [word ?? null, 1, 1, 1, 1]), [null, ...ACROSS]])).toBeNull();
  });
});
