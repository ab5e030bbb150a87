import { AppError } from '../../../models/contracts/errors.ts';
import type { LoginProvider, ReturnReason } from '../../../models/contracts/oauth.ts';
import { logger } from '../../../models/logger.ts';
import { User, type UserRow } from '../../../models/user.ts';
import { createAccount } from '../accounts/createAccount.ts';
import { ProviderFailure } from '../connectors/failure.ts';
import { consumeState, keepState, newState } from '../connectors/oauthState.ts';
import { makeProvider, type Secrets } from '../connectors/provider.ts';
import { type Claims, LOGINS } from './providers.ts';

const SCOPES = ['openid', 'email', 'profile'];
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,190}$/;

/** A login that did not come about, with the reason that its page shows. */
export class LoginRefused extends Error {
  readonly reason: ReturnReason;
  constructor(reason: ReturnReason) {
    super(reason);
    this.name = 'LoginRefused';
    this.reason = reason;
  }
}

/** Whether people can log in with a provider here. */
export function isLoginConfigured(provider: LoginProvider): boolean {
  const { clientId, clientSecret } = LOGINS[provider].settings();
  return clientId !== '' && clientSecret !== '';
}

function clientOf(provider: LoginProvider) {
  const { settings, authorize, token, issuer } = LOGINS[provider];
  return makeProvider({
    card: { id: provider },
    callback: `/api/oauth/${provider}/auth/callback`,
    settings,
    endpoints: { authorize: authorize(), token: token() },
    issuer: issuer(),
    clientAuthentication: 'form',
    consent: { prompt: 'select_account' },
  });
}

/** The name under which a login's state is kept: a state of a connection is none of a login. */
const stateOf = (provider: LoginProvider) => `login:${provider}`;

/**
 * Begins a login.
 * @param sessionId the session to which the provider's answer is bound
 * @returns the provider's page
 * @throws LoginRefused login_not_configured
 */
export async function beginLogin(provider: LoginProvider, sessionId: string): Promise<string> {
  if (!isLoginConfigured(provider)) throw new LoginRefused('login_not_configured');
  const client = clientOf(provider);
  const state = newState();
  const secrets = client.newSecrets(SCOPES);
  await keepState(null, sessionId, state, { service: stateOf(provider), from: '/auth', agent: null, kept: secrets });
  return client.authorizeUrl(state, secrets);
}

const textIn = (claims: Claims, name: string): string | null => {
  const value = claims[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 100) : null;
};

/**
 * Finishes a login: the person with the confirmed e-mail, who is made where there is none.
 * @throws LoginRefused
 */
export async function finishLogin(
  provider: LoginProvider,
  sessionId: string,
  { code, state }: { code?: string | undefined; state?: string | undefined },
): Promise<UserRow> {
  const begun = state ? await consumeState(null, sessionId, [stateOf(provider)], state) : null;
  if (!begun || !state || !isLoginConfigured(provider)) throw new LoginRefused('not_begun_here');
  if (!code) throw new LoginRefused('access_denied');
  const { claims } = await clientOf(provider)
    .exchange(code, state, begun.kept as Secrets)
    .catch((error: unknown) => {
      if (!(error instanceof ProviderFailure)) throw error;
      logger.warn({ provider, kind: error.kind, what: error.message }, 'a login failed at its provider');
      throw new LoginRefused(error.kind === 'unavailable' ? 'temporarily_unavailable' : 'connection_refused');
    });
  const email = claims && textIn(claims, 'email')?.toLowerCase();
  if (!claims || !email || !EMAIL.test(email) || !LOGINS[provider].confirmsEmail(claims))
    throw new LoginRefused('email_not_confirmed');
  return findOrCreate(email, claims);
}

async function findOrCreate(email: string, claims: Claims): Promise<UserRow> {
  const known = await User.findOne({ email }).lean();
  if (known) return requireConfirmed(known);
  const [firstName, lastName] = [textIn(claims, 'given_name'), textIn(claims, 'family_name')];
  const person = {
    email,
    passwordHash: null,
    firstName,
    lastName,
    emailVerified: true,
    verifiedBy: 'provider',
  } as const;
  try {
    return await createAccount(person);
  } catch (error) {
    // Two logins of a new person at one moment: the other one has made the account.
    const made = error instanceof AppError ? await User.findOne({ email }).lean() : null;
    if (!made) throw error;
    return requireConfirmed(made);
  }
}

/**
 * Whoever signed up with an address that was never confirmed may be somebody else, who would share the account from
 * then on.
 */
function requireConfirmed(user: UserRow): UserRow {
  if (!user.emailVerified) throw new LoginRefused('account_not_confirmed');
  return user;
}
