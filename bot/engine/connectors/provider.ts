import * as oidc from 'openid-client';
import { baseUrl, env } from '../../../models/env.ts';
import type { Tokens } from '../grants/makeGrants.ts';
import type { ConnectorPlugIn, Send } from './connector.ts';

/** A call about tokens is over well before another process may take over a renewal; in seconds. */
const TOKEN_CALL_S = 8 * env.PATIENCE_FACTOR;
const CALL_MS = 30_000 * env.PATIENCE_FACTOR;

/** What a provider says and does not say, without anything that it sent: tokens are in no message and no log line. */
export class ProviderFailure extends Error {
  /** refused: it answered, and the answer is no; unavailable: it did not answer, or has a fault of its own. */
  readonly kind: 'refused' | 'unavailable';
  constructor(kind: ProviderFailure['kind'], what: string) {
    super(what);
    this.name = 'ProviderFailure';
    this.kind = kind;
  }
}

export type ConnectorTokens = Tokens & { accessToken: string };

/** What of a consent only the return may know. */
export type Secrets = { verifier: string; nonce: string; scopes: string[] };

/** What a provider answers about its own state, whatever was asked. */
const isTrouble = (status: number) => status >= 500 || status === 429;

function failureOf(error: unknown): ProviderFailure {
  if (error instanceof oidc.ResponseBodyError)
    return new ProviderFailure(isTrouble(error.status) ? 'unavailable' : 'refused', error.error);
  if (error instanceof oidc.WWWAuthenticateChallengeError) return new ProviderFailure('refused', 'invalid_client');
  if (error instanceof oidc.ClientError && error.code !== 'OAUTH_TIMEOUT') {
    const isTroubled = error.cause instanceof Response && isTrouble(error.cause.status);
    return new ProviderFailure(isTroubled ? 'unavailable' : 'refused', error.message);
  }
  return new ProviderFailure('unavailable', (error as Error).message);
}
const clean = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((error: unknown) => {
    throw failureOf(error);
  });

/** Whether the provider answered no. */
export const isRefused = (error: unknown): error is ProviderFailure =>
  error instanceof ProviderFailure && error.kind === 'refused';

/** Whether the provider will not renew a grant any more (RFC 6749, section 5.2). */
export const isGrantOver = (error: unknown): boolean => isRefused(error) && error.message === 'invalid_grant';

/** A connector's provider, as consent and tokens need it: OAuth 2 with PKCE, and OpenID Connect where it is asked for. */
export function makeProvider({ card, settings, endpoints, issuer, consent, clientAuthentication }: ConnectorPlugIn) {
  /** Where the person comes back to; providers compare it letter by letter. */
  const redirectUri = () => `${baseUrl()}/api/oauth/${card.id}/callback`;
  const at = (address: string) => {
    const base = settings().baseUrl;
    const { pathname, search } = new URL(address);
    return base === '' ? address : new URL(pathname + search, base).href;
  };

  function configure(): oidc.Configuration {
    const { clientId, clientSecret } = settings();
    const authenticate = clientAuthentication === 'form' ? oidc.ClientSecretPost : oidc.ClientSecretBasic;
    const server = {
      issuer: settings().baseUrl || issuer || new URL(endpoints.token).origin,
      authorization_endpoint: at(endpoints.authorize),
      token_endpoint: at(endpoints.token),
      ...(endpoints.revoke ? { revocation_endpoint: at(endpoints.revoke) } : {}),
    };
    const configuration = new oidc.Configuration(server, clientId, {}, authenticate(clientSecret));
    configuration.timeout = TOKEN_CALL_S;
    // The environment takes http for loopback addresses only.
    if (server.token_endpoint.startsWith('http:')) oidc.allowInsecureRequests(configuration);
    return configuration;
  }

  const tokensOf = (answer: oidc.TokenEndpointResponse): ConnectorTokens => ({
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? null,
    expiresAt: answer.expires_in === undefined ? null : Math.floor(Date.now() / 1000) + answer.expires_in,
  });

  return {
    newSecrets: (scopes: string[]): Secrets => ({
      verifier: oidc.randomPKCECodeVerifier(),
      nonce: oidc.randomNonce(),
      scopes,
    }),

    /** The provider's page for a consent. */
    async authorizeUrl(state: string, { verifier, nonce, scopes }: Secrets): Promise<string> {
      const asked = {
        ...consent,
        redirect_uri: redirectUri(),
        state,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(scopes.length > 0 ? { scope: scopes.join(' ') } : {}),
        ...(scopes.includes('openid') ? { nonce } : {}),
      };
      return oidc.buildAuthorizationUrl(configure(), asked).href;
    },

    /** Changes a code for tokens. @returns them with what was consented to. @throws ProviderFailure */
    async exchange(code: string, state: string, { verifier, nonce, scopes }: Secrets) {
      const back = new URL(`${redirectUri()}?${new URLSearchParams({ code, state })}`);
      const answer = await clean(
        oidc.authorizationCodeGrant(configure(), back, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          ...(scopes.includes('openid') ? { expectedNonce: nonce } : {}),
        }),
      );
      // Named only where it is not what was asked for (RFC 6749, section 5.1).
      return { tokens: tokensOf(answer), scopes: answer.scope === undefined ? scopes : answer.scope.split(' ') };
    },

    /** Asks for new tokens. @throws ProviderFailure */
    async renew<T extends ConnectorTokens>(before: T): Promise<T> {
      const answer = await clean(oidc.refreshTokenGrant(configure(), before.refreshToken ?? ''));
      const { refreshToken, ...tokens } = tokensOf(answer);
      return { ...before, ...tokens, refreshToken: refreshToken ?? before.refreshToken };
    },

    /** Takes back what was given. @throws ProviderFailure, also where the provider offers no way to */
    async revoke({ accessToken, refreshToken }: ConnectorTokens): Promise<void> {
      await clean(oidc.tokenRevocation(configure(), refreshToken ?? accessToken));
    },

    /** Calls the provider's interface with a token. What it answers is the caller's, but for 401, 429 and its own faults. */
    sendWith:
      (accessToken: string): Send =>
      async (address, init = {}) => {
        const headers = new Headers(init.headers);
        headers.set('authorization', `Bearer ${accessToken}`);
        const answer = await clean(fetch(at(address), { signal: AbortSignal.timeout(CALL_MS), ...init, headers }));
        if (answer.status === 401) throw new ProviderFailure('refused', 'the token is refused');
        if (isTrouble(answer.status)) throw new ProviderFailure('unavailable', `it answers ${answer.status}`);
        return answer;
      },
  };
}
