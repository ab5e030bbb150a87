/** @environment operator */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { METRICS_TOKEN } from '../environments/operator.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

test.each([
  [200, `Bearer ${METRICS_TOKEN}`],
  [404, `Bearer ${METRICS_TOKEN.slice(0, -1)}R`],
  [404, `Bearer ${METRICS_TOKEN.slice(0, -1)}`],
  [404, 'Bearer '],
  [404, undefined],
])('a caller behind a proxy is answered %d with %s', async (status, authorization) => {
  const answer = await fetch(`${server.url}/metrics`, {
    headers: { 'x-forwarded-for': '203.0.113.9', ...(authorization ? { authorization } : {}) },
  });
  expect(answer.status).toBe(status);
});
