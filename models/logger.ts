import { pino } from 'pino';
import { env } from './env.ts';

/** Where secrets and people's words may stand in a log line; none of it is written. */
export const REDACTED = [
  'req.headers.cookie',
  'req.headers.authorization',
  'res.headers["set-cookie"]',
  '*.password',
  'body.code',
  'req.body',
  '*.token',
  '*.secret',
  'password',
  'token',
  'MONGODB_URI',
];

/** The process's log: JSON lines on standard output. */
export const logger = pino({
  level: env.NODE_ENV === 'test' && env.LOG_LEVEL === 'info' ? 'silent' : env.LOG_LEVEL,
  redact: { paths: REDACTED, censor: '[redacted]' },
  base: { role: env.ROLE },
});
