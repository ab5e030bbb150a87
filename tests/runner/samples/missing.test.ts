import { expect, test } from '@jest/globals';

test('asserts less than it says', () => {
  expect.assertions(1);
});
