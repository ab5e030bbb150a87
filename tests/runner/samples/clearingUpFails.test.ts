import { afterAll, expect, test } from '@jest/globals';

afterAll(() => {
  throw new Error('not cleared up');
});
test('passes', () => {
  expect(1).toBe(1);
});
