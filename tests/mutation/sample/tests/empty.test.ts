import { expect, test } from '@jest/globals';
import { empty } from '../age.ts';

test('is empty then', () => {
  expect(empty([1, 2])).toEqual([]);
});
