/** @environment teams */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, signUpReady } from '../factories/person.ts';
import {
  ask,
  installIn,
  interruptIdOf,
  postWith,
  startTeamsServer,
  type TeamsServer,
} from '../factories/teamsServer.ts';
import { actionsOf, type Organisation, postsOf, wordsOf } from '../fakes/teams/organisation.ts';
import { makeSender } from '../fakes/teams/sender.ts';
import { addConversation, addUser } from '../fakes/teams/server.ts';
import { nextId } from '../fakes/teams/tenant.ts';

let it: TeamsServer;
beforeAll(async () => {
  it = await startTeamsServer();
});
afterAll(() => it.stop());

describe('connecting Teams', () => {
  /** @shows POST /api/teams/connect, GET /api/teams/status */
  test('an own registration is checked with Microsoft, stored sealed, and Teams is on once the app is installed', async () => {
    const owner = await signUpReady(it.server);
    const tenant = it.teams.addTenant();
    const given = { appId: tenant.appId, tenantId: tenant.id, appPassword: 'wrong' };
    const refused = await owner.browser.post('/api/teams/connect').send(given);
    expect({ status: refused.status, error: refused.body.error }).toEqual({
      status: 422,
      error: expect.stringContaining('does not accept this app id'),
    });
    await owner.browser
      .post('/api/teams/connect')
      .send({ ...given, appPassword: tenant.secret })
      .expect(200);
    const { baseUrl } = await import('../../models/env.ts');
    const status = async () => (await owner.browser.get('/api/teams/status').expect(200)).body;
    expect(await status()).toMatchObject({
      status: 'inactive',
      appId: 'configured',
      endpoint: new URL('/api/messages', baseUrl()).href,
      error: expect.stringContaining('not installed in Teams yet'),
    });
    const { ChannelInstallation } = await import('../../models/channelInstallation.ts');
    const rows = await ChannelInstallation.find({ accountId: owner.user.accountId }).lean();
    expect(JSON.stringify(rows)).not.toContain(tenant.secret);

    const user = addUser(tenant, 'Ada', owner.email);
    const place = { tenant, user, conversation: addConversation(tenant, 'personal', [user]) };
    await makeSender(it.teams, () => it.server.url).install(place);
    expect(await status()).toEqual({
      success: true,
      status: 'active',
      appId: 'configured',
      endpoint: new URL('/api/messages', baseUrl()).href,
      error: null,
    });
    expect((await owner.browser.get('/api/oauth/status/all')).body.teams).toMatchObject({
      authenticated: true,
      enabled: true,
      configured: true,
    });
  });

  /** @shows DELETE /api/channels/:channel/installations/:id */
  test('a tenant belongs to one account; only an owner connects or disconnects it', async () => {
    const { tenant, owner, sender, personal } = await it.connect();
    const other = await signUpReady(it.server);
    const given = { appId: tenant.appId, tenantId: tenant.id, appPassword: tenant.secret };
    const refused = await other.browser.post('/api/teams/connect').send(given).expect(422);
    expect(refused.body.error).toContain('another Arc account');
    await other.browser
      .post('/api/teams/connect')
      .send({ ...given, appId: 'x' })
      .expect(400);
    await it.server.browser().post('/api/teams/connect').send(given).expect(401);

    const [{ id }] = (await owner.browser.get('/api/channels/teams/installations').expect(200)).body;
    await other.browser.delete(`/api/channels/teams/installations/${id}`).expect(404);
    await owner.browser.delete(`/api/channels/teams/installations/${id}`).expect(200);
    expect((await owner.browser.get('/api/oauth/status/all')).body.teams.authenticated).toBe(false);
    expect((await sender.message(personal, 'help')).status).toBe(401);
    await other.browser.post('/api/teams/connect').send(given).expect(200);
  });

  test('people admitted by one account are not admitted by the next; reconnecting keeps an account’s own setting', async () => {
    const { tenant, owner } = await it.connect();
    const other = await signUpReady(it.server);
    const given = { appId: tenant.appId, tenantId: tenant.id, appPassword: tenant.secret };
    const admitted = async ({ browser }: Pick<typeof other, 'browser'>) => {
      const [row] = (await browser.get('/api/channels/teams/installations').expect(200)).body;
      return row as { id: string; admits: unknown };
    };
    const { id } = await admitted(owner);
    const path = `/api/channels/teams/installations/${id}`;
    await owner.browser.put(path).send({ admits: 'workspace' }).expect(200);
    await owner.browser.post('/api/teams/connect').send(given).expect(200);
    expect((await admitted(owner)).admits).toBe('workspace');
    await owner.browser.delete(path).expect(200);
    await other.browser.post('/api/teams/connect').send(given).expect(200);
    expect((await admitted(other)).admits).toBe('members');
  });
});

describe('talking in Teams', () => {
  test('a message in a personal chat is acknowledged and answered, under the agent’s name', async () => {
    const organisation = await it.connect();
    const { status } = await organisation.sender.message(organisation.personal, 'help');
    expect(status).toBe(200);
    const reply = await postWith(organisation, /I never set a severity/);
    expect(wordsOf(reply)).toContain('Clara, Clinical safety officer');
    expect(reply.conversationId).toBe(organisation.personal.conversation.id);
  });

  test.each(['groupChat', 'channel'] as const)(
    'in a %s it answers when mentioned, and is otherwise silent',
    async (type) => {
      const organisation = await it.connect();
      const { sender, tenant } = organisation;
      const place = await installIn(organisation, type);
      const talk = sender.envelope(place, 'message');
      await sender.send({ ...talk, text: 'just talking' }, tenant);
      const { id } = await sender.message(place, 'help');
      const reply = await postWith(organisation, /I never set a severity/);
      const thread = type === 'channel' ? `${place.conversation.id};messageid=${id}` : place.conversation.id;
      expect(reply.conversationId).toBe(thread);
      expect(postsOf(tenant)).toHaveLength(1);
    },
  );

  test('each thread of a channel is a conversation of its own', async () => {
    const organisation = await it.connect();
    const place = await installIn(organisation, 'channel');
    const { id } = await organisation.sender.message(place, 'help');
    await organisation.sender.message({ ...place, thread: id }, 'What is the risk matrix?');
    await organisation.sender.message(place, 'What is the risk matrix?');
    await eventually(async () => postsOf(organisation.tenant).length === 3, 'three replies');
    const { Conversation } = await import('../../models/conversation.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    const { accountId } = organisation.owner.user;
    const count = await runInAccount(accountId, () =>
      Conversation.find({ accountId, 'address.channel': 'teams' }).lean(),
    );
    expect(count).toHaveLength(2);
  });

  test('its own mention is removed, others stay as names, and entities are decoded', async () => {
    const { wordsOf: wordsOfActivity } = await import('../../bot/channels/teams/talk/inbound.ts');
    const { sender, personal } = await it.connect();
    const activity = {
      ...sender.envelope(personal, 'message'),
      text: '<at>Arc</at>&nbsp;tell <at>Bo Li</at> if 3 &lt; 4 &amp;amp; 5\n\n please',
      entities: [
        { type: 'mention', text: '<at>Arc</at>', mentioned: { id: `28:${personal.tenant.appId}` } },
        { type: 'mention', text: '<at>Bo Li</at>', mentioned: { id: '29:bo' } },
      ],
    };
    expect(wordsOfActivity(activity as never)).toBe('tell @Bo Li if 3 < 4 &amp; 5\n\nplease');
  });

  test('long words are streamed in a personal chat, in order and not too fast, or sent at once if Teams can’t stream', async () => {
    const { streamText } = await import('../../bot/channels/teams/talk/stream.ts');
    const { tenant, personal } = await it.connect();
    const conversationId = personal.conversation.id;
    const { appId, id: tenantId } = tenant;
    const target = { appId, tenantId, serviceUrl: it.teams.serviceUrl, conversationId };
    const text = Array.from({ length: 90 }, (_, index) => `Line ${index} of a long answer.`).join('\n');
    const begun = { streamId: null, keep: async () => undefined };
    const id = await streamText(target, { type: 'message', text }, begun);
    const updates = tenant.typing.map((update) => update.entities[0]);
    expect(updates).toMatchObject([
      { type: 'streaminfo', streamType: 'streaming', streamSequence: 1 },
      { type: 'streaminfo', streamType: 'streaming', streamSequence: 2, streamId: id },
      { type: 'streaminfo', streamType: 'streaming', streamSequence: 3, streamId: id },
    ]);
    expect(tenant.posts.get(String(id))?.text).toBe(text);
    expect(tenant.posts.get(String(id))?.activity.entities).toEqual([
      { type: 'streaminfo', streamType: 'final', streamId: id },
    ]);
    tenant.streams = false;
    expect(await streamText(target, { type: 'message', text }, begun)).toBeNull();
  });

  test('an agent’s long answer is streamed in a personal chat, and sent at once elsewhere', async () => {
    const organisation = await it.connect();
    const { tenant, sender, personal } = organisation;
    await sender.message(personal, 'What do the severity levels mean?');
    const reply = await postWith(organisation, /Catastrophic[\s\S]*Minor/);
    expect(reply.activity.entities).toMatchObject([{ type: 'streaminfo', streamType: 'final', streamId: reply.id }]);
    const updates = tenant.typing.filter(({ text }) => text !== '').map(({ text }) => text);
    expect(updates.length).toBeGreaterThan(1);
    expect(reply.text.startsWith(updates.at(-1) ?? '-')).toBe(true);
    const place = await installIn(organisation, 'groupChat');
    await sender.message(place, 'What do the severity levels mean?');
    const other = await postWith(organisation, /Catastrophic[\s\S]*Minor/, place.conversation);
    expect(other.activity.entities).toBeUndefined();
    // No stream is tried there.
    const streamed = it.teams
      .callsOf(/POST .*activities/)
      .filter(({ path, body }) => path.includes(place.conversation.id) && JSON.stringify(body).includes('streaminfo'));
    expect(streamed).toEqual([]);
  });

  test('work that takes longer shows a typing indicator', async () => {
    const organisation = await it.connect();
    const { tenant, sender, personal } = organisation;
    const { showTyping } = await import('../../bot/channels/teams/talk/typing.ts');
    const { findInstallation } = await import('../../bot/channels/teams/install/installations.ts');
    const { installationKeyOf, placeOfConversation } = await import('../../bot/channels/teams/platform/address.ts');
    const key = installationKeyOf(tenant.appId, tenant.id);
    const place = placeOfConversation(key, personal.conversation.id);
    const installation = await findInstallation(key);
    if (!installation) throw new Error('no installation');
    await Promise.all([1, 2, 3].map(() => showTyping(installation, place)));
    expect(tenant.typing).toHaveLength(1);
    await sender.message(personal, 'help');
    await postWith(organisation, /I never set a severity/);
  });

  test('a button of a message asks for what it says', async () => {
    const organisation = await it.connect();
    const { sender, personal } = organisation;
    const { readSample } = await import('../../bot/agents/clinical_safety/sample/readSample.ts');
    const { log } = await readSample();
    await sender.drop(personal, log.fileName, log.bytes);
    const taken = await postWith(organisation, /is a hazard log with 25 data rows/);
    const say = actionsOf(taken.card).find(({ title }) => title === 'Start the analysis');
    await sender.submit(personal, say?.data as Record<string, unknown>, taken.id);
    await postWith(organisation, /Analysis complete/);
  });

  test('if a log is missing, the notice links to the upload on the web', async () => {
    const organisation = await it.connect();
    const place = await installIn(organisation, 'groupChat');
    await organisation.sender.message(place, 'Analyse my hazard log');
    const refusal = await postWith(organisation, /no hazard log yet/);
    expect(actionsOf(refusal.card)).toMatchObject([
      { type: 'Action.OpenUrl', url: expect.stringMatching(/\/arc-chat$/) },
    ]);
  });

  test('several agents share one app: chosen by name in the words, by command, or as the conversation’s current one', async () => {
    const organisation = await it.connect();
    const { owner, sender, personal } = organisation;
    await owner.browser.post('/api/user-agents/hire').send({ agentId: 'marketer' }).expect(200);
    await owner.browser.post('/api/user-agents/onboard').send({ agentId: 'marketer', tools: [] });
    const { findAgent } = await import('../../models/contracts/catalogue.ts');
    const name = findAgent('marketer')?.displayName ?? '';
    await sender.message(personal, `agent ${name}`);
    await postWith(organisation, new RegExp(`${name} answers here from now on`));
    await sender.message(personal, 'hello');
    await eventually(
      async () => postsOf(organisation.tenant).some(({ text }) => text.startsWith(`**${name},`)),
      'the other agent',
    );
    await sender.message(personal, '@Clara help');
    await eventually(async () => postsOf(organisation.tenant).some(({ text }) => text.startsWith('**Clara,')), 'Clara');
  });

  test('commands list what is pending, who works here, and who can be hired; other sentences go to the agent', async () => {
    const organisation = await it.connect();
    const { sender, personal } = organisation;
    await sender.message(personal, 'inbox');
    await postWith(organisation, /Nothing waits for you/);
    await sender.message(personal, 'status');
    await postWith(organisation, /built-in engine[\s\S]*Clara/);
    await sender.message(personal, 'hire');
    await postWith(organisation, /Who can be hired[\s\S]*Marta/);
    await sender.message(personal, 'hire Marta');
    await postWith(organisation, /Marta is hired/);
    await sender.message(personal, 'agent reports are late');
    await eventually(async () => postsOf(organisation.tenant).some(({ text }) => text.startsWith('**Clara,')), 'Clara');
  });
});

describe('the author of a message', () => {
  test('who is a stranger in a channel is told so privately, and costs nothing', async () => {
    const organisation = await it.connect();
    const { tenant, sender, owner } = organisation;
    const stranger = addUser(tenant, 'Stranger', 'stranger@example.com');
    const place = await installIn(organisation, 'channel', [stranger]);
    await sender.message({ ...place, user: stranger }, 'help');
    const told = await postWith(organisation, /only work with members/);
    const chat = tenant.conversations.get(told.conversationId);
    expect(chat).toMatchObject({ type: 'personal', members: new Set([stranger.id]) });
    expect(postsOf(tenant)).toHaveLength(1);
    expect((await owner.browser.get('/api/user/tokens/balance')).body.balance.tokensUsed).toBe(0);
  });

  test.each([
    ['a guest with a member’s e-mail', { userRole: 'guest' as const }],
    ['someone marked as a guest by name', { userPrincipalName: 'ada_example.org#EXT#@host.onmicrosoft.com' }],
    ['someone of another tenant', { tenantId: '11111111-1111-4111-8111-111111111111' }],
    ['someone without an e-mail', { email: '' }],
  ])('%s is a stranger', async (_what, more) => {
    const organisation = await it.connect();
    const { tenant, sender, owner } = organisation;
    const user = addUser(tenant, 'Looks like Ada', owner.email, more);
    await sender.message({ tenant, user, conversation: addConversation(tenant, 'personal', [user]) }, 'help');
    await postWith(organisation, /only work with members/);
  });

  test('is not identified by a display name, nor by an e-mail that the member has not verified', async () => {
    const organisation = await it.connect();
    const { tenant, sender, owner } = organisation;
    const { User } = await import('../../models/user.ts');
    await User.updateOne({ _id: owner.user.id }, { $set: { emailVerified: false } });
    const user = addUser(tenant, owner.user.email, owner.email);
    await sender.message({ tenant, user, conversation: addConversation(tenant, 'personal', [user]) }, 'help');
    await postWith(organisation, /only work with members/);
  });

  test('gets private notices in one chat, which is opened once', async () => {
    const organisation = await it.connect();
    const { tenant, sender } = organisation;
    const stranger = addUser(tenant, 'Stranger', 'stranger@example.com');
    const told = () => postsOf(tenant).filter((post) => /only work with members/.test(wordsOf(post)));
    for (const times of [1, 2]) {
      const place = await installIn(organisation, 'groupChat', [stranger]);
      await sender.message({ ...place, user: stranger }, 'help');
      await eventually(async () => told().length === times, 'the private word');
    }
    expect(new Set(told().map(({ conversationId }) => conversationId)).size).toBe(1);
    const opened = it.teams.calls.filter(({ tenant: id, path }) => id === tenant.id && path === '/v3/conversations');
    expect(opened).toHaveLength(1);
  });

  test('from a tenant that is not connected is told how to connect it', async () => {
    const tenant = it.teams.addTenant();
    const user = addUser(tenant, 'Someone', 'someone@example.org');
    const place = {
      tenant: { ...tenant, appId: it.own.appId },
      user,
      conversation: addConversation(tenant, 'personal', [user]),
    };
    const { status } = await makeSender(it.teams, () => it.server.url).message(place, 'help');
    expect(status).toBe(200);
  });

  test('may be admitted by the owner, with the organisation or by e-mail, and may then ask but not answer', async () => {
    const organisation = await it.connect();
    const { tenant, sender, owner } = organisation;
    const [{ id }] = (await owner.browser.get('/api/channels/teams/installations')).body;
    await owner.browser
      .put(`/api/channels/teams/installations/${id}`)
      .send({ admits: ['Bo@Example.com'] })
      .expect(200);
    const bo = addUser(tenant, 'Bo', 'bo@example.com');
    await sender.message({ tenant, user: bo, conversation: addConversation(tenant, 'personal', [bo]) }, 'help');
    await postWith(organisation, /I never set a severity/);
  });
});

describe('repeated and missing activities', () => {
  test('the same activity five times is one message with one reply', async () => {
    const organisation = await it.connect();
    const { sender, personal, tenant } = organisation;
    const id = nextId();
    const sent = await Promise.all(Array.from({ length: 5 }, () => sender.message(personal, 'help', { id })));
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await sender.message(personal, 'What is the risk matrix?');
    await eventually(async () => postsOf(tenant).length >= 2, 'the later reply');
    expect(postsOf(tenant).filter((post) => /I never set a severity/.test(wordsOf(post)))).toHaveLength(1);
  });

  test('the same id in two conversations is two messages', async () => {
    const organisation = await it.connect();
    const { sender, personal, tenant, ada } = organisation;
    const other = { ...personal, conversation: addConversation(tenant, 'personal', [ada]) };
    const id = nextId();
    for (const place of [personal, other]) await sender.message(place, 'help', { id });
    for (const { conversation } of [personal, other])
      await postWith(organisation, /I never set a severity/, conversation);
  });

  /** Requests in forms other than a message, with an id of ours. */
  const pressed: [what: string, send: (organisation: Organisation, id: string) => Promise<{ status: number }>][] = [
    [
      'a button that says something',
      ({ sender, personal, tenant }, id) =>
        sender.send({ ...sender.envelope(personal, 'message', id), value: { verb: 'say', say: 'help' } }, tenant),
    ],
    [
      '“Send to Arc”',
      ({ sender, personal, tenant }, id) => {
        const value = { commandId: 'sendToAgent', commandContext: 'message', data: { text: 'help' } };
        const invoke = { ...sender.envelope(personal, 'invoke', id), name: 'composeExtension/submitAction', value };
        return sender.send(invoke, tenant);
      },
    ],
  ];
  test.each(pressed)('%s that arrives twice is one message; pressed again it is another', async (_what, send) => {
    const organisation = await it.connect();
    const { tenant, sender, personal } = organisation;
    const answers = () => postsOf(tenant).filter((post) => /I never set a severity/.test(wordsOf(post)));
    const id = nextId();
    const sent = await Promise.all([1, 2, 3].map(() => send(organisation, id)));
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
    await sender.message(personal, 'What is the risk matrix?');
    await eventually(async () => postsOf(tenant).length >= 2, 'both answers');
    expect(answers()).toHaveLength(1);
    await send(organisation, nextId());
    await eventually(async () => answers().length === 2, 'another');
  });

  test('“Send to Arc” with one id from two chats is two messages', async () => {
    const organisation = await it.connect();
    const { tenant, ada, personal } = organisation;
    const elsewhere = { ...personal, conversation: addConversation(tenant, 'groupChat', [ada]) };
    const id = nextId();
    const [, send] = pressed[1] ?? [];
    for (const place of [personal, elsewhere]) await send?.({ ...organisation, personal: place }, id);
    await eventually(async () => postsOf(tenant).length === 2, 'both answers');
  });

  test('a command that arrives twice is answered once', async () => {
    const organisation = await it.connect();
    const { sender, personal, tenant } = organisation;
    const id = nextId();
    await Promise.all(Array.from({ length: 3 }, () => sender.message(personal, 'status', { id })));
    await sender.message(personal, 'inbox');
    await postWith(organisation, /Nothing waits for you/);
    expect(postsOf(tenant).filter((post) => /built-in engine/.test(wordsOf(post)))).toHaveLength(1);
  });

  test('switched off under Integrations, it neither reads nor posts', async () => {
    const organisation = await it.connect();
    const { sender, personal, tenant, owner } = organisation;
    const toggle = (enabled: boolean) =>
      owner.browser.post('/api/integrations/toggle').send({ integrationId: 'teams-bot', enabled }).expect(200);
    await toggle(false);
    await sender.message(personal, 'help');
    await sender.message(personal, 'status');
    const { Turn } = await import('../../models/turn.ts');
    const { Message } = await import('../../models/message.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    const { accountId } = owner.user;
    expect(await runInAccount(accountId, () => Turn.find({ accountId, channel: 'teams' }).lean())).toEqual([]);
    expect(await runInAccount(accountId, () => Message.find({ key: /^command:/ }).lean())).toEqual([]);
    await toggle(true);
    await sender.message(personal, 'What is the risk matrix?');
    await eventually(async () => postsOf(tenant).length > 0, 'the reply after');
    expect(postsOf(tenant)).toHaveLength(1);
  });

  test('switched off, it accepts no presses or questions, and sends no private notices', async () => {
    const organisation = await it.connect();
    const { sender, personal, tenant, owner } = organisation;
    const post = await ask(organisation, { interruptType: 'approval', prompt: 'May I go on?' });
    const interruptId = interruptIdOf(post);
    const stranger = addUser(tenant, 'Stranger', 'stranger@example.com');
    const other = { tenant, user: stranger, conversation: addConversation(tenant, 'personal', [stranger]) };
    await sender.message(other, 'help');
    await postWith(organisation, /only work with members/);
    const toggle = (enabled: boolean) =>
      owner.browser.post('/api/integrations/toggle').send({ integrationId: 'teams-bot', enabled }).expect(200);
    await toggle(false);
    const before = postsOf(tenant).length;
    const asked = [
      await sender.execute(personal, 'approve', { interruptId }, post.id),
      await sender.openDialog(personal, { verb: 'review', interruptId }),
      await sender.invoke(personal, 'composeExtension/query', { commandId: 'searchQuestions', parameters: [] }),
    ];
    for (const { status, body } of asked) expect({ status, body }).toEqual({ status: 200, body: {} });
    await sender.submit(personal, { verb: 'approve', interruptId });
    await sender.submit(personal, { verb: 'say', say: 'help' });
    await sender.message(other, 'help');
    const [question] = (await owner.browser.get(`/api/agents/${owner.agent.id}/interrupts`)).body;
    expect(question.status).toBe('pending');
    await toggle(true);
    await sender.message(personal, 'What is the risk matrix?');
    await eventually(async () => postsOf(tenant).length > before, 'the reply after');
    expect(postsOf(tenant)).toHaveLength(before + 1);
  });
});
