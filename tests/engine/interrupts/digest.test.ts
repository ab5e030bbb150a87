import { expect, test } from '@jest/globals';
import { canonicalJson, digestOf } from '../../../bot/engine/interrupts/digest.ts';

test('equal values have equal digests, whatever the order of their keys', () => {
  expect(digestOf({ a: 1, b: { c: [1, 2], d: null } })).toBe(digestOf({ b: { d: null, c: [1, 2] }, a: 1 }));
  expect(digestOf({ a: [1, 2] })).not.toBe(digestOf({ a: [2, 1] }));
  expect(canonicalJson({ b: 1, a: 2 })).toBe('{"a":2,"b":1}');
});
