import { expect, test } from '@jest/globals';
import express from 'express';
import supertest from 'supertest';
import { logRequests } from '../../api/middleware/requestLog.ts';
import { loggedAddress, makeLogger } from '../../models/logger.ts';

/** The product's own logger, and the lines that it writes. */
function listen() {
  const lines: string[] = [];
  return { lines, log: makeLogger('debug', { write: (line: string) => void lines.push(line) }) };
}

test('the request log has no invitation token, code, state or bearer token', async () => {
  const { lines, log } = listen();
  const app = express();
  app.use(logRequests(log));
  app.use((_request, response) => void response.status(404).set('Set-Cookie', 'c=secret-10').json({}));
  const ask = (path: string) =>
    supertest(app).get(path).set('Authorization', 'Bearer secret-0').set('Cookie', 'c=secret-1');
  await ask('/api/account/invitations/secret-2');
  await ask('/api/account/invitations/secret-3/?x=secret-4');
  await ask('/api/oauth/slack/callback?code=secret-5&state=secret-6&error=secret-7');
  await ask('/api/oauth/slack/callback?secret-free&token=secret-8?secret-9');
  expect(lines).toHaveLength(4);
  expect(lines.join('')).not.toMatch(/secret-\d/);
  expect(lines[2]).toContain('/api/oauth/slack/callback?code=[redacted]&state=[redacted]');
});

test('the address of a link without an account is logged without its secret', () => {
  expect(loggedAddress('/auditor/secret-1?x=secret-2')).toBe('/auditor/[redacted]?x=[redacted]');
});

test('a call is logged with its outcome: only calls, and a server error as an error', async () => {
  const { lines, log } = listen();
  const app = express();
  app.use(logRequests(log));
  app.use((request, response) => void response.status(Number(request.query.status)).end());
  const statuses = [200, 304, 399, 400, 404, 499, 500, 503];
  for (const status of statuses) await supertest(app).get(`/api/x?status=${status}`);
  await supertest(app).get('/assets/a.js?status=500');
  const LEVELS = { 20: 'debug', 30: 'info', 50: 'error' } as Record<number, string>;
  const logged = lines.map((line) => JSON.parse(line));
  expect(logged.map(({ level, res }) => `${res.statusCode} ${LEVELS[level]}`)).toEqual([
    '200 debug',
    '304 debug',
    '399 debug',
    '400 info',
    '404 info',
    '499 info',
    '500 error',
    '503 error',
  ]);
  expect(Object.keys(logged[0].req)).toEqual(['id', 'method', 'url']);
});

test.each([
  ['a cookie', { req: { headers: { cookie: 'arc.sid=secret-1' } } }],
  ['an authorization', { req: { headers: { authorization: 'Bearer secret-1' } } }],
  ['a cookie that is set', { res: { headers: { 'set-cookie': ['arc.sid=secret-1'] } } }],
  ['what was sent', { req: { body: { message: 'secret-1' } } }],
  ['a code', { body: { code: 'secret-1' } }],
  ['a password', { password: 'secret-1' }],
  ['somebody’s password', { user: { password: 'secret-1' } }],
  ['a token', { token: 'secret-1' }],
  ['somebody’s token', { user: { token: 'secret-1' } }],
  ['something’s secret', { app: { secret: 'secret-1' } }],
  ['the store’s address', { MONGODB_URI: 'mongodb://u:secret-1@h' }],
])('%s is never logged', (_what, fact) => {
  const { lines, log } = listen();
  log.info(fact, 'what was to be said');
  expect(lines.join('')).not.toContain('secret-1');
  expect(lines.join('')).toContain('[redacted]');
  expect(lines.join('')).toContain('what was to be said');
});
