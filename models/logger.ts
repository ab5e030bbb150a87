import { type DestinationStream, pino } from 'pino';
import { env } from './env.ts';

/** Where secrets and people's words may stand in a log line; none of it is written. */
const REDACTED = [
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

/** What follows these in an address opens something: tokens of invitations, codes and states of OAuth. */
const SECRET_PATHS = /(\/invitations\/)(?!accept(?:[/?#]|$))[^/?#]+/g;

/** An address as it may be logged: without secrets in its path, and of its query the names alone. */
export function loggedAddress(url: string): string {
  const [path = '', query] = url.split('?', 2);
  const shown = path.replace(SECRET_PATHS, '$1[redacted]');
  if (query === undefined) return shown;
  const names = query.split('&').map((it) => it.split('=', 1)[0]?.slice(0, 40));
  return `${shown}?${names.map((name) => `${name}=[redacted]`).join('&')}`;
}

/** A log of JSON lines without what {@link REDACTED} names; on standard output where no stream is given. */
export const makeLogger = (level: string, stream?: DestinationStream) =>
  pino({ level, redact: { paths: REDACTED, censor: '[redacted]' }, base: { role: env.ROLE } }, stream);

/** The process's log. */
export const logger = makeLogger(env.NODE_ENV === 'test' && env.LOG_LEVEL === 'info' ? 'silent' : env.LOG_LEVEL);
