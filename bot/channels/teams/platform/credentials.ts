import { z } from 'zod';
import { env } from '../../../../models/env.ts';
import { readRetryAfter, refusalFor } from './refusal.ts';

/** A bot's registration with Microsoft. */
export type Registration = { appId: string; appPassword: string; tenantId: string };

/** For whom a token for answering is made (docs/platforms.md). */
const SCOPE = 'https://api.botframework.com/.default';
/** A token is renewed this long before it ends, in milliseconds. */
const RENEW_MILLISECONDS = 5 * 60_000;
const TIMEOUT_MILLISECONDS = 10_000;

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });

const kept = new Map<string, { token: Promise<string>; until: number }>();

/** A token with which an app may answer, kept until it ends soon. @throws TeamsRefusal */
export function accessToken(registration: Registration): Promise<string> {
  const key = keyOf(registration);
  const known = kept.get(key);
  if (known && known.until > Date.now()) return known.token;
  const made = requestToken(registration);
  // Kept at once, so that many who need one at the same time share a request; how long it lasts is known after.
  const entry = { token: made.then(({ token }) => token), until: Date.now() + TIMEOUT_MILLISECONDS };
  kept.set(key, entry);
  made.then(
    ({ seconds }) => {
      entry.until = Date.now() + Math.max(seconds * 1000 - RENEW_MILLISECONDS, (seconds * 1000) / 2);
    },
    () => kept.get(key) === entry && kept.delete(key),
  );
  return entry.token;
}

/** Forgets a token that was refused. */
export const forgetToken = (registration: Registration) => kept.delete(keyOf(registration));

const keyOf = ({ appId, tenantId, appPassword }: Registration) => `${appId}|${tenantId}|${appPassword}`;

/** Asks for a token with an app's own secret; that it is given proves that the secret is the app's. @throws TeamsRefusal */
export async function requestToken(registration: Registration): Promise<{ token: string; seconds: number }> {
  const { appId, appPassword, tenantId } = registration;
  const answer = await fetch(`${env.BOT_LOGIN_URL}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: appId,
      client_secret: appPassword,
      scope: SCOPE,
    }),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
  });
  if (!answer.ok) {
    // A login that refuses says nothing of the conversation for which it was asked.
    throw refusalFor(answer.status, readRetryAfter(answer.headers.get('retry-after')), { code: 'LoginRefused' });
  }
  const { access_token: token, expires_in: seconds } = tokenAnswer.parse(await answer.json());
  return { token, seconds };
}
