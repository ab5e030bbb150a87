import { describe, expect, test } from '@jest/globals';
import { nextIds, splitNumber } from '../../../../bot/agents/clinical_safety/tickets/nextIds.ts';

describe('the number that an id ends with', () => {
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
    // The pattern that most ids have; of two that are used as often, the one that counts highest.
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
    // Filled up with noughts as far as the widest that begins with one.
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
    // What is there already in other letters or with spaces is not given again.
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
  ])('after %j come %j', (existing, next) => {
    expect(nextIds(existing, 2)).toEqual(next);
  });

  test('as many as are asked for', () => {
    expect(nextIds(['H1'], 0)).toEqual([]);
    expect(nextIds(['H1'], 3)).toEqual(['H2', 'H3', 'H4']);
  });
});
