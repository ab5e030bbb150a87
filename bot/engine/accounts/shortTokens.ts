import { createHmac } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { loadSecrets } from '../../../models/secrets.ts';

/** How long a short token serves, in seconds: a page that needs one longer asks again. */
export const SHORT_TOKEN_SECONDS = 600;
const AUDIENCE = 'arc:short';

/** A key of its own, so that nothing else that the secret signs can be taken for a token. */
const key = () => createHmac('sha256', loadSecrets().sessionSecret).update(AUDIENCE).digest();

/** A token that stands for a member for ten minutes, where a browser sends no cookie: in a frame of another site. */
export function makeShortToken(who: { userId: number; accountId: number }): Promise<string> {
  return new SignJWT({ accountId: who.accountId, since: Date.now() })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(String(who.userId))
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(`${SHORT_TOKEN_SECONDS}s`)
    .sign(key());
}

/** Whom a short token stands for, and since when, in milliseconds; null for one that is not, or no more, valid. */
export async function readShortToken(
  token: string,
): Promise<{ userId: number; accountId: number; since: number } | null> {
  try {
    const { payload } = await jwtVerify(token, key(), { audience: AUDIENCE, algorithms: ['HS256'] });
    const [userId, accountId, since] = [payload.sub, payload.accountId, payload.since].map(Number);
    if (!userId || !accountId || !since) return null;
    return { userId, accountId, since };
  } catch {
    return null;
  }
}
