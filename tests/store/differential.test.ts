import { expect, test } from '@jest/globals';
import { compareWithModel } from './differential/compare.ts';
import { uri } from './harness.ts';

/** `npm run store:compare` compares 100,000. */
test('1,500 random commands are answered as the documentation has it', async () => {
  const { compared, refused } = await compareWithModel(uri(), 1500, 20261126);
  expect(compared).toBe(1500);
  // Also what both refuse is compared, and not all of it is.
  expect(refused).toBeGreaterThan(20);
  expect(refused).toBeLessThan(500);
});
