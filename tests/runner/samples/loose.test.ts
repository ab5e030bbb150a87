import { setImmediate } from 'node:timers/promises';
import { test } from '@jest/globals';

test('leaves a rejected promise behind', async () => {
  void Promise.reject(new Error('of nobody'));
  await setImmediate();
});
