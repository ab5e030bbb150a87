import { createHmac, randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { baseUrl } from '../../models/env.ts';
import { isSameText } from '../../models/sameText.ts';
import { loadSecrets } from '../../models/secrets.ts';

const DAYS = 180;

const sign = (...parts: string[]) =>
  createHmac('sha256', loadSecrets().sessionSecret)
    .update(JSON.stringify(['arc:device', ...parts]))
    .digest('base64url');
/** One cookie per e-mail, because several people may share a browser; its name does not reveal the e-mail. */
const cookieOf = (email: string) => `arc.device.${sign('name', email).slice(0, 12)}`;

/**
 * Sets a cookie that marks a browser from which an e-mail has signed in. It grants no access: it only exempts the
 * browser from rates that other people's failed sign-ins use up.
 */
export function rememberDevice(request: Request, email: string): void {
  const device = deviceOf(request, email) ?? randomBytes(16).toString('base64url');
  request.res?.cookie(cookieOf(email), `${device}.${sign('device', device, email)}`, {
    httpOnly: true,
    sameSite: 'lax',
    secure: baseUrl().startsWith('https://'),
    maxAge: DAYS * 86_400_000,
    path: '/api/login',
  });
}

/** The browser's id where this e-mail has signed in from it before; null otherwise. */
export function deviceOf(request: Pick<Request, 'headers'>, email: string): string | null {
  const name = `${cookieOf(email)}=`;
  const cookie = request.headers.cookie?.split(/;\s*/).find((it) => it.startsWith(name));
  const [device = '', given = ''] = cookie?.slice(name.length).split('.') ?? [];
  return isSameText(given, sign('device', device, email)) ? device : null;
}
