import type { ConnectorCard } from '../../../models/contracts/connectorCard.ts';
import type { Environment } from '../../../models/env.ts';
import type { Who } from '../../../models/policies/who.ts';

/** How a service is connected: where a person is sent, and what is done when they come back. */
export type Connector = {
  /** @returns the provider's page to send the person to, and what to keep sealed until they come back */
  begin(who: Who, it: { service: string; state: string }): Promise<Beginning> | Beginning;
  /** Takes the provider's code. @throws AppError with what went wrong, in words */
  connect(who: Who, back: { code: string; state: string; kept: unknown }): Promise<void>;
};
type Beginning = { address: string; kept?: unknown };

/** Calls the provider with a grant's token; the address is the provider's own. @throws ProviderFailure */
export type Send = (address: string, init?: RequestInit) => Promise<Response>;

/** What of the provider's a grant opens, e.g. a workspace; kept sealed with the tokens. */
export type Place = { id: string; name: string };

/** What agents can ask of a connector. */
type Capability = 'documents' | 'tickets' | 'design' | 'code' | 'crm';

/** What a deployment holds for a connector; a value that is not set is empty. */
export type ConnectorSettings = {
  clientId: string;
  clientSecret: string;
  /** Stands in for the provider's own addresses. */
  baseUrl: string;
};

/** A connector, whole: a tool of the customer, as consent, grants and agents need it. */
export type ConnectorPlugIn = {
  /** What the pages know of it, too: `models/contracts/connectors/<id>.ts`. */
  card: ConnectorCard;
  /** The variables of the environment that it reads. */
  environment: readonly (keyof Environment)[];
  settings(): ConnectorSettings;
  /** The provider's addresses; `revoke` is absent where it takes no token back. */
  endpoints: { authorize: string; token: string; revoke?: string };
  /** Who signs its id tokens, where it speaks OpenID Connect; they are checked where `openid` is among the scopes. */
  issuer?: string;
  /** How the client's secret is sent: in the form (most), or in a header of its own. */
  clientAuthentication: 'form' | 'header';
  /** What is asked for, by the id of the tool that begins; each of the card's tools has an entry. */
  scopes: Readonly<Record<string, readonly string[]>>;
  /** What the provider's page is told besides, e.g. that tokens are to be renewed. */
  consent?: Readonly<Record<string, string>>;
  /**
   * Finds out what the token opens: with that answer it is connected. Asked again where the provider refuses a token:
   * refused here too, the grant ends.
   * @throws ProviderFailure
   */
  identify(send: Send): Promise<Place>;
  capabilities: readonly Capability[];
};

/** Declares a connector: its file reads like a table of contents. */
export const defineConnector = (connector: ConnectorPlugIn): ConnectorPlugIn => connector;

/** Whether the deployment holds a connector's credentials. */
export const hasCredentials = ({ settings }: ConnectorPlugIn): boolean => {
  const { clientId, clientSecret } = settings();
  return clientId !== '' && clientSecret !== '';
};
