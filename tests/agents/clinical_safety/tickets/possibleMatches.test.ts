import { expect, test } from '@jest/globals';
import { choosePossible } from '../../../../bot/agents/clinical_safety/tickets/possibleMatches.ts';

const ranked = (...scores: number[]) => scores.map((score, at) => ({ at, score, nearness: 10 - at }));
const placesOf = (scores: number[], alike: number[] = []) =>
  choosePossible(ranked(...scores), (one, other) => alike.includes(one.at) && alike.includes(other.at)).map(
    ({ at }) => at,
  );

test.each([
  [[2.5], [0]],
  [[2.49], []],
  [[4, 2.5], [0]],
  [[4, 2.51], []],
  [[2.5, 4], [1]],
  // 6.15 - 4.65 is less than 1.5 in binary fractions.
  [[6.15, 4.65], [0]],
  [[], []],
])('of hazards that score %j are possible: %j', (scores, places) => {
  expect(placesOf(scores)).toEqual(places);
});

test('hazards that are alike need no lead over each other, and are possible together', () => {
  expect(placesOf([4, 3.9], [0, 1])).toEqual([0, 1]);
  expect(placesOf([4, 3.9, 3], [0, 1])).toEqual([]);
  expect(placesOf([4, 3.9, 2.5], [0, 1])).toEqual([0, 1]);
});

test('one that is alike but below the threshold is not possible', () => {
  expect(placesOf([3, 2.5], [0, 1])).toEqual([0, 1]);
  expect(placesOf([3, 2.49], [0, 1])).toEqual([0]);
});

test('at most three are possible, the best first, and of equal ones the first of the log', () => {
  expect(placesOf([3, 5, 5, 4], [0, 1, 2, 3])).toEqual([1, 2, 3]);
});
