import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Server } from '../factories/server.ts';

const ORIGIN = 'https://arc.example.org';
let server: Server;
beforeAll(async () => {
  process.env.BASE_URL = ORIGIN;
  // The proxy that terminates HTTPS says so.
  process.env.TRUST_PROXY = '1';
  server = await (await import('../factories/server.ts')).startServer();
});
afterAll(() => server.stop());

const signUp = (headers: Record<string, string>) =>
  server
    .browser()
    .post('/api/auth/send-signup-confirmation')
    .set({ 'X-Forwarded-Proto': 'https', ...headers })
    .send({ email: `${randomUUID()}@example.org`, password: 'correct-horse-1' });

test('if people connect over HTTPS, cookies are sent only over HTTPS, and browsers are told to stay with it', async () => {
  const { headers } = await signUp({ Origin: ORIGIN }).expect(200);
  const cookies = headers['set-cookie'] as unknown as string[];
  expect(cookies.map((cookie) => /^arc\.(sid|device)/.exec(cookie)?.[1]).sort()).toEqual(['device', 'sid']);
  for (const cookie of cookies) expect(cookie).toContain('; Secure');
  expect(headers['strict-transport-security']).toContain('max-age=');
  expect(headers['content-security-policy']).toContain('upgrade-insecure-requests');
});

test('if the public address is configured, the Host header does not decide which pages are our own', async () => {
  const refused = await signUp({ Origin: 'https://other.example', Host: 'other.example' });
  expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 403, code: 'cross_site' });
});
