import { beforeAll, expect, test } from '@jest/globals';

beforeAll(() => {
  throw new Error('not prepared');
});
test('is not run', () => {
  expect(1).toBe(1);
});
