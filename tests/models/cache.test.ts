import { afterEach, expect, jest, test } from '@jest/globals';
import { forgetWhere, makeCache } from '../../models/store/cache.ts';

afterEach(() => {
  jest.useRealTimers();
});

test('an entry is kept for its time, from when it was last set', () => {
  jest.useFakeTimers();
  const cache = makeCache<string, string>(1000);
  cache.set('a', 'first');
  jest.advanceTimersByTime(500);
  cache.set('a', 'second');
  expect(cache.get('a')).toBe('second');
  jest.advanceTimersByTime(1000);
  expect(cache.get('a')).toBe('second');
  jest.advanceTimersByTime(1);
  expect(cache.get('a')).toBeUndefined();
});

test('an entry without a time is kept while there is room', () => {
  jest.useFakeTimers();
  const cache = makeCache<string, string>(null);
  cache.set('a', 'kept');
  jest.advanceTimersByTime(365 * 86_400_000);
  expect(cache.get('a')).toBe('kept');
});

test('a full cache drops only the least recently used entry, and an existing key takes no extra room', () => {
  const cache = makeCache<string, string>(null, 2);
  cache.set('a', '1');
  cache.set('b', '2');
  cache.set('b', '3');
  expect([cache.get('b'), cache.get('a')]).toEqual(['3', '1']);
  cache.set('c', '4');
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual(['1', undefined, '4']);
});

test.each([
  ['those that a condition picks', (age: number) => age % 2 === 1, ['2', '4']],
  ['one', (age: number) => age === 5, ['1', '2', '3', '4']],
  ['none', () => false, ['1', '2', '3', '4', '5']],
  ['all', () => true, []],
])('a cache forgets %s', (_what, isPicked, left) => {
  const cache = makeCache<string, { age: number }>(1000);
  for (const age of [1, 2, 3, 4, 5]) cache.set(String(age), { age });
  forgetWhere(cache, ({ age }) => isPicked(age));
  expect([...cache.keys()].sort()).toEqual(left);
});
