import { expect, test } from '@jest/globals';
import { isOfAge, isOld, isRetired, older, yearOf } from '../age.ts';

test('of age on the day itself', () => {
  expect([17, 18, 19].map((years) => isOfAge(years, 18))).toEqual([false, true, true]);
});

test('old at seventy', () => {
  expect(isOld(70, 65)).toBe(true);
});

test('the older of two', () => {
  expect([older(1, 2), older(2, 1), older(2, 2)]).toEqual([2, 2, 2]);
});

test('retired at sixty-five', () => {
  expect([64, 65].map(isRetired)).toEqual([false, true]);
});

test('the year of an age', () => {
  expect([30, 90].map(yearOf)).toEqual([1930, 1990]);
});
