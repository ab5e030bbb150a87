import { expect, test } from '@jest/globals';

test('makes fewer assertions than it declares', () => {
  expect.assertions(1);
});
