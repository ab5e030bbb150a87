import { type DestinationStream, pino } from 'pino';
import { env } from './env.ts';

/** Log fields that may hold secrets or personal data; each is written as `[redacted]`. */
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

/** Path segments that hold secrets: invitation tokens, and links without an account. */
const SECRET_PATHS = /(\/(?:invitations|auditor)\/)(?!accept(?:[/?#]|$))[^/?#]+/g;

/** A URL as it may be logged: path secrets redacted, query reduced to its parameter names. */
export function loggedAddress(url: string): string {
  const [path = '', query] = url.split('?', 2);
  const shown = path.replace(SECRET_PATHS, '$1[redacted]');
  if (query === undefined) return shown;
  const names = query.split('&').map((it) => it.split('=', 1)[0]?.slice(0, 40));
  return `${shown}?${names.map((name) => `${name}=[redacted]`).join('&')}`;
}

/** Makes a JSON logger that redacts {@link REDACTED}. It writes to standard output where no stream is given. */
export const makeLogger = (level: string, stream?: DestinationStream) =>
  pino({ level, redact: { paths: REDACTED, censor: '[redacted]' }, base: { role: env.ROLE } }, stream);

/** The process's log. */
export const logger = makeLogger(env.NODE_ENV === 'test' && env.LOG_LEVEL === 'info' ? 'silent' : env.LOG_LEVEL);
