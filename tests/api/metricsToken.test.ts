import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Server } from '../factories/server.ts';

const TOKEN = 'a-token-of-the-operator';
let server: Server;

beforeAll(async () => {
  process.env.METRICS_TOKEN = TOKEN;
  server = await (await import('../factories/server.ts')).startServer();
});
afterAll(() => server.stop());

test.each([
  [200, `Bearer ${TOKEN}`],
  [404, `Bearer ${TOKEN.slice(0, -1)}R`],
  [404, `Bearer ${TOKEN.slice(0, -1)}`],
  [404, 'Bearer '],
  [404, undefined],
])('a caller behind a proxy is answered %d with %s', async (status, authorization) => {
  const answer = await fetch(`${server.url}/metrics`, {
    headers: { 'x-forwarded-for': '203.0.113.9', ...(authorization ? { authorization } : {}) },
  });
  expect(answer.status).toBe(status);
});
