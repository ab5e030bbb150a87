import { expect, test } from '@jest/globals';
import { empty } from '../age.ts';

test('empties the list', () => {
  expect(empty([1, 2])).toEqual([]);
});
