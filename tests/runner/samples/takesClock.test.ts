import { expect, test } from '@jest/globals';

test('meets the real ones', async () => {
  expect(Date.now()).toBeGreaterThan(1_000_000);
  expect(Math.random()).toBeLessThan(1);
  await new Promise((resolve) => setTimeout(resolve, 1));
});
