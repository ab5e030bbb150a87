import { describe, expect, test } from '@jest/globals';
import { nextIds, splitNumber } from '../../../../bot/agents/clinical_safety/tickets/nextIds.ts';

describe('the number at the end of an id', () => {
  test.each([
    ['H09', { prefix: 'H', digits: '09' }],
    ['52', { prefix: '', digits: '52' }],
    ['H123456789', { prefix: 'H', digits: '123456789' }],
    ['H1234567890', null],
    ['H1b', null],
    ['', null],
  ])('of “%s” is %j', (id, parts) => {
    expect(splitNumber(id)).toEqual(parts);
  });

  test.each([
    // The most frequent pattern; of equally frequent ones, the one with the highest number.
    [
      ['A1', 'A2', 'B9'],
      ['A3', 'A4'],
    ],
    [
      ['A1', 'B9', 'A2', 'B10'],
      ['B11', 'B12'],
    ],
    [
      ['A7', 'B2'],
      ['A8', 'A9'],
    ],
    [
      ['A2', 'B7'],
      ['B8', 'B9'],
    ],
    // Padded with zeros to the widest id that starts with one.
    [
      ['H08', 'H9'],
      ['H10', 'H11'],
    ],
    [
      ['H1', 'H02'],
      ['H03', 'H04'],
    ],
    [
      ['H12', 'H13'],
      ['H14', 'H15'],
    ],
    [
      ['H007', 'H08'],
      ['H009', 'H010'],
    ],
    [
      ['H98', 'H09'],
      ['H99', 'H100'],
    ],
    [[' H1 '], ['H2', 'H3']],
    // An existing id in other case or spacing is not used again.
    [
      ['H1', 'H2', 'h 3'],
      ['H4', 'H5'],
    ],
    [
      ['h5', 'H4', 'H3'],
      ['H6', 'H7'],
    ],
    [
      ['row 7', 'X1'],
      ['X2', 'X3'],
    ],
    [['none'], ['H01', 'H02']],
  ])('after %j is %j', (existing, next) => {
    expect(nextIds(existing, 2)).toEqual(next);
  });

  test('is given as often as requested', () => {
    expect(nextIds(['H1'], 0)).toEqual([]);
    expect(nextIds(['H1'], 3)).toEqual(['H2', 'H3', 'H4']);
  });
});
