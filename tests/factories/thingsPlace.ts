import { makeConnection } from '../../bot/engine/connectors/connection.ts';
import type { ConnectorPlugIn } from '../../bot/engine/connectors/connector.ts';
import { newState } from '../../bot/engine/connectors/oauthState.ts';
import { connectionTo, registerConnector } from '../../bot/engine/connectors/registry.ts';
import { ConnectorGrant } from '../../models/connectorGrant.ts';
import { baseUrl } from '../../models/env.ts';
import { runInAccount } from '../../models/store/context.ts';
import { unseal } from '../../models/store/encrypted.ts';
import { requireRow } from '../../models/store/requireRow.ts';
import { provider } from '../environments/connectors.ts';
import { defineThings } from './madeUpConnector.ts';
import type { Person } from './person.ts';
import { makeWho } from './who.ts';

export const settings = { clientId: provider.client.id, clientSecret: provider.client.secret, baseUrl: provider.url };
export const redirectUri = `${baseUrl()}/api/oauth/things/callback`;

/** Registers the made-up connector, with a provider that knows this server. */
export function openThings(): void {
  provider.client.redirectUris = [redirectUri];
  registerConnector(defineThings(settings));
}

/** Consents on the provider's page. @returns the address that the provider redirects to */
export async function consent({ browser }: Person, service = 'things'): Promise<URL> {
  const begun = await browser.get(`/api/oauth/${service}/authorize?from=/workspace`).expect(302);
  const page = await fetch(String(begun.headers.location), { redirect: 'manual' });
  return new URL(requireRow(page.headers.get('location')));
}

/** Follows the provider's redirect. @returns the page that the person sees */
export async function returnFromProvider({ browser }: Person, back: URL): Promise<string> {
  return String((await browser.get(`${back.pathname}${back.search}`).expect(302)).headers.location);
}

/** Connects from start to finish. @returns the page that the person sees */
export const connect = async (person: Person, service?: string) =>
  returnFromProvider(person, await consent(person, service));

/** The access that an account's grant gives an agent. */
export const openAccess = ({ user }: Person) =>
  runInAccount(user.accountId, () => requireRow(connectionTo('things') ?? null).openAccess(user.accountId));

export const readGrant = ({ user }: Person) =>
  runInAccount(user.accountId, () => ConnectorGrant.findOne({ connector: 'things' }).lean());

export type KeptTokens = { accessToken: string; refreshToken: string; expiresAt: number; place: object };

/** The tokens of a grant; `null` once it has ended. */
export async function readTokens(person: Person): Promise<KeptTokens> {
  const { sealed, accountId } = requireRow(await readGrant(person));
  return unseal<KeptTokens>(sealed, `connector:things:${accountId}`);
}

/** The connection's state as the pages show it. */
export const readState = async ({ browser }: Person) =>
  (await browser.get('/api/oauth/status/all').expect(200)).body.things;

/** Connects with a plug-in other than the registered one, without the HTTP edge. */
export async function connectBeside({ user }: Person, plugIn: ConnectorPlugIn) {
  const connection = makeConnection(plugIn);
  const who = makeWho({ accountId: user.accountId, userId: user.id });
  const state = newState();
  await runInAccount(user.accountId, async () => {
    const { address, kept } = await connection.connector.begin(who, { service: 'things', state });
    const page = await fetch(address, { redirect: 'manual' });
    const code = new URL(requireRow(page.headers.get('location'))).searchParams.get('code') ?? '';
    await connection.connector.connect(who, { code, state, kept });
  });
  return { connection, who };
}

/** Connects with an access token that expires at once, so that the next use must refresh it. */
export async function connectWithExpiringToken(person: Person): Promise<void> {
  provider.behaviour.lifetime = 1;
  await connect(person);
  provider.behaviour.lifetime = 3600;
  provider.asked.length = 0;
}
