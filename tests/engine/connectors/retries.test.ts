import { describe, expect, test } from '@jest/globals';
import { isHostOf } from '../../../bot/engine/connectors/client.ts';
import { delayAfter, makeBreaker } from '../../../bot/engine/connectors/retries.ts';

const NOW = Date.parse('2026-11-26T10:00:00Z');
const fixed = { now: NOW, random: 0.5 };

describe('after a failed attempt', () => {
  test.each([
    [1, 500, 200],
    [2, 500, 400],
    [3, 500, null],
    [1, null, 200],
    [2, null, 400],
    [3, null, null],
  ])('number %i with %p a call that reads waits %p ms', (attempt, status, expected) =>
    expect(delayAfter(attempt, { status, retryAfter: null }, true, fixed)).toBe(expected),
  );

  test.each([
    [500, null],
    [503, null],
    [null, null],
    // Nothing was done yet.
    [429, 200],
  ])('with %p a call that writes waits %p ms', (status, expected) =>
    expect(delayAfter(1, { status, retryAfter: null }, false, fixed)).toBe(expected),
  );

  test.each([
    ['3', 3200],
    ['0', 200],
    ['20', 20_200],
    ['21', null],
    ['Thu, 26 Nov 2026 10:00:07 GMT', 7200],
    ['Thu, 26 Nov 2026 09:00:00 GMT', 200],
    ['Thu, 26 Nov 2026 11:00:00 GMT', null],
    ['soon', 200],
  ])('a Retry-After of “%s” makes it wait %p ms', (retryAfter, expected) =>
    expect(delayAfter(1, { status: 429, retryAfter }, true, fixed)).toBe(expected),
  );

  test('the wait is random, between nothing and twice as long each time', () => {
    const failed = { status: 502, retryAfter: null };
    expect(delayAfter(1, failed, true, { now: NOW, random: 0 })).toBe(0);
    expect(delayAfter(1, failed, true, { now: NOW, random: 1 })).toBe(400);
    expect(delayAfter(2, failed, true, { now: NOW, random: 1 })).toBe(800);
  });
});

describe('a provider that is down', () => {
  test('is left alone for half a minute after five failed calls in a row; then one call tries', () => {
    let now = 1_000_000;
    const breaker = makeBreaker(() => now);
    for (let call = 0; call < 4; call += 1) breaker.note(false);
    breaker.note(true);
    for (let call = 0; call < 4; call += 1) breaker.note(false);
    expect(breaker.lets()).toBe(true);
    breaker.note(false);
    expect(breaker.lets()).toBe(false);
    now += 29_999;
    expect(breaker.lets()).toBe(false);
    now += 1;
    expect(breaker.lets()).toBe(true);
    expect(breaker.lets()).toBe(false);
    breaker.note(true);
    expect(breaker.lets()).toBe(true);
  });
});

test.each([
  ['api.things.example', true],
  ['things.example', false],
  ['evil-api.things.example', false],
  ['eu.instances.example', true],
  ['instances.example', false],
  ['eu.instances.example.evil.test', false],
])('a token goes to %s: %p', (host, expected) =>
  expect(isHostOf(['api.things.example', '.instances.example'], host)).toBe(expected),
);
