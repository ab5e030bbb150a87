import { setTimeout as wait } from 'node:timers/promises';
import { env } from '../../../models/env.ts';
import { logger } from '../../../models/logger.ts';
import { RefusedAddress } from '../network/address.ts';
import { fetchPublic } from '../network/fetchPublic.ts';
import type { ConnectorPlugIn, Send, SendInit } from './connector.ts';
import { isUnavailable, ProviderFailure } from './failure.ts';
import { type Attempt, delayAfter, makeBreaker } from './retries.ts';

/** Timeout of one attempt. */
const CALL_MS = 30_000 * env.PATIENCE_FACTOR;
const MAX_BYTES = 25 * 1024 * 1024;
const MAX_REDIRECTS = 3;

/** An address at the provider, with the origin that the deployment replaces it by. */
export const addressAt = ({ settings }: Pick<ConnectorPlugIn, 'settings'>, address: string): string => {
  const base = settings().baseUrl;
  const { pathname, search } = new URL(address);
  return base === '' ? address : new URL(pathname + search, base).href;
};

/** A `fetch` for a provider's addresses: public ones, and the origin that the deployment has set. */
export const fetchFor =
  ({ settings }: Pick<ConnectorPlugIn, 'settings'>) =>
  (address: string, init: RequestInit): Promise<Response> => {
    const base = settings().baseUrl;
    const trusted = base === '' ? {} : { trustedOrigin: new URL(base).origin };
    return fetchPublic(address, init, { maxBytes: MAX_BYTES, ...trusted });
  };

/** Whether a host is one of a provider's: named, or below a name that begins with a dot. */
export const isHostOf = (hosts: readonly string[], host: string): boolean =>
  hosts.some((one) => (one.startsWith('.') ? host.endsWith(one) : host === one));

/** Some providers answer 403 where a limit is used up. */
const isLimited = ({ status, headers }: Response) =>
  status === 403 && (headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0');
const attemptOf = (answer: Response): Attempt => ({
  status: isLimited(answer) ? 429 : answer.status,
  retryAfter: answer.headers.get('retry-after'),
});

/**
 * The client under all calls to a connector's API: one limit of time for each attempt, retries with random pauses that
 * honour Retry-After, a stop where the provider is down, and a line in the log for each attempt. A token goes to the
 * provider's hosts only; a redirect elsewhere is followed without it, and only to a public address.
 */
export function makeClient(
  plugIn: Pick<ConnectorPlugIn, 'settings' | 'endpoints' | 'hosts' | 'headers' | 'tokenRefusals' | 'tokenScheme'> & {
    card: Pick<ConnectorPlugIn['card'], 'id'>;
  },
  call: ReturnType<typeof fetchFor> = fetchFor(plugIn),
) {
  const { card, endpoints, tokenRefusals = [401] } = plugIn;
  const breaker = makeBreaker();
  const hosts = [...(plugIn.hosts ?? []), ...Object.values(endpoints).map((address) => new URL(address).hostname)];

  const isOwn = (address: URL) => {
    const base = plugIn.settings().baseUrl;
    return base === '' ? address.protocol === 'https:' && isHostOf(hosts, address.hostname) : isAt(base, address);
  };
  const isAt = (base: string, { origin }: URL) => origin === new URL(base).origin;

  /** One attempt, with its redirects. */
  async function attempt(accessToken: string, address: string, { isRead: _isRead, ...init }: SendInit) {
    const limit = AbortSignal.timeout(CALL_MS);
    const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
    let url = new URL(address);
    for (let followed = 0; ; followed += 1) {
      const headers = new Headers(init.headers);
      if (isOwn(url)) {
        headers.set('authorization', `${plugIn.tokenScheme?.(url.pathname) ?? 'Bearer'} ${accessToken}`);
        for (const [name, value] of Object.entries(plugIn.headers ?? {})) headers.set(name, value);
      }
      const answer = await call(url.href, { ...init, headers, signal, redirect: 'manual' });
      const target = answer.headers.get('location');
      if (answer.status < 300 || answer.status > 399 || answer.status === 304 || target === null) return answer;
      if (followed >= MAX_REDIRECTS || (init.method ?? 'GET') !== 'GET')
        throw new RefusedAddress('The provider leads to another address.');
      url = new URL(target, url);
    }
  }

  async function tryOnce(accessToken: string, address: string, init: SendInit): Promise<Response | Attempt> {
    try {
      return await attempt(accessToken, address, init);
    } catch (error) {
      if (error instanceof RefusedAddress) throw new ProviderFailure('refused', error.message);
      if (init.signal?.aborted) throw error;
      logger.debug({ connector: card.id, what: (error as Error).message }, 'a provider did not answer');
      return { status: null, retryAfter: null };
    }
  }

  /** Calls the provider's API with a token. The caller handles the response, except 401, 429 and 5xx, which throw. */
  const sendWith =
    (accessToken: string): Send =>
    async (given, init = {}) => {
      const own = addressAt(plugIn, given);
      if (!isOwn(new URL(own))) throw new ProviderFailure('refused', 'the address is not the provider’s');
      const method = init.method ?? 'GET';
      const isRead = init.isRead ?? (method === 'GET' || method === 'HEAD');
      for (let attempts = 1; ; attempts += 1) {
        if (!breaker.lets()) throw new ProviderFailure('unavailable', 'it did not answer a moment ago');
        const begun = Date.now();
        const answer = await tryOnce(accessToken, own, init);
        const { status } = answer;
        const path = new URL(own).pathname;
        logger.debug({ connector: card.id, method, path, status, attempts, ms: Date.now() - begun }, 'called');
        if (status !== null && tokenRefusals.includes(status)) {
          breaker.note(true);
          throw new ProviderFailure('refused', 'the token is refused');
        }
        const failed = answer instanceof Response ? attemptOf(answer) : answer;
        if (answer instanceof Response && failed.status !== null && !isUnavailable(failed.status)) {
          breaker.note(true);
          return answer;
        }
        const delay = delayAfter(attempts, failed, isRead);
        // What an answer says about a fault is not used; it is read so that its connection ends.
        if (answer instanceof Response) await answer.arrayBuffer().catch(() => undefined);
        if (delay !== null) {
          await wait(delay * env.PATIENCE_FACTOR, undefined, init.signal ? { signal: init.signal } : {});
          continue;
        }
        // A limit that is used up says that the provider is up.
        breaker.note(failed.status === 429);
        const what = failed.status === null ? 'it does not answer' : `it answers ${failed.status}`;
        throw new ProviderFailure('unavailable', what);
      }
    };
  return { sendWith };
}
