import { expect, jest, test } from '@jest/globals';

test('leaves its clock and its mocks', () => {
  jest.useFakeTimers({ now: 0 });
  jest.spyOn(Math, 'random').mockReturnValue(7);
  expect([Date.now(), Math.random()]).toEqual([0, 7]);
});
