/** @environment teams */
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { io } from 'socket.io-client';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { startTeamsServer, type TeamsServer } from '../../factories/teamsServer.ts';
import type { Claims } from '../../fakes/teams/keys.ts';
import type { Organisation } from '../../fakes/teams/organisation.ts';
import { addConversation, addUser } from '../../fakes/teams/server.ts';

let it: TeamsServer;
beforeAll(async () => {
  it = await startTeamsServer();
});
afterAll(() => it.stop());

/** The claims of the token that Teams gives to a page. */
const claimsOf = ({ tenant, ada }: Organisation, more: Claims = {}): Claims => ({
  iss: `${it.teams.url}/${tenant.id}/v2.0`,
  aud: tenant.appId,
  tid: tenant.id,
  oid: ada.aadObjectId,
  preferred_username: 'somebody-else@example.org',
  exp: Math.floor(Date.now() / 1000) + 3600,
  ...more,
});
const buy = (token: string) => it.server.browser().post('/api/teams/tab-token').send({ token });

describe('the inbox as a tab', () => {
  /** @shows POST /api/teams/tab-token */
  test('Teams’ token is exchanged for a short-lived one, which identifies the person in calls and on the socket', async () => {
    const organisation = await it.connect();
    const { body, status } = await buy(await it.teams.keys.sign(claimsOf(organisation)));
    expect({ status, seconds: body.seconds }).toEqual({ status: 200, seconds: 600 });
    const authorization = `Bearer ${body.token}`;
    const agents = await it.server.browser().get('/api/user-agents').set('authorization', authorization).expect(200);
    expect((agents.body as UserAgent[])[0]?.id).toBe(organisation.owner.agent.id);
    const socket = io(it.server.url, { transports: ['websocket'], auth: { token: body.token }, forceNew: true });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('connect_error', reject);
    });
    socket.close();
    const resource = `api://${new URL(it.server.url).hostname}:3000/botid-${organisation.tenant.appId}`;
    expect((await buy(await it.teams.keys.sign(claimsOf(organisation, { aud: resource })))).status).toBe(200);
  });

  test.each([
    ['junk', async () => 'junk'],
    ['a forged one', async (organisation: Organisation) => it.teams.keys.forge(claimsOf(organisation))],
    ['an unsigned one', async (organisation: Organisation) => it.teams.keys.unsigned(claimsOf(organisation))],
    ['an expired one', async (organisation: Organisation) => it.teams.keys.sign(claimsOf(organisation, { exp: 1000 }))],
    [
      'another tenant’s',
      async (organisation: Organisation) => {
        const tid = '11111111-1111-4111-8111-111111111111';
        return it.teams.keys.sign(claimsOf(organisation, { tid, iss: `${it.teams.url}/${tid}/v2.0` }));
      },
    ],
    [
      'another issuer’s',
      async (organisation: Organisation) => it.teams.keys.sign(claimsOf(organisation, { iss: 'https://x' })),
    ],
    [
      'another app’s',
      async (organisation: Organisation) =>
        it.teams.keys.sign(claimsOf(organisation, { aud: '22222222-2222-4222-8222-222222222222' })),
    ],
    [
      'one for another address of ours',
      async (organisation: Organisation) =>
        it.teams.keys.sign(claimsOf(organisation, { aud: `api://elsewhere/botid-${organisation.tenant.appId}` })),
    ],
    [
      'one without an end',
      async (organisation: Organisation) => it.teams.keys.sign(claimsOf(organisation, { exp: undefined })),
    ],
    [
      'one for several audiences',
      async (organisation: Organisation) => {
        const aud = ['22222222-2222-4222-8222-222222222222', organisation.tenant.appId];
        return it.teams.keys.sign(claimsOf(organisation, { aud }));
      },
    ],
    [
      'one of an account that has Teams switched off',
      async (organisation: Organisation) => {
        const off = { integrationId: 'teams-bot', enabled: false };
        await organisation.owner.browser.post('/api/integrations/toggle').send(off).expect(200);
        return it.teams.keys.sign(claimsOf(organisation));
      },
    ],
    [
      'one without a person',
      async (organisation: Organisation) => it.teams.keys.sign(claimsOf(organisation, { oid: undefined })),
    ],
  ])('%s is not exchanged: 401', async (_what, make) => {
    const { status, body } = await buy(await make(await it.connect()));
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'not_signed_in' });
  });

  test('a failure of Teams to identify the person is reported, and a retry works', async () => {
    const organisation = await it.connect();
    const token = await it.teams.keys.sign(claimsOf(organisation));
    it.teams.fail(/GET .*members/, 503, 1);
    const { status, body } = await buy(token);
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'teams_unavailable' });
    expect((await buy(token)).status).toBe(200);
  });

  test('a stranger gets no token, nor does somebody whom the app has never met, whatever name their token has', async () => {
    const organisation = await it.connect();
    const { tenant, sender, owner } = organisation;
    const stranger = addUser(tenant, 'Stranger', 'stranger@example.com');
    const oid = stranger.aadObjectId;
    const named = claimsOf(organisation, { oid, preferred_username: owner.email, email: owner.email });
    expect((await buy(await it.teams.keys.sign(named))).body.error).toContain('Write to Arc in its chat first');
    await sender.install({ tenant, user: stranger, conversation: addConversation(tenant, 'personal', [stranger]) });
    expect((await buy(await it.teams.keys.sign(named))).status).toBe(403);
  });

  test('a short-lived token that is forged, or of somebody who signed out everywhere, identifies nobody', async () => {
    const organisation = await it.connect();
    const { body } = await buy(await it.teams.keys.sign(claimsOf(organisation)));
    const read = (token: string) => it.server.browser().get('/api/user-agents').set('authorization', `Bearer ${token}`);
    expect((await read('junk')).status).toBe(401);
    expect((await read(it.teams.keys.unsigned({ sub: String(organisation.owner.user.id), accountId: 1 }))).status).toBe(
      401,
    );
    // A session's cookie does not make up for a bad token.
    expect((await organisation.owner.browser.get('/api/user-agents').set('authorization', 'Bearer junk')).status).toBe(
      401,
    );
    const { User } = await import('../../../models/user.ts');
    const { announce } = await import('../../../models/store/revisions.ts');
    await User.updateOne(
      { _id: organisation.owner.user.id },
      { $set: { sessionsValidFrom: new Date(Date.now() + 1000) } },
    );
    announce(organisation.owner.user.accountId, ['account']);
    expect((await read(body.token)).status).toBe(401);
  });
});

describe('a short-lived token after its ten minutes', () => {
  const CLOCKS = ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setInterval', 'setTimeout'];
  const later = (seconds: number) =>
    jest.useFakeTimers({
      now: Date.now() + seconds * 1000,
      doNotFake: [...CLOCKS, 'clearImmediate', 'clearInterval', 'clearTimeout'] as never,
    });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('identifies nobody: neither in a call, nor on a socket that was opened with it', async () => {
    const organisation = await it.connect();
    const { body } = await buy(await it.teams.keys.sign(claimsOf(organisation)));
    const read = async () =>
      (await it.server.browser().get('/api/user-agents').set('authorization', `Bearer ${body.token}`)).status;
    const socket = io(it.server.url, { transports: ['websocket'], auth: { token: body.token }, forceNew: true });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('connect_error', reject);
    });
    const say = async () => (await socket.timeout(5000).emitWithAck('send', { message: 'help' })).success;
    later(590);
    const before = [await read(), await say()];
    jest.useRealTimers();
    later(601);
    const after = [await read(), await say()];
    socket.close();
    expect({ before, after }).toEqual({ before: [200, true], after: [401, false] });
  });
});

test('only Teams may frame the tab, and no other page may be framed', async () => {
  const headersOf = async (path: string) => (await fetch(`${it.server.url}${path}`)).headers;
  const tab = await headersOf('/teams-tab');
  expect(tab.get('x-frame-options')).toBeNull();
  const policy = tab.get('content-security-policy') ?? '';
  const ancestors = /frame-ancestors ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? [];
  expect(ancestors.length).toBeGreaterThan(0);
  for (const ancestor of ancestors)
    expect(ancestor).toMatch(/^https:\/\/(\*\.)?teams\.(microsoft\.com|cloud\.microsoft)$/);
  for (const path of ['/', '/agent-inbox', '/teams-tab/x', '/teams-tabs', '/api/teams/status']) {
    const headers = await headersOf(path);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
  }
});
