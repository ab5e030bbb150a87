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

/** Makes the made-up connector known, at a provider that knows this server. */
export function openThings(): void {
  provider.client.redirectUris = [redirectUri];
  registerConnector(defineThings(settings));
}

/** Consents on the provider's page. @returns where the provider sends the person back to */
export async function consent({ browser }: Person, service = 'things'): Promise<URL> {
  const begun = await browser.get(`/api/oauth/${service}/authorize?from=/workspace`).expect(302);
  const page = await fetch(String(begun.headers.location), { redirect: 'manual' });
  return new URL(requireRow(page.headers.get('location')));
}

/** Comes back from the provider. @returns the page that the person then sees */
export async function comeBack({ browser }: Person, back: URL): Promise<string> {
  return String((await browser.get(`${back.pathname}${back.search}`).expect(302)).headers.location);
}

/** Connects from beginning to end. @returns the page that the person then sees */
export const connect = async (person: Person, service?: string) => comeBack(person, await consent(person, service));

/** What an account's grant opens, as an agent asks for it. */
export const openAccess = ({ user }: Person) =>
  runInAccount(user.accountId, () => requireRow(connectionTo('things') ?? null).openAccess(user.accountId));

export const readGrant = ({ user }: Person) =>
  runInAccount(user.accountId, () => ConnectorGrant.findOne({ connector: 'things' }).lean());

export type KeptTokens = { accessToken: string; refreshToken: string; expiresAt: number; place: object };

/** The tokens of a grant; null once it has ended. */
export async function readTokens(person: Person): Promise<KeptTokens> {
  const { sealed, accountId } = requireRow(await readGrant(person));
  return unseal<KeptTokens>(sealed, `connector:things:${accountId}`);
}

/** How the screens show it. */
export const readState = async ({ browser }: Person) =>
  (await browser.get('/api/oauth/status/all').expect(200)).body.things;

/** Connects by a plug-in that is not the registered one, without the edge. */
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

/** Connects with a token that is over at once, so that the next use has to renew it. */
export async function connectEnding(person: Person): Promise<void> {
  provider.standing.lifetime = 1;
  await connect(person);
  provider.standing.lifetime = 3600;
  provider.asked.length = 0;
}
