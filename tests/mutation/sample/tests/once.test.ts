import { expect, test } from '@jest/globals';
import { entry, ticket } from '../once.ts';

test('values that are created once', () => {
  expect([entry.from, ticket().until]).toEqual([6, 12]);
});
