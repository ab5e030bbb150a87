/** @environment slack */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { OauthStateRow } from '../../models/oauthState.ts';
import { requireRow } from '../../models/store/requireRow.ts';
import { actionsIn, interruptIdOf, openSlackTeams, posted, verify } from './slackTeams.ts';

const slackTeams = openSlackTeams();
const { eventually, postWith, toldAlone } = actionsIn(slackTeams);

describe('the endpoint for Slack', () => {
  test('answers the challenge', async () => {
    const { status, text } = await slackTeams.sender.verify();
    expect({ status, challenge: JSON.parse(text) }).toEqual({ status: 200, challenge: { challenge: 'word' } });
  });

  test.each([
    ['a bad signature', { secret: 'other' }],
    ['an old timestamp', { timestamp: Math.floor(Date.now() / 1000) - 600 }],
  ])('refuses %s', async (_what, overrides) => {
    expect((await slackTeams.sender.verify(overrides)).status).toBe(401);
  });

  test('a replayed request changes nothing, and is refused when it is old', async () => {
    const { workspace } = await slackTeams.connect();
    const post = (timestamp: number) =>
      slackTeams.sender.message(workspace, 'U1', 'D1', 'help', { ts: '1795900002.000100' }, {
        timestamp,
        eventId: 'Ev1',
      } as never);
    const now = Math.floor(Date.now() / 1000);
    expect([(await post(now)).status, (await post(now)).status, (await post(now - 301)).status]).toEqual([
      200, 200, 401,
    ]);
    await slackTeams.sender.message(workspace, 'U1', 'D2', 'help');
    await eventually(() => posted(workspace).some(({ channel }) => channel === 'D2'), 'the later reply');
    expect(posted(workspace).filter(({ channel }) => channel === 'D1')).toHaveLength(1);
  });

  test('if Arc is not connected, a click or command is told so, and an event is ignored', async () => {
    const unknown = slackTeams.slack.addWorkspace('TNONE');
    expect((await slackTeams.sender.mention(unknown, 'U1', 'C1', 'help')).status).toBe(200);
    for (const act of [
      () => slackTeams.sender.command(unknown, 'U1', 'C1', 'help'),
      () => slackTeams.sender.click(unknown, 'U1', 'answer:approve', '1', { channel: 'C1', ts: '1.1' }),
    ]) {
      slackTeams.slack.calls.length = 0;
      expect((await act()).status).toBe(200);
      expect(await toldAlone(unknown, /not connected/)).toMatchObject({ response_type: 'ephemeral' });
    }
    expect(posted(unknown)).toEqual([]);
  });
});

describe('connecting Slack', () => {
  /** @shows GET /api/slack/test */
  test('switches Slack on, stores the token sealed, and is shown', async () => {
    const { owner, workspace } = await slackTeams.connect();
    expect((await owner.browser.get('/api/oauth/status/all')).body.slack).toMatchObject({
      authenticated: true,
      enabled: true,
      configured: true,
    });
    expect((await owner.browser.get('/api/slack/test')).body).toEqual({ success: true, error: null });
    const { ChannelInstallation } = await import('../../models/channelInstallation.ts');
    const row = await ChannelInstallation.findOne({ key: workspace.team }).lean();
    expect(JSON.stringify(row)).not.toContain(`xoxb-${workspace.team}`);
  });

  test('uses a state once, in the session that started it', async () => {
    slackTeams.slack.addWorkspace('TX');
    const [owner, other] = [
      await slackTeams.factories.signUpReady(slackTeams.server),
      await slackTeams.factories.signUpReady(slackTeams.server),
    ];
    const begun = await owner.browser.get('/api/oauth/slack/authorize').expect(302);
    const vendor = await fetch(String(begun.headers.location), { redirect: 'manual' });
    const back = new URL(String(vendor.headers.get('location')));
    const path = `${back.pathname}${back.search}`;
    expect((await other.browser.get(path)).headers.location).toContain('oauth=error');
    expect((await owner.browser.get(path)).headers.location).toContain('oauth=error');
  });

  describe('a state', () => {
    let owner: Awaited<ReturnType<typeof slackTeams.factories.signUpReady>>;
    beforeAll(async () => {
      slackTeams.slack.addWorkspace('TSTATE');
      owner = await slackTeams.factories.signUpReady(slackTeams.server);
    });
    /** Where Slack redirects the owner. */
    const begin = async () => {
      const begun = await owner.browser.get('/api/oauth/slack/authorize').expect(302);
      const vendor = await fetch(String(begun.headers.location), { redirect: 'manual' });
      const back = new URL(String(vendor.headers.get('location')));
      return `${back.pathname}${back.search}`;
    };
    const endOf = async (browser: typeof owner.browser, path: string) =>
      String((await browser.get(path).expect(302)).headers.location);

    test.each([
      ['another session', () => ({ session: 'f'.repeat(64) })],
      ['another person', ({ userId }: OauthStateRow) => ({ userId: Number(userId) + 1 })],
      ['another company', ({ accountId }: OauthStateRow) => ({ accountId: Number(accountId) + 1 })],
      ['another service', () => ({ service: 'notion' })],
      ['an earlier time', () => ({ expiresAt: new Date() })],
    ])('of %s connects nothing', async (_what, change) => {
      const { OauthState } = await import('../../models/oauthState.ts');
      const path = await begin();
      const row = requireRow(await OauthState.findOne({ userId: owner.user.id }).lean());
      await OauthState.updateOne({ _id: row._id }, { $set: change(row) });
      expect(await endOf(owner.browser, path)).toContain('error=not_begun_here');
      expect((await owner.browser.get('/api/oauth/status/all')).body.slack.authenticated).toBe(false);
      await OauthState.deleteMany({});
    });

    test('of the same person in another browser connects nothing; a new one lasts ten minutes', async () => {
      const { OauthState } = await import('../../models/oauthState.ts');
      const path = await begin();
      const left = (await OauthState.findOne({ userId: owner.user.id }).lean())?.expiresAt.getTime() ?? 0;
      expect(Math.ceil((left - Date.now()) / 60_000)).toBe(10);
      const elsewhere = slackTeams.server.browser();
      await elsewhere.post('/api/login').send({ email: owner.email, password: owner.password }).expect(200);
      expect(await endOf(elsewhere, path)).toContain('error=not_begun_here');
      expect(await endOf(owner.browser, await begin())).toContain('oauth=success');
    });
  });

  test('a workspace belongs to one account', async () => {
    await slackTeams.connect();
    const other = await slackTeams.factories.signUpReady(slackTeams.server);
    const begun = await other.browser.get('/api/oauth/slack/authorize').expect(302);
    const vendor = await fetch(String(begun.headers.location), { redirect: 'manual' });
    const back = new URL(String(vendor.headers.get('location')));
    const done = await other.browser.get(`${back.pathname}${back.search}`);
    expect(done.headers.location).toContain('error=connected_elsewhere');
  });

  test('an organisation installs the app once for all its workspaces, where messages, clicks and commands work', async () => {
    const owner = await slackTeams.factories.signUpReady(slackTeams.server);
    const workspace = slackTeams.slack.addWorkspace('TG1');
    workspace.enterprise = 'E1';
    workspace.users.set('U1', { id: 'U1', email: owner.email, name: 'Ada' });
    await verify(owner);
    expect(await slackTeams.authorize(owner)).toContain('oauth=success');
    const { ts } = await slackTeams.sender.mention(workspace, 'U1', 'C1', 'Try it with a sample');
    const button = await postWith(workspace, /sample/);
    await slackTeams.sender.click(workspace, 'U1', 'say:0', 'Analyse my hazard log', {
      channel: 'C1',
      ts: button.ts,
      thread: ts,
    });
    const message = await eventually(
      () => posted(workspace).find(({ blocks }) => JSON.stringify(blocks).includes('answer:review')),
      'the question',
    );
    const where = { channel: 'C1', ts: message.ts, thread: ts };
    await slackTeams.sender.click(workspace, 'U1', 'answer:reject', interruptIdOf(message), where);
    const modal = await eventually(() => workspace.views.at(-1), 'the modal');
    await slackTeams.sender.submit(workspace, 'U1', modal, { reason: { text: { value: 'Out of scope' } } });
    await eventually(
      () => posted(workspace).some((one) => one.ts === message.ts && /Rejected by/.test(one.text)),
      'closed',
    );
    expect((await slackTeams.sender.command(workspace, 'U1', 'C1', 'status')).text).toContain('Clara');
  });

  test('a removed app takes its token with it, and the page says why', async () => {
    const { owner, workspace } = await slackTeams.connect();
    await slackTeams.sender.event(workspace, { type: 'app_uninstalled' });
    const state = (await owner.browser.get('/api/oauth/status/all')).body.slack;
    expect(state).toMatchObject({ authenticated: false, error: expect.stringContaining('removed') });
    const { ChannelInstallation } = await import('../../models/channelInstallation.ts');
    const { unseal } = await import('../../models/store/encrypted.ts');
    const row = await ChannelInstallation.findOne({ key: workspace.team }).lean();
    expect(unseal(row?.sealed as never, `slack:${workspace.team}`)).toBeNull();
    expect((await slackTeams.sender.mention(workspace, 'U1', 'C1', 'help')).status).toBe(200);
  });

  test.each([
    ['app_uninstalled', {}],
    ['tokens_revoked', { tokens: { bot: ['UBOT'] } }],
  ])('a late %s does not end a newer installation, unless its token is refused', async (type, more) => {
    const { owner, workspace } = await slackTeams.connect();
    const { findInstallation } = await import('../../bot/channels/slack/installations.ts');
    const late = { happenedAt: Date.now() - 60_000 };
    slackTeams.slack.last(workspace);
    expect(await slackTeams.authorize(owner)).toContain('oauth=success');
    await slackTeams.sender.event(workspace, { type, ...more }, late);
    expect(await findInstallation(workspace.team)).not.toBeNull();
    await slackTeams.sender.message(workspace, 'U1', 'D1', 'help');
    await eventually(() => posted(workspace).length > 0, 'the answer');
    slackTeams.slack.revoke(workspace);
    await slackTeams.sender.event(workspace, { type, ...more }, late);
    expect(await findInstallation(workspace.team)).toBeNull();
  });

  test('a token that Slack revoked ends the installation with the first refusal, and nothing is retried', async () => {
    const { owner, workspace } = await slackTeams.connect();
    slackTeams.slack.revoke(workspace);
    await slackTeams.sender.message(workspace, 'U1', 'D1', 'help');
    const state = () => owner.browser.get('/api/oauth/status/all').then(({ body }) => body.slack);
    const ended = await slackTeams.factories.eventually(
      async () => ((await state()).authenticated ? null : await state()),
      'the end of the installation',
    );
    expect(ended.error).toMatch(/has withdrawn the access/);
    expect((await owner.browser.get('/api/slack/test')).body.success).toBe(false);
  });

  test('after reconnecting, a refusal of the old token ends nothing', async () => {
    const { workspace } = await slackTeams.connect();
    const { clientOf, findInstallation, removeInstallation } = await import(
      '../../bot/channels/slack/installations.ts'
    );
    const standing = await findInstallation(workspace.team);
    await removeInstallation(workspace.team, 'gone', { token: 'xoxb-of-before' });
    expect((await findInstallation(workspace.team))?.tokens.botToken).toBe(standing?.tokens.botToken);
    slackTeams.slack.revoke(workspace);
    if (standing)
      await clientOf(standing)
        .auth.test()
        .catch(() => null);
    expect(await findInstallation(workspace.team)).toBeNull();
  });

  /** A connected workspace whose token expires in this many seconds. */
  async function connectWithExpiringToken(seconds: number, refreshToken: string) {
    const team = await slackTeams.connect();
    const { ChannelInstallation } = await import('../../models/channelInstallation.ts');
    const { seal, unseal } = await import('../../models/store/encrypted.ts');
    const { announce } = await import('../../models/store/revisions.ts');
    const { findInstallation } = await import('../../bot/channels/slack/installations.ts');
    const key = team.workspace.team;
    const row = await ChannelInstallation.findOne({ key }).lean();
    const tokens = unseal<Record<string, unknown>>(row?.sealed as never, `slack:${key}`);
    const expiresAt = Math.floor(Date.now() / 1000) + seconds;
    const sealed = seal({ ...tokens, refreshToken, expiresAt }, `slack:${key}`);
    await ChannelInstallation.updateOne({ key }, { $set: { sealed } });
    announce(row?.accountId ?? 0, ['integrations']);
    team.workspace.refreshTokens.add(refreshToken);
    return { ...team, find: () => findInstallation(key) };
  }
  const renewals = () => slackTeams.slack.callsOf('oauth.v2.access').filter(({ body }) => body.grant_type);

  test('a token that expires soon is refreshed once, however many need it, and the new one is stored', async () => {
    const { find } = await connectWithExpiringToken(-10, 'xoxe-once');
    const before = renewals().length;
    const found = await Promise.all(Array.from({ length: 10 }, find));
    const tokens = new Set(found.map((one) => one?.tokens.botToken));
    expect([...tokens]).toEqual([expect.stringMatching(/^xoxe\.xoxb-/)]);
    expect(renewals().length - before).toBe(1);
    const { announce } = await import('../../models/store/revisions.ts');
    announce(found[0]?.row.accountId ?? 0, ['integrations']);
    expect((await find())?.tokens.botToken).toBe(found[0]?.tokens.botToken);
    expect(renewals().length - before).toBe(1);
  });

  test.each([
    ['the refresh of another process', 'is refused, and that process’s token stays', true],
    ['a reinstallation', 'succeeds, and the newer token stays', false],
  ])('refreshed while %s happens, it %s', async (_what, _then, refused) => {
    const { find, workspace, owner } = await connectWithExpiringToken(-10, `xoxe-race-${refused}`);
    const { ChannelInstallation } = await import('../../models/channelInstallation.ts');
    const { seal } = await import('../../models/store/encrypted.ts');
    const key = workspace.team;
    const release = slackTeams.slack.hold();
    const found = find();
    await eventually(() => slackTeams.slack.waiting() > 0, 'the renewal on its way');
    const newer = {
      botToken: `xoxb-${key}`,
      botUserId: `UBOT${key}`,
      botId: `B${key}`,
      refreshToken: 'xoxe-newer',
      expiresAt: Math.floor(Date.now() / 1000) + 40_000,
      teamId: key,
      enterpriseId: null,
    };
    await ChannelInstallation.updateOne({ key }, { $set: { sealed: seal(newer, `slack:${key}`) } });
    if (refused) workspace.refreshTokens.clear();
    release();
    expect((await found)?.tokens.refreshToken).toBe('xoxe-newer');
    const { announce } = await import('../../models/store/revisions.ts');
    announce(owner.user.accountId, ['integrations']);
    expect((await find())?.tokens.refreshToken).toBe('xoxe-newer');
  });

  test('a token that can’t be refreshed any more ends the installation, and every page says so', async () => {
    const { find, owner, workspace } = await connectWithExpiringToken(-10, 'xoxe-dead');
    workspace.refreshTokens.clear();
    expect(await find()).toBeNull();
    expect((await owner.browser.get('/api/slack/test').expect(200)).body.success).toBe(false);
    expect((await owner.browser.get('/api/oauth/status/all')).body.slack).toMatchObject({
      authenticated: false,
      error: expect.stringMatching(/Connect it again/),
    });
    expect((await slackTeams.sender.message(workspace, 'U1', 'D1', 'help')).status).toBe(200);
  });

  test.each(['account_inactive', 'invalid_auth', 'token_revoked', 'app_uninstalled'])(
    'the refusal %s ends an installation',
    async (refusal) => {
      const { workspace } = await slackTeams.connect();
      const { clientOf, findInstallation } = await import('../../bot/channels/slack/installations.ts');
      const installation = await findInstallation(workspace.team);
      slackTeams.slack.refuse('auth.test', refusal);
      if (installation)
        await clientOf(installation)
          .auth.test()
          .catch(() => null);
      slackTeams.slack.recover();
      expect(await findInstallation(workspace.team)).toBeNull();
    },
  );

  test('revoking a person’s own token ends nothing; an organisation’s removal ends everything', async () => {
    const { workspace } = await slackTeams.connect();
    const { findInstallation } = await import('../../bot/channels/slack/installations.ts');
    await slackTeams.sender.event(workspace, { type: 'tokens_revoked', tokens: { oauth: ['U1'] } });
    expect(await findInstallation(workspace.team)).not.toBeNull();
    await slackTeams.sender.event(workspace, { type: 'tokens_revoked', tokens: { bot: ['UBOT'] } });
    expect(await findInstallation(workspace.team)).toBeNull();

    const owner = await slackTeams.factories.signUpReady(slackTeams.server);
    const organisation = slackTeams.slack.addWorkspace('TG9');
    organisation.enterprise = 'E9';
    expect(await slackTeams.authorize(owner)).toContain('oauth=success');
    slackTeams.slack.revoke(organisation);
    // As Slack sends it: with the workspace and the organisation, without naming the installation.
    await slackTeams.sender.event(organisation, { type: 'app_uninstalled' }, { authorizations: [] } as never);
    expect(await findInstallation('E9')).toBeNull();
  });

  test('if two accounts connect one workspace at once, one gets it and the other is told', async () => {
    slackTeams.slack.addWorkspace('TBOTH');
    const owners = [
      await slackTeams.factories.signUpReady(slackTeams.server),
      await slackTeams.factories.signUpReady(slackTeams.server),
    ];
    const ends = await Promise.all(owners.map((owner) => slackTeams.authorize(owner)));
    expect(ends.filter((end) => end.includes('oauth=success'))).toHaveLength(1);
  });

  test('people admitted by one account are not admitted by the next', async () => {
    const first = await slackTeams.connect();
    const installations = () => first.owner.browser.get('/api/channels/slack/installations').expect(200);
    const [{ id }] = (await installations()).body;
    await first.owner.browser.put(`/api/channels/slack/installations/${id}`).send({ admits: 'workspace' }).expect(200);
    await slackTeams.sender.event(first.workspace, { type: 'app_uninstalled' });
    const next = await slackTeams.factories.signUpReady(slackTeams.server);
    slackTeams.slack.last(first.workspace);
    expect(await slackTeams.authorize(next)).toContain('oauth=success');
    expect((await next.browser.get('/api/channels/slack/installations')).body[0].admits).toBe('members');
  });

  test('a token that can’t be refreshed just now is used until it expires', async () => {
    const { find, workspace } = await connectWithExpiringToken(120, 'xoxe-later');
    slackTeams.slack.fail('oauth.v2.access', 500, 3);
    expect((await find())?.tokens.botToken).toBe(`xoxb-${workspace.team}`);
    slackTeams.slack.recover();
  });
});
