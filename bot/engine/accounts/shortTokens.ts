import { createHmac } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { loadSecrets } from '../../../models/secrets.ts';

/** Lifetime of a token in seconds; a page that needs more time requests a new one. */
export const SHORT_TOKEN_SECONDS = 600;
const AUDIENCE = 'arc:short';

/** Derived key, so that nothing else signed with the session secret is valid as a token. */
const key = () => createHmac('sha256', loadSecrets().sessionSecret).update(AUDIENCE).digest();

/**
 * A bearer token for a member, valid for ten minutes: for pages in another site's frame, where browsers send no cookie.
 */
export function makeShortToken(who: { userId: number; accountId: number }): Promise<string> {
  return new SignJWT({ accountId: who.accountId, since: Date.now() })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(String(who.userId))
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(`${SHORT_TOKEN_SECONDS}s`)
    .sign(key());
}

/** The member of a token and when it was issued, in milliseconds; null where it is invalid or has expired. */
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
