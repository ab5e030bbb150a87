import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import express from 'express';
import { pino } from 'pino';
import supertest from 'supertest';
import { logRequests } from '../../api/middleware/requestLog.ts';
import { REDACTED } from '../../models/logger.ts';

test('the request log holds no token of an invitation, no code, no state, no bearer token', async () => {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const app = express();
  app.use(logRequests(pino({ level: 'debug' }, stream)));
  app.use((_request, response) => void response.status(404).json({}));
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

test('cookies, passwords and tokens never reach the log', () => {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const log = pino({ redact: { paths: REDACTED, censor: '[redacted]' } }, stream);
  log.info({
    req: { headers: { cookie: 'arc.sid=secret-1', authorization: 'Bearer secret-2' }, body: { password: 'secret-3' } },
    res: { headers: { 'set-cookie': ['arc.sid=secret-4'] } },
    user: { password: 'secret-5', token: 'secret-6' },
    token: 'secret-7',
    MONGODB_URI: 'mongodb://u:secret-8@h',
  });
  expect(lines.join('')).not.toMatch(/secret-\d/);
  expect(lines.join('')).toContain('[redacted]');
});
