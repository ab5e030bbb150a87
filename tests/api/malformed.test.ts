import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bound } from '../../api/middleware/bind.ts';
import { makeMalformed, RAW, sendMalformed, sendRaw } from '../factories/malformed.ts';
import { type Person, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
let stranger: Person;

beforeAll(async () => {
  server = await startServer();
  stranger = await signUpReady(server);
});
afterAll(() => server.stop());

/**
 * Enough for each call to get each kind of fault several times; `npm run chaos` sends more, with another seed each
 * time.
 */
const COUNT = Number(process.env.MALFORMED_REQUESTS ?? 3000);
const SEED = Number(process.env.MALFORMED_SEED ?? 1);
const AT_ONCE = 16;

test(`${COUNT} malformed requests over every call are answered without a server error`, async () => {
  const requests = makeMalformed(bound.values(), stranger.cookie, COUNT, SEED);
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  const work = async () => {
    for (const one of requests) {
      const status = await sendMalformed(server.url, one);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status >= 500) faults.push(`${status} ${one.method} ${one.path} ${String(one.body).slice(0, 120)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(faults).toEqual([]);
  // They reached the calls themselves, not just the sign-in or a rate limit.
  expect(statuses.get(400) ?? 0).toBeGreaterThan(COUNT / 3);
  expect(statuses.get(429)).toBeUndefined();
  expect((await stranger.browser.get('/api/auth/status').expect(200)).body.authenticated).toBe(true);
}, 120_000);

test.each(RAW.map((bytes) => [JSON.stringify(bytes.slice(0, 80)), bytes]))(
  'bytes that are barely HTTP are refused: %s',
  async (_what, bytes) => {
    expect(await sendRaw(server.url, bytes)).toBeLessThan(500);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  },
);
