import { z } from 'zod';
import { env } from '../../../../models/env.ts';
import { readRetryAfter, refusalFor } from './refusal.ts';

/** A bot's registration with Microsoft. */
export type Registration = { appId: string; appPassword: string; tenantId: string };

/** The scope of a token for sending (docs/platforms.md). */
const SCOPE = 'https://api.botframework.com/.default';
/** A token is renewed this long before it expires. */
const RENEW_BEFORE_MS = 5 * 60_000;
const TIMEOUT_MS = 10_000;

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });

const tokens = new Map<string, { token: Promise<string>; until: number }>();

/** A token for sending as an app, cached until shortly before it expires. @throws TeamsRefusal */
export function accessToken(registration: Registration): Promise<string> {
  const key = keyOf(registration);
  const known = tokens.get(key);
  if (known && known.until > Date.now()) return known.token;
  const made = requestToken(registration);
  // Cached before the response, so that concurrent calls share one request; the expiry is set afterwards.
  const entry = { token: made.then(({ token }) => token), until: Date.now() + TIMEOUT_MS };
  tokens.set(key, entry);
  made.then(
    ({ seconds }) => {
      entry.until = Date.now() + Math.max(seconds * 1000 - RENEW_BEFORE_MS, (seconds * 1000) / 2);
    },
    () => tokens.get(key) === entry && tokens.delete(key),
  );
  return entry.token;
}

/** Drops a token that was refused. */
export const forgetToken = (registration: Registration) => tokens.delete(keyOf(registration));

const keyOf = ({ appId, tenantId, appPassword }: Registration) => `${appId}|${tenantId}|${appPassword}`;

/** Requests a token with an app's secret. Success proves that the secret is the app's. @throws TeamsRefusal */
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
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!answer.ok) {
    // The code marks a failed login, so that it is never taken for a conversation that is gone.
    throw refusalFor(answer.status, readRetryAfter(answer.headers.get('retry-after')), { code: 'LoginRefused' });
  }
  const { access_token: token, expires_in: seconds } = tokenAnswer.parse(await answer.json());
  return { token, seconds };
}
