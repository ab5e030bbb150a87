/** @environment teams */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { teams } from '../environments/teams.ts';
import { type Server, startServer } from '../factories/server.ts';
import type { Claims } from '../fakes/teams/keys.ts';
import { connectOrganisation, type Organisation, postsOf } from '../fakes/teams/organisation.ts';
import { claimsFor } from '../fakes/teams/sender.ts';

let server: Server;
let organisation: Organisation;

beforeAll(async () => {
  server = await startServer();
  organisation = await connectOrganisation(teams, server);
});
afterAll(() => server.stop());

const hello = () => organisation.sender.envelope(organisation.personal, 'message');
const claims = (more: Claims = {}) => ({ ...claimsFor(organisation.tenant, teams.serviceUrl), ...more });
const sendWith = (token: string | null) =>
  organisation.sender.send({ ...hello(), text: 'help' }, organisation.tenant, { token });
const seconds = (from: number) => Math.floor(Date.now() / 1000) + from;

describe('the endpoint for Teams', () => {
  test('accepts Microsoft, with a token for our app', async () => {
    expect((await sendWith(await teams.keys.sign(claims()))).status).toBe(200);
  });

  // Signed by a published key, in the name of Microsoft's own directory.
  const ofDirectory = (serviceurl?: string) => {
    const iss = 'https://sts.windows.net/d6d49420-f39b-4df7-a1dc-d59a935871db/';
    return claims({ iss, ver: '1.0', appid: organisation.tenant.appId, serviceurl });
  };
  const refused: [what: string, token: () => Promise<string | null> | string | null][] = [
    ['no token', () => null],
    ['an empty one', () => ''],
    ['junk', () => 'junk'],
    ['three parts of junk', () => 'a.b.c'],
    ['a forged signature', () => teams.keys.forge(claims())],
    ['a key that nobody knows', () => teams.keys.signUnknown(claims())],
    ['alg none', () => teams.keys.unsigned(claims())],
    ['an expired one', () => teams.keys.sign(claims({ exp: seconds(-3600), nbf: seconds(-7200) }))],
    ['one without an end', () => teams.keys.sign(claims({ exp: undefined }))],
    ['one that is not valid yet', () => teams.keys.sign(claims({ nbf: seconds(3600), exp: seconds(7200) }))],
    ['another app’s', () => teams.keys.sign(claims({ aud: '00000000-0000-4000-8000-000000000000' }))],
    ['an app id that is none', () => teams.keys.sign(claims({ aud: '' }))],
    ['another issuer’s', () => teams.keys.sign(claims({ iss: 'https://example.com' }))],
    ['one for another service address', () => teams.keys.sign(claims({ serviceurl: 'https://elsewhere.example/' }))],
    ['one of the directory, as emulators have', () => teams.keys.sign(ofDirectory())],
    ['one of the directory for our service address', () => teams.keys.sign(ofDirectory(teams.serviceUrl))],
    ['one for no service address', () => teams.keys.sign(claims({ serviceurl: undefined }))],
  ];
  test.each(refused)('refuses somebody with %s: 401, without internal details', async (_what, token) => {
    const { status, text } = await sendWith(await token());
    expect(status).toBe(401);
    // Exactly this text, so that the cause is not revealed.
    expect(JSON.parse(text)).toEqual({ error: 'Please sign in to continue.', code: 'not_signed_in' });
  });

  test('accepts a valid token only for its own service address', async () => {
    const token = await teams.keys.sign(claims());
    const { sender, tenant } = organisation;
    const from = async (serviceUrl: string) =>
      (await sender.send({ ...hello(), text: 'help', serviceUrl }, tenant, { token })).status;
    expect(await from(teams.serviceUrl)).toBe(200);
    expect(await from('https://elsewhere.example/')).toBe(401);
    expect(await from(teams.serviceUrl)).toBe(200);
  });

  test('refuses an expired token, allowing for clocks that differ by five minutes', async () => {
    const token = await teams.keys.sign(claims({ nbf: seconds(-4000), exp: seconds(-298) }));
    expect((await sendWith(token)).status).toBe(200);
    const { eventually } = await import('../factories/person.ts');
    await eventually(async () => (await sendWith(token)).status === 401, 'the refusal', 10_000);
  });

  test('refuses schemes other than Bearer', async () => {
    const answer = await fetch(`${server.url}/api/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Basic eDp4' },
      body: JSON.stringify(hello()),
    });
    expect(answer.status).toBe(401);
  });

  test.each([
    ['no type', { type: undefined }],
    ['a type that is not text', { type: 7 }],
    ['no id', { id: undefined }],
    ['no sender', { from: undefined }],
    ['another channel', { channelId: 'emulator' }],
    ['an invalid text', { text: { a: 1 } }],
    ['entities that are not a list', { entities: 'x' }],
    ['entities of nothing', { entities: [null] }],
    ['an invalid tenant', { conversation: { id: 'a:1', tenantId: 5 } }],
    ['a name that is not text', { type: 'invoke', name: 5 }],
    ['an action that is not text', { type: 'installationUpdate', action: {} }],
    ['an invalid message to reply to', { replyToId: {} }],
    ['an invalid team', { channelData: { team: { id: { $ne: 'x' } } } }],
    ['an invalid channel', { channelData: { channel: { id: { $ne: 'x' } } } }],
    ['channel data with such a tenant', { channelData: { tenant: { id: 5 } } }],
  ])('refuses %s with 400', async (_what, more) => {
    const { status, text } = await organisation.sender.send({ ...hello(), text: 'help' }, organisation.tenant, {
      more,
    });
    expect({ status, code: JSON.parse(text).code }).toEqual({ status: 400, code: 'bad_request' });
  });

  test.each([
    'name',
    'action',
    'value',
    'entities',
    'attachments',
    'membersAdded',
    'membersRemoved',
    'channelData',
    'replyToId',
  ])('treats a message whose “%s” is null as one without it', async (field) => {
    const { sender, personal, tenant } = organisation;
    const before = postsOf(tenant).length;
    const sent = await sender.send({ ...sender.envelope(personal, 'message'), text: 'status' }, tenant, {
      more: { [field]: null },
    });
    expect(sent.status).toBe(200);
    const { eventually } = await import('../factories/person.ts');
    await eventually(async () => postsOf(tenant).length > before, 'the answer');
  });

  test('refuses a body that is not JSON, or too long, without internal details', async () => {
    const authorization = `Bearer ${await teams.keys.sign(claims())}`;
    const post = async (body: string) => {
      const headers = { 'content-type': 'application/json', authorization };
      const answer = await fetch(`${server.url}/api/messages`, { method: 'POST', headers, body });
      return { status: answer.status, text: await answer.text() };
    };
    for (const { status, text } of [await post('{'), await post(`{"a":"${'x'.repeat(2_000_000)}"}`)]) {
      expect([400, 413]).toContain(status);
      expect(text).not.toMatch(/SyntaxError|PayloadTooLarge|node_modules/);
    }
  });

  test.each(['unknown/thing', 'constructor', '__proto__', 'toString'])(
    'answers an unknown invoke such as “%s” with 501',
    async (name) => {
      expect((await organisation.sender.invoke(organisation.personal, name, {})).status).toBe(501);
    },
  );

  test.each(['constructor', '__proto__', 'toString'])('ignores an invalid event “%s”', async (type) => {
    const { sender, personal, tenant } = organisation;
    expect((await sender.send(sender.envelope(personal, type), tenant)).status).toBe(200);
  });

  test.each(['constructor', '__proto__'])('answers an invalid search “%s” with 400', async (commandId) => {
    const { sender, personal } = organisation;
    const { status } = await sender.invoke(personal, 'composeExtension/query', { commandId, parameters: [] });
    expect(status).toBe(400);
  });

  test.each([null, 'x', 5])('answers an invalid press “%s” with 400', async (value) => {
    expect((await organisation.sender.invoke(organisation.personal, 'adaptiveCard/action', value)).status).toBe(400);
  });
});

describe('the app that a token is meant for', () => {
  test('decides whose secret is used: each organisation has its own registration', async () => {
    const other = await connectOrganisation(teams, server);
    await other.sender.message(other.personal, 'help');
    const { eventually } = await import('../factories/person.ts');
    await eventually(async () => postsOf(other.tenant).length > 0, 'the reply');
    const asked = teams.callsOf(/POST \/token/).filter(({ tenant }) => tenant === other.tenant.id);
    expect(asked.at(-1)?.body.clientId).toBe(other.tenant.appId);
  });

  test('may be registered in two organisations, and answers in each with its own secret', async () => {
    const { eventually } = await import('../factories/person.ts');
    const one = await connectOrganisation(teams, server);
    const { appId } = one.tenant;
    const other = await connectOrganisation(teams, server, 'full', teams.addTenant({ appId, secret: 'another' }));
    for (const { sender, personal, tenant } of [one, other]) {
      await sender.message(personal, 'help');
      await eventually(async () => postsOf(tenant).length === 1, 'the reply');
    }
  });

  test('gives no access to another organisation’s tenant', async () => {
    const other = await connectOrganisation(teams, server);
    const before = postsOf(organisation.tenant).length;
    // Signed for the other app, but naming our tenant.
    const aud = { claims: { aud: other.tenant.appId } };
    const { status } = await organisation.sender.message(organisation.personal, 'help', aud);
    expect(status).toBe(200);
    await other.sender.message(other.personal, 'help');
    const { eventually } = await import('../factories/person.ts');
    await eventually(async () => postsOf(other.tenant).length > 0, 'the later reply');
    expect(postsOf(organisation.tenant).length).toBe(before);
  });

  test('gets a new answering token when the old one is refused, once', async () => {
    const { sender, personal, tenant } = await connectOrganisation(teams, server);
    const { eventually } = await import('../factories/person.ts');
    await sender.message(personal, 'help');
    await eventually(async () => postsOf(tenant).length === 1, 'the reply');
    teams.revokeTokens();
    await sender.message(personal, 'What is the risk matrix?');
    await eventually(async () => postsOf(tenant).length === 2, 'the reply after');
  });
});

test('without an app id no adapter exists, so nobody is admitted unchecked', async () => {
  const { makeAdapter } = await import('../../bot/channels/teams/platform/adapter.ts');
  const { env } = await import('../../models/env.ts');
  const apps = { isKnown: async () => true, tokenOf: async () => '' };
  expect(() => makeAdapter({ ...apps }, { ...env, MICROSOFT_APP_ID: '' })).toThrow(/MICROSOFT_APP_ID is empty/);
});
