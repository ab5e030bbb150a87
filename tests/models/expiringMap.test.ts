import { afterEach, expect, jest, test } from '@jest/globals';
import { makeExpiringMap } from '../../models/store/expiringMap.ts';

afterEach(() => {
  jest.useRealTimers();
});

test('what is kept is believed for its time, also where it is null', () => {
  jest.useFakeTimers();
  const map = makeExpiringMap<string | null>(1000);
  map.set('a', null);
  expect(map.get('a')).toBeNull();
  jest.advanceTimersByTime(999);
  expect(map.get('a')).toBeNull();
  jest.advanceTimersByTime(1);
  expect(map.get('a')).toBeUndefined();
});

test('it never holds more than it may, and a key that is there takes no place', () => {
  const map = makeExpiringMap<number>(Number.POSITIVE_INFINITY, 2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('b', 3);
  expect([map.get('a'), map.get('b')]).toEqual([1, 3]);
  map.set('c', 4);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([undefined, undefined, 4]);
});

test('what changed is forgotten: one, some, all', () => {
  const map = makeExpiringMap<number>(1000);
  for (const value of [1, 2, 3, 4]) map.set(String(value), value);
  map.delete('1');
  map.deleteWhere((value) => value === 2);
  expect(['1', '2', '3'].map((key) => map.get(key))).toEqual([undefined, undefined, 3]);
  map.clear();
  expect(map.get('3')).toBeUndefined();
});
