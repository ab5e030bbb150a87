import { describe, expect, test } from '@jest/globals';
import {
  bestMatchText,
  clashText,
  decidedText,
  keepUndecided,
  keptText,
  namesText,
  spokenText,
  theUndecided,
  undecidedText,
  undoneText,
} from '../../web/parts/review/reviewText.ts';

describe('a review counts its rows in singular and plural', () => {
  test.each([
    [1, 32, '1 of 32 rows is not decided yet.'],
    [2, 32, '2 of 32 rows are not decided yet.'],
    [1, 1, '1 of 1 row is not decided yet.'],
  ])('%i of %i undecided', (undecided, total, text) => {
    expect(undecidedText(undecided, total)).toBe(text);
  });

  test.each([
    [1, 'the undecided row', 'Keep it undecided'],
    [2, 'the 2 undecided', 'Keep them undecided'],
  ])('all undecided at once: %i', (undecided, them, keep) => {
    expect([theUndecided(undecided), keepUndecided(undecided)]).toEqual([them, keep]);
  });

  test.each([
    [
      1,
      '1 row has more than one match and none is chosen. Arc takes the closest match for it, and the record says so.',
    ],
    [
      2,
      '2 rows have more than one match and none is chosen. Arc takes the closest match for each, and the record says so.',
    ],
  ])('rows that take their closest match: %i', (unchosen, text) => {
    expect(bestMatchText(unchosen)).toBe(text);
  });
});

test('a conflict names who decided differently', () => {
  expect(clashText(1, 'Ben Hughes')).toBe('1 row was decided differently by Ben Hughes.');
  expect(clashText(2, null)).toBe('2 rows were decided differently by a colleague.');
});

test('decisions that were kept are counted, and their rows named up to eight', () => {
  expect([keptText(1), keptText(2)]).toEqual([
    '1 decision was kept from the previous review.',
    '2 decisions were kept from the previous review.',
  ]);
  const names = (count: number) => namesText(Array.from({ length: count }, (_, at) => `H${at + 1}`));
  expect([names(1), names(2), names(3)]).toEqual(['H1', 'H1 and H2', 'H1, H2 and H3']);
  expect(names(8)).toBe('H1, H2, H3, H4, H5, H6, H7 and H8');
  expect(names(9)).toBe('H1, H2, H3, H4, H5, H6, H7, H8 and 1 more');
});

test('what was done is said with the count, as one sentence or two', () => {
  expect(spokenText('Row 3 accepted', 2, 18)).toBe('Row 3 accepted, 2 of 18 decided');
  expect(spokenText('Undone.', 1, 18)).toBe('Undone. 1 of 18 decided');
});

test('undoing says what it did, and why it did nothing', () => {
  expect([undoneText(1, true), undoneText(2, true)]).toEqual(['Undone.', '2 rows undone.']);
  expect(undoneText(0, true)).toBe('Nothing was undone. Somebody else has decided these rows since.');
  expect(undoneText(0, false)).toBe('Nothing to undo.');
});

test('decisions are counted by outcome, in a fixed order, without unused outcomes', () => {
  const rows = (['rejected', 'accepted', 'rejected', 'accepted', 'accepted'] as const).map((outcome) => ({ outcome }));
  expect(decidedText(rows)).toBe('3 accepted, 2 rejected.');
  expect(decidedText([...rows, { outcome: 'edited' }])).toBe('3 accepted, 1 edited, 2 rejected.');
});
