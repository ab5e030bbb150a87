import type { LoginProvider } from '../../../models/contracts/oauth.ts';
import { env } from '../../../models/env.ts';
import type { ConnectorSettings } from '../connectors/connector.ts';
import { directoryAddress } from '../connectors/directory.ts';

/** What an id token says of a person, as far as it is read. */
export type Claims = Readonly<Record<string, unknown>>;

type Login = {
  settings(): ConnectorSettings;
  authorize(): string;
  token(): string;
  issuer(): string;
  /** Whether the provider vouches that the e-mail is the person's. */
  confirmsEmail(claims: Claims): boolean;
};

const isTrue = (claim: unknown) => claim === true || claim === 'true' || claim === 1 || claim === '1';
const tenant = () => directoryAddress(env.LOGIN_MICROSOFT_TENANT_ID);

/** How people log in with another company's account. */
export const LOGINS: Record<LoginProvider, Login> = {
  google: {
    settings: () => ({
      clientId: env.LOGIN_GOOGLE_CLIENT_ID,
      clientSecret: env.LOGIN_GOOGLE_CLIENT_SECRET,
      baseUrl: env.LOGIN_GOOGLE_BASE_URL,
    }),
    authorize: () => 'https://accounts.google.com/o/oauth2/v2/auth',
    token: () => 'https://oauth2.googleapis.com/token',
    issuer: () => 'https://accounts.google.com',
    confirmsEmail: ({ email_verified }) => isTrue(email_verified),
  },
  microsoft: {
    settings: () => ({
      clientId: env.LOGIN_MICROSOFT_TENANT_ID && env.LOGIN_MICROSOFT_CLIENT_ID,
      clientSecret: env.LOGIN_MICROSOFT_CLIENT_SECRET,
      baseUrl: env.LOGIN_MICROSOFT_BASE_URL,
    }),
    authorize: () => `${tenant()}/oauth2/v2.0/authorize`,
    token: () => `${tenant()}/oauth2/v2.0/token`,
    issuer: () => `${tenant()}/v2.0`,
    // The claim email alone is whatever an administrator of the directory has typed; xms_edov says that the domain is
    // theirs.
    confirmsEmail: ({ xms_edov }) => isTrue(xms_edov),
  },
};
