/** @environment connectors */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ConnectorGrant } from '../../../models/connectorGrant.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { provider } from '../../environments/connectors.ts';
import { hearLines } from '../../factories/hearLines.ts';
import { defineThings, thingsCard } from '../../factories/madeUpConnector.ts';
import { type Person, signUp } from '../../factories/person.ts';
import { type Server, startServer } from '../../factories/server.ts';
import {
  connect,
  connectBeside,
  connectWithExpiringToken,
  consent,
  openAccess,
  openThings,
  readGrant,
  readTokens,
  redirectUri,
  settings,
} from '../../factories/thingsPlace.ts';
import { codeOf } from '../../factories/who.ts';

let server: Server;
let owner: Person;
beforeAll(async () => {
  server = await startServer();
  openThings();
});
afterAll(() => server.stop());
beforeEach(async () => {
  owner = await signUp(server);
});
afterEach(() => {
  jest.restoreAllMocks();
  provider.recover();
});

const inAccount = <T>({ user }: Person, work: () => Promise<T>) => runInAccount(user.accountId, work);

describe('a connector', () => {
  test('sends the client’s secret in a header if its provider wants that', async () => {
    provider.asked.length = 0;
    await connectBeside(owner, defineThings(settings, { clientAuthentication: 'header' }));
    const change = provider.asked.find(({ path }) => path === '/token');
    expect(change).toMatchObject({ grant_type: 'authorization_code' });
    expect(change).not.toHaveProperty('client_secret');
    expect((await openAccess(owner)).place).toMatchObject({ id: 'w1' });
  });

  test('accepts the issuer that it names, and no other', async () => {
    const endpoints = { authorize: `${provider.url}/authorize`, token: `${provider.url}/token` };
    const direct = { ...settings, baseUrl: '' };
    const identify = async () => ({ id: 'w2', name: 'Elsewhere' });
    const { issuer: _none, ...unsigned } = defineThings(direct, { endpoints, identify, scopes: { things: ['read'] } });
    await connectBeside(owner, unsigned);
    expect(await readGrant(owner)).toMatchObject({ scopes: ['read'] });
    const connecting = (issuer: string) => connectBeside(owner, defineThings(direct, { endpoints, identify, issuer }));
    provider.behaviour.issuer = 'https://things.example';
    await connecting('https://things.example');
    expect(await readTokens(owner)).toMatchObject({ place: { id: 'w2' } });
    expect(await codeOf(connecting('https://other.example'))).toBe('not_available');
  });

  test('works beside others of the account, each with its own grant', async () => {
    await connect(owner);
    const before = await readTokens(owner);
    const trinkets = defineThings(settings, { card: { ...thingsCard, id: 'trinkets', name: 'Trinkets' } });
    provider.client.redirectUris.push(redirectUri.replace('things', 'trinkets'));
    const own = await connectBeside(owner, trinkets);
    expect(await inAccount(owner, () => ConnectorGrant.countDocuments({}))).toBe(2);
    await inAccount(owner, () => own.connection.disconnect(own.who));
    expect(await readTokens(owner)).toEqual(before);
    expect((await openAccess(owner)).place).toMatchObject({ id: 'w1' });
  });

  test('with a fault of its own does not count as refused by the provider', async () => {
    const identify = () => Promise.reject(new TypeError('a fault'));
    await expect(connectBeside(owner, defineThings(settings, { identify }))).rejects.toThrow('a fault');
  });
});

test('no token, code or secret appears in an answer or a log line, whatever fails', async () => {
  const lines = hearLines();
  const answers: string[] = [];
  const note = async (path: string) => {
    const { text, headers } = await owner.browser.get(path);
    answers.push(text + JSON.stringify(headers));
  };
  const fail = async () => {
    const back = await consent(owner);
    await note(`${back.pathname}${back.search}`);
    return back.searchParams.get('code') ?? '';
  };
  provider.behaviour.nonce = 'of another beginning';
  const codes = [await fail()];
  provider.recover();
  provider.behaviour.denies = true;
  await fail();
  provider.recover();
  provider.behaviour.lifetime = 'soon' as never;
  codes.push(await fail());
  provider.recover();
  await connectWithExpiringToken(owner);
  const tokens = await readTokens(owner);
  provider.fail(500, 'server_error');
  await openAccess(owner).catch(() => null);
  provider.revokeAll();
  await openAccess(owner).catch(() => null);
  await note('/api/oauth/status/all');
  await note('/api/oauth/status/things');
  await owner.browser.delete('/api/oauth/things');
  expect(lines.length).toBeGreaterThan(3);
  for (const secret of [
    ...codes,
    tokens.accessToken,
    tokens.refreshToken,
    settings.clientSecret,
    'access-',
    'refresh-',
  ])
    for (const said of [...lines, ...answers]) expect(said).not.toContain(secret);
});
