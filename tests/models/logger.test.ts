import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { REDACTED } from '../../models/logger.ts';

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
