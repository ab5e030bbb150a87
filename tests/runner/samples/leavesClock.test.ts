import { expect, jest, test } from '@jest/globals';

test('leaves a mock of a fake timer behind', () => {
  jest.useFakeTimers();
  jest.spyOn(globalThis, 'setTimeout');
  jest.useRealTimers();
});

test('leaves a fake clock and a mock behind', () => {
  jest.useFakeTimers({ now: 0 });
  jest.spyOn(Math, 'random').mockReturnValue(7);
  expect([Date.now(), Math.random()]).toEqual([0, 7]);
});
