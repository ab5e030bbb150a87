import * as oidc from 'openid-client';
import { baseUrl, env } from '../../../models/env.ts';
import type { Tokens } from '../grants/makeGrants.ts';
import { RefusedAddress } from '../network/address.ts';
import { basicAuthorization } from './basicAuthorization.ts';
import { addressAt, fetchFor, makeClient } from './client.ts';
import type { ConnectorPlugIn } from './connector.ts';
import { isRefused, isUnavailable, ProviderFailure } from './failure.ts';

/** Timeout of token calls in seconds: well below the 30 s after which another process may claim a renewal. */
const TOKEN_CALL_S = 8 * env.PATIENCE_FACTOR;

export type ConnectorTokens = Tokens & {
  accessToken: string;
  /** The connector's `keptFields` of the token answer; absent where it has none. */
  kept?: Record<string, string>;
};

/** Secrets of a consent flow, kept until the person returns. */
export type Secrets = { verifier: string; nonce: string; scopes: string[] };

function failureOf(error: unknown): ProviderFailure {
  if (error instanceof oidc.ResponseBodyError)
    return new ProviderFailure(isUnavailable(error.status) ? 'unavailable' : 'refused', error.error);
  if (error instanceof oidc.WWWAuthenticateChallengeError) return new ProviderFailure('refused', 'invalid_client');
  if (error instanceof oidc.ClientError && error.cause instanceof ProviderFailure) return error.cause;
  if (error instanceof oidc.ClientError && error.code !== 'OAUTH_TIMEOUT') {
    const isUnavailableAnswer = error.cause instanceof Response && isUnavailable(error.cause.status);
    return new ProviderFailure(isUnavailableAnswer ? 'unavailable' : 'refused', error.message);
  }
  return new ProviderFailure('unavailable', (error as Error).message);
}
const asProviderFailure = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((error: unknown) => {
    throw failureOf(error);
  });

/** Whether the provider rejects the refresh token for good (RFC 6749, section 5.2). */
export const isGrantOver = (error: unknown): boolean => isRefused(error) && error.message === 'invalid_grant';

/** Words of providers for errors that RFC 6749 has names for. */
const STANDARD_ERRORS: Record<string, string> = {
  bad_refresh_token: 'invalid_grant',
  BAD_REFRESH_TOKEN: 'invalid_grant',
  BAD_AUTH_CODE: 'invalid_grant',
  bad_verification_code: 'invalid_grant',
  incorrect_client_credentials: 'invalid_client',
};

/** The error that a token answer names; null where it names none. */
function errorIn(text: string): string | null {
  try {
    const answer = JSON.parse(text) as { error?: unknown; object?: unknown; code?: unknown; status?: unknown } | null;
    const error = answer?.object === 'error' ? (answer.error ?? answer.code) : (answer?.error ?? answer?.status);
    return typeof error === 'string' ? error : null;
  } catch {
    // That it is no JSON is said by who reads it.
    return null;
  }
}

/**
 * A token answer as RFC 6749 has it: with the type of its token, which some providers leave out, and without what is
 * null, or a lifetime of 0 for a token that does not expire.
 */
function asTokenAnswer(text: string): string {
  try {
    const answer = JSON.parse(text) as Record<string, unknown> | null;
    if (typeof answer?.access_token !== 'string') return text;
    const given = Object.entries(answer).filter(
      ([name, value]) => value !== null && !(name === 'expires_in' && value === 0),
    );
    return JSON.stringify({ token_type: 'bearer', ...Object.fromEntries(given) });
  } catch {
    return text;
  }
}

/** Statuses with which an address that only renews refuses what it got; 401 is about the client. */
const REFUSED_RENEWALS = [400, 403, 404];

/**
 * A token answer as RFC 6749 has it: some providers refuse with 200, and in words of their own.
 * @param onlyRenews whether the address takes nothing but refresh tokens
 */
async function asStandard(
  answer: Response,
  onlyRenews: boolean,
  ownErrors: ConnectorPlugIn['tokenErrors'] = {},
): Promise<Response> {
  const { status, headers } = answer;
  if (status !== 200 && status < 400) return answer;
  const text = await answer.text();
  const error = errorIn(text) ?? (onlyRenews && REFUSED_RENEWALS.includes(status) ? 'invalid_grant' : null);
  if (error === null) return new Response(status === 200 ? asTokenAnswer(text) : text, { status, headers });
  const body = JSON.stringify({ error: ownErrors[error] ?? STANDARD_ERRORS[error] ?? error });
  return new Response(body, { status: status === 200 ? 400 : status, headers: { 'content-type': 'application/json' } });
}

/** A form as JSON, for providers that take the parameters of a token call so. */
function asJson(init: RequestInit): RequestInit {
  const headers = new Headers(init.headers);
  headers.set('content-type', 'application/json');
  return { ...init, headers, body: JSON.stringify(Object.fromEntries(new URLSearchParams(String(init.body)))) };
}

/** The client's id and secret in a header, as they are. */
const plainHeader =
  (secret: string): oidc.ClientAuth =>
  (_server, { client_id }, _body, headers) =>
    headers.set('authorization', basicAuthorization(client_id, secret));

const AUTHENTICATIONS = { form: oidc.ClientSecretPost, header: oidc.ClientSecretBasic, 'plain-header': plainHeader };

/** What of a connector its provider's client needs. */
type Provider = Pick<
  ConnectorPlugIn,
  | 'settings'
  | 'endpoints'
  | 'hosts'
  | 'headers'
  | 'tokenRefusals'
  | 'revokeRequest'
  | 'issuer'
  | 'consent'
  | 'clientAuthentication'
  | 'hasPkce'
  | 'tokenBody'
  | 'keptFields'
  | 'tokenScheme'
  | 'tokenErrors'
> & {
  card: Pick<ConnectorPlugIn['card'], 'id'>;
  /** Path of the redirect URI, where it is not that of a connector. */
  callback?: string;
};

/** A client for a connector's provider: OAuth 2 with PKCE, and OpenID Connect where requested. */
export function makeProvider(plugIn: Provider) {
  const { card, settings, endpoints, issuer, consent, clientAuthentication, headers = {}, hasPkce = true } = plugIn;
  /** The redirect URI; providers compare it exactly. */
  const redirectUri = () => baseUrl() + (plugIn.callback ?? `/api/oauth/${card.id}/callback`);
  const at = (address: string) => addressAt(plugIn, address);
  const fetchOwn = fetchFor(plugIn);

  function configure(tokenEndpoint = endpoints.token): oidc.Configuration {
    const { clientId, clientSecret } = settings();
    const server = {
      issuer: settings().baseUrl || issuer || new URL(endpoints.token).origin,
      authorization_endpoint: at(endpoints.authorize),
      token_endpoint: at(tokenEndpoint),
      ...(endpoints.revoke ? { revocation_endpoint: at(endpoints.revoke) } : {}),
    };
    const configuration = new oidc.Configuration(
      server,
      clientId,
      {},
      AUTHENTICATIONS[clientAuthentication](clientSecret),
    );
    configuration.timeout = TOKEN_CALL_S;
    configuration[oidc.customFetch] = (url, given) => {
      const init = { ...given, headers: { ...headers, ...given.headers } } as RequestInit;
      return fetchOwn(url, plugIn.tokenBody === 'json' ? asJson(init) : init).then(
        (answer) => asStandard(answer, tokenEndpoint === endpoints.refresh, plugIn.tokenErrors),
        (error: Error) => {
          throw new ProviderFailure(error instanceof RefusedAddress ? 'refused' : 'unavailable', error.message);
        },
      );
    };
    // The environment only accepts http for loopback addresses.
    if (server.token_endpoint.startsWith('http:')) oidc.allowInsecureRequests(configuration);
    return configuration;
  }

  function keptOf(answer: Readonly<Record<string, unknown>>): Pick<ConnectorTokens, 'kept'> {
    const found = (plugIn.keptFields ?? []).flatMap((field) => {
      const value = answer[field];
      return typeof value === 'string' ? [[field, value] as const] : [];
    });
    return found.length > 0 ? { kept: Object.fromEntries(found) } : {};
  }

  const tokensOf = (answer: oidc.TokenEndpointResponse): ConnectorTokens => ({
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? null,
    expiresAt: answer.expires_in === undefined ? null : Math.floor(Date.now() / 1000) + answer.expires_in,
    ...keptOf(answer),
  });

  return {
    newSecrets: (scopes: string[]): Secrets => ({
      verifier: oidc.randomPKCECodeVerifier(),
      nonce: oidc.randomNonce(),
      scopes,
    }),

    /** URL of the provider's consent page. */
    async authorizeUrl(state: string, { verifier, nonce, scopes }: Secrets): Promise<string> {
      const asked = {
        ...consent,
        redirect_uri: redirectUri(),
        state,
        ...(hasPkce
          ? { code_challenge: await oidc.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }
          : {}),
        ...(scopes.length > 0 ? { scope: scopes.join(' ') } : {}),
        ...(scopes.includes('openid') ? { nonce } : {}),
      };
      return oidc.buildAuthorizationUrl(configure(), asked).href;
    },

    /**
     * Exchanges a code for tokens.
     * @returns the tokens, the granted scopes, and the claims of the id token where one was requested
     * @throws ProviderFailure
     */
    async exchange(code: string, state: string, { verifier, nonce, scopes }: Secrets) {
      const back = new URL(`${redirectUri()}?${new URLSearchParams({ code, state })}`);
      const answer = await asProviderFailure(
        oidc.authorizationCodeGrant(configure(), back, {
          ...(hasPkce ? { pkceCodeVerifier: verifier } : {}),
          expectedState: state,
          ...(scopes.includes('openid') ? { expectedNonce: nonce } : {}),
        }),
      );
      // Omitted where it equals the request (RFC 6749, section 5.1).
      const granted = answer.scope === undefined ? scopes : answer.scope.split(/[ ,]+/);
      return { tokens: tokensOf(answer), scopes: granted, claims: answer.claims() ?? null };
    },

    /**
     * Renews the tokens.
     * @throws ProviderFailure
     */
    async renew<T extends ConnectorTokens>(before: T): Promise<T> {
      const answer = await asProviderFailure(
        oidc.refreshTokenGrant(configure(endpoints.refresh), before.refreshToken ?? ''),
      );
      const { refreshToken, ...tokens } = tokensOf(answer);
      return { ...before, ...tokens, refreshToken: refreshToken ?? before.refreshToken };
    },

    /**
     * Revokes the grant.
     * @throws ProviderFailure, also where the provider has no revocation endpoint
     */
    async revoke({ accessToken, refreshToken }: ConnectorTokens): Promise<void> {
      if (plugIn.revokeRequest) {
        const { address, ...request } = plugIn.revokeRequest(settings(), accessToken);
        const signal = AbortSignal.timeout(TOKEN_CALL_S * 1000);
        const answer = await asProviderFailure(fetchOwn(at(address), { ...request, signal }));
        if (!answer.ok) throw new ProviderFailure('refused', `it answers ${answer.status}`);
        return;
      }
      await asProviderFailure(oidc.tokenRevocation(configure(), refreshToken ?? accessToken));
    },

    sendWith: makeClient(plugIn).sendWith,
  };
}
