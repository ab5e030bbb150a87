import { beforeAll, describe, expect, test } from '@jest/globals';
import type { RequestHandler } from 'express';
import type { AppError } from '../../../models/contracts/errors.ts';

const TOKEN = 'a-token-of-the-operator';
const ORIGIN = 'https://arc.example.org';
let isSameOrigin: typeof import('../../../api/middleware/origin.ts').isSameOrigin;
let requireOperator: RequestHandler;
let rememberDevice: typeof import('../../../api/middleware/device.ts').rememberDevice;
// The product reads its environment once, when it is loaded.
beforeAll(async () => {
  process.env.BASE_URL = `${ORIGIN}/arc`;
  process.env.METRICS_TOKEN = TOKEN;
  ({ isSameOrigin } = await import('../../../api/middleware/origin.ts'));
  ({ requireOperator } = await import('../../../api/middleware/operator.ts'));
  ({ rememberDevice } = await import('../../../api/middleware/device.ts'));
});

describe('if the public address is configured', () => {
  test.each<[boolean, Record<string, string>]>([
    [true, { origin: ORIGIN, host: '10.0.0.1:3000' }],
    [true, { host: 'anything.example' }],
    [false, { origin: 'http://arc.example.org' }],
    [false, { origin: 'https://arc.example.org:8443', host: 'arc.example.org:8443' }],
    [false, { origin: 'https://other.example', host: 'other.example' }],
    [false, { origin: ORIGIN, 'sec-fetch-site': 'cross-site' }],
  ])('a page is our own (%s) with %j', (is, headers) => {
    expect(isSameOrigin({ headers })).toBe(is);
  });

  test('the device cookie is sent only over HTTPS', () => {
    const given: object[] = [];
    const res = { cookie: (_name: string, _value: string, options: object) => given.push(options) };
    rememberDevice({ headers: {}, res } as never, 'ada@example.org');
    expect(given).toEqual([expect.objectContaining({ secure: true, httpOnly: true })]);
  });
});

test.each([
  ['through', '203.0.113.9', { authorization: `Bearer ${TOKEN}` }],
  ['through', '127.0.0.1', { authorization: `Bearer ${TOKEN}`, via: 'a proxy' }],
  ['through', '203.0.113.9', { authorization: TOKEN }],
  ['not_found', '203.0.113.9', { authorization: `Bearer ${TOKEN.slice(0, -1)}R` }],
  ['not_found', '203.0.113.9', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
  ['not_found', '203.0.113.9', { authorization: `Bearer ${TOKEN}R` }],
  ['not_found', '203.0.113.9', { authorization: `x Bearer ${TOKEN}` }],
  ['not_found', '203.0.113.9', { authorization: 'Bearer ' }],
  ['not_found', '203.0.113.9', {}],
  ['through', '127.0.0.1', {}],
])('the operator is admitted %s from %s with %j', (code, remoteAddress, headers: Record<string, string>) => {
  const request = { socket: { remoteAddress }, get: (name: string) => headers[name] };
  let passed = 'kept';
  try {
    requireOperator(request as never, {} as never, () => {
      passed = 'through';
    });
  } catch (error) {
    passed = (error as AppError).code;
  }
  expect(passed).toBe(code);
});
