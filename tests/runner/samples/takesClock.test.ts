import { expect, test } from '@jest/globals';

test('gets the real clock and functions', async () => {
  expect(Date.now()).toBeGreaterThan(1_000_000);
  expect(Math.random()).toBeLessThan(1);
  await new Promise((resolve) => setTimeout(resolve, 1));
});
