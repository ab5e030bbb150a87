/** @environment operator */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { countEvent } from '../../models/metrics.ts';
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

test('metrics say what waits, what was given up, what was counted, and the size of the store', async () => {
  countEvent('deliveries', ['slack', 'failed'], 2);
  countEvent('model_tokens', ['openai:gpt "5"'], 30);
  const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const lines = (await answer.text()).split('\n');
  for (const kind of ['turns', 'runs', 'deliveries', 'consequences'])
    for (const name of ['waiting', 'oldest_seconds', 'given_up'])
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^arc_work_${name}\\{kind="${kind}"\\} \\d`)));
  expect(lines).toContain('arc_deliveries_total{surface="slack",outcome="failed"} 2');
  expect(lines).toContain('arc_model_tokens_total{model="openai:gpt \\"5\\""} 30');
  expect(Number(lines.find((line) => line.startsWith('arc_store_bytes '))?.split(' ')[1])).toBeGreaterThan(0);
  // Read again, they are not added up.
  const again = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  expect(await again.text()).toContain('arc_deliveries_total{surface="slack",outcome="failed"} 2\n');
});
