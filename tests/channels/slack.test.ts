import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import type { Person } from '../factories/person.ts';
import type { Server } from '../factories/server.ts';
import type { Posted, Workspace } from '../fakes/slack/methods.ts';
import { makeSender, SIGNING_SECRET, type SlackSender } from '../fakes/slack/sender.ts';
import { type FakeSlack, startSlack } from '../fakes/slack/server.ts';

type Parts = typeof import('../factories/parts.ts');
type Factories = typeof import('../factories/person.ts');

let slack: FakeSlack;
let server: Server;
let sender: SlackSender;
let parts: Parts;
let factories: Factories;

beforeAll(async () => {
  slack = await startSlack();
  Object.assign(process.env, {
    SLACK_CLIENT_ID: '1.2',
    SLACK_CLIENT_SECRET: 'shh',
    SLACK_SIGNING_SECRET: SIGNING_SECRET,
    SLACK_API_URL: slack.apiUrl,
  });
  const { startServer } = await import('../factories/server.ts');
  parts = await import('../factories/parts.ts');
  factories = await import('../factories/person.ts');
  server = await startServer();
  sender = makeSender(
    () => server.url,
    () => `${slack.url}/response`,
  );
});
afterAll(async () => {
  await server.stop();
  await slack.stop();
});

type Team = { workspace: Workspace; owner: Person & { agent: { id: number } } };
let count = 0;

/** An account with Slack connected, its owner's verified e-mail known there, and the consent asked for. */
async function connect(consent: 'full' | 'redacted' | 'reference-only' = 'full'): Promise<Team> {
  count += 1;
  const workspace = slack.addWorkspace(`T${count}`);
  const owner = await factories.signUpReady(server);
  const { User } = await import('../../models/user.ts');
  await User.updateOne({ _id: owner.user.id }, { $set: { emailVerified: true } });
  const begun = await owner.browser.get('/api/oauth/slack/authorize?from=/%23integrations').expect(302);
  const vendor = await fetch(String(begun.headers.location), { redirect: 'manual' });
  const back = new URL(String(vendor.headers.get('location')));
  const done = await owner.browser.get(`${back.pathname}${back.search}`).expect(302);
  expect(done.headers.location).toContain('oauth=success&service=slack');
  await owner.browser
    .put('/api/preferences')
    .send({ channelConsent: { slack: consent, teams: 'reference-only' } })
    .expect(200);
  workspace.users.set('U1', { id: 'U1', email: owner.email, name: 'Ada in Slack' });
  workspace.users.set('U9', { id: 'U9', email: 'stranger@example.com', name: 'Stranger' });
  return { workspace, owner };
}

const posted = (workspace: Workspace) => [...workspace.messages.values()];
const eventually = <T>(read: () => T | null | undefined | false, what: string) =>
  factories.eventually(async () => read(), what);
const postWith = (workspace: Workspace, words: RegExp) =>
  eventually(() => posted(workspace).find(({ text }) => words.test(text)), String(words));
/** The first candidate that a page offers, where it asks for one. */
const choiceIn = (view: Record<string, unknown>) => {
  const blocks = view.blocks as { block_id?: string; element?: { options?: { value: string }[] } }[];
  return blocks.find(({ block_id: id }) => id === 'candidate')?.element?.options?.[0]?.value;
};
const hasButtons = ({ blocks }: Posted) => JSON.stringify(blocks).includes('"type":"button"');

/** Drops the sample into a direct message, has it analysed, and gives the question's message. */
async function askForReview({ workspace }: Team): Promise<Posted> {
  await sender.message(workspace, 'U1', 'D1', 'Try it with a sample');
  await postWith(workspace, /sample/);
  await sender.message(workspace, 'U1', 'D1', 'Analyse my hazard log');
  await postWith(workspace, /Analysis complete/);
  return eventually(
    () => posted(workspace).find((message) => JSON.stringify(message.blocks).includes('answer:review')),
    'the question',
  );
}
const interruptIdOf = (message: Posted) => String(/"value":"(\d+)"/.exec(JSON.stringify(message.blocks))?.[1]);
const questionsOf = async ({ owner }: Team) =>
  (await owner.browser.get(`/api/agents/${owner.agent.id}/interrupts`)).body as Interrupt[];

describe('the address that Slack calls', () => {
  test('answers the challenge', async () => {
    const { status, text } = await sender.verify();
    expect({ status, challenge: JSON.parse(text) }).toEqual({ status: 200, challenge: { challenge: 'word' } });
  });

  test.each([
    ['a bad signature', { secret: 'other' }],
    ['an old timestamp', { timestamp: Math.floor(Date.now() / 1000) - 600 }],
  ])('refuses %s', async (_what, overrides) => {
    expect((await sender.verify(overrides)).status).toBe(401);
  });
});

describe('connecting', () => {
  test('switches Slack on, keeps the token sealed, and is shown', async () => {
    const { owner, workspace } = await connect();
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

  test('a state is good once, and for the session that began it', async () => {
    slack.addWorkspace('TX');
    const [owner, other] = [await factories.signUpReady(server), await factories.signUpReady(server)];
    const begun = await owner.browser.get('/api/oauth/slack/authorize').expect(302);
    const vendor = await fetch(String(begun.headers.location), { redirect: 'manual' });
    const back = new URL(String(vendor.headers.get('location')));
    const path = `${back.pathname}${back.search}`;
    expect((await other.browser.get(path)).headers.location).toContain('oauth=error');
    expect((await owner.browser.get(path)).headers.location).toContain('oauth=error');
  });

  test('a workspace belongs to one account', async () => {
    await connect();
    const other = await factories.signUpReady(server);
    const begun = await other.browser.get('/api/oauth/slack/authorize').expect(302);
    const vendor = await fetch(String(begun.headers.location), { redirect: 'manual' });
    const back = new URL(String(vendor.headers.get('location')));
    const done = await other.browser.get(`${back.pathname}${back.search}`);
    expect(decodeURIComponent(String(done.headers.location)).replaceAll('+', ' ')).toContain(
      'is connected to another Arc account',
    );
  });

  test('a whole organisation installs it once, for all its workspaces', async () => {
    const owner = await factories.signUpReady(server);
    const workspace = slack.addWorkspace('TG1');
    workspace.enterprise = 'E1';
    workspace.users.set('U1', { id: 'U1', email: owner.email, name: 'Ada' });
    const { User } = await import('../../models/user.ts');
    await User.updateOne({ _id: owner.user.id }, { $set: { emailVerified: true } });
    const begun = await owner.browser.get('/api/oauth/slack/authorize').expect(302);
    const vendor = await fetch(String(begun.headers.location), { redirect: 'manual' });
    const back = new URL(String(vendor.headers.get('location')));
    expect((await owner.browser.get(`${back.pathname}${back.search}`)).headers.location).toContain('oauth=success');
    await sender.mention(workspace, 'U1', 'C1', 'help');
    await postWith(workspace, /I never set a severity/);
  });

  test('a removed app takes its token with it, and the screen says why', async () => {
    const { owner, workspace } = await connect();
    await sender.event(workspace, { type: 'app_uninstalled' });
    const state = (await owner.browser.get('/api/oauth/status/all')).body.slack;
    expect(state).toMatchObject({ authenticated: false, error: expect.stringContaining('removed') });
    expect((await sender.mention(workspace, 'U1', 'C1', 'help')).status).toBe(200);
  });

  test('a token that ends soon is renewed before it is used', async () => {
    const { workspace } = await connect();
    const { ChannelInstallation } = await import('../../models/channelInstallation.ts');
    const { seal, unseal } = await import('../../models/store/encrypted.ts');
    const context = `slack:${workspace.team}`;
    const row = await ChannelInstallation.findOne({ key: workspace.team }).lean();
    const tokens = unseal<Record<string, unknown>>(row?.sealed as never, context);
    workspace.refreshTokens.add('xoxe-1');
    const key = `${workspace.team}R`;
    await ChannelInstallation.create({
      ...row,
      _id: new Types.ObjectId(),
      key,
      sealed: seal({ ...tokens, refreshToken: 'xoxe-1', expiresAt: 1 }, `slack:${key}`),
    } as never);
    const { findInstallation } = await import('../../bot/channels/slack/installations.ts');
    const found = await findInstallation(key);
    expect(found?.tokens.botToken).toMatch(/^xoxe\.xoxb-/);
  });
});

describe('talking', () => {
  test('a mention is acknowledged and answered in its thread, under the agent’s name', async () => {
    const team = await connect();
    const { status, ts } = await sender.mention(team.workspace, 'U1', 'C1', 'help');
    expect(status).toBe(200);
    const reply = await postWith(team.workspace, /I never set a severity/);
    expect(reply).toMatchObject({ channel: 'C1', thread: ts, username: 'Clara, Clinical safety officer' });
  });

  test('a thread goes on without a mention; a stranger’s thread is left alone', async () => {
    const { workspace } = await connect();
    const { ts } = await sender.mention(workspace, 'U1', 'C1', 'help');
    await postWith(workspace, /I never set a severity/);
    await sender.message(workspace, 'U1', 'C1', 'What is the risk matrix?', { thread_ts: ts });
    await eventually(() => posted(workspace).filter(({ thread }) => thread === ts).length >= 2, 'a second reply');
    await sender.message(workspace, 'U1', 'C2', 'What is the risk matrix?', { thread_ts: '1.1' });
    await sender.message(workspace, 'U1', 'C2', 'just talking');
    expect(posted(workspace).filter(({ channel }) => channel === 'C2')).toEqual([]);
  });

  test('the same event five times, and as a mention and a message, gives one reply', async () => {
    const { workspace } = await connect();
    const ts = '1795900000.000100';
    await Promise.all([
      ...Array.from({ length: 5 }, () =>
        sender.mention(workspace, 'U1', 'C1', 'help', { ts }, { headers: { 'X-Slack-Retry-Num': '1' } }),
      ),
      sender.message(workspace, 'U1', 'C1', `<@UBOT${workspace.team}> help`, { ts }),
    ]);
    await postWith(workspace, /I never set a severity/);
    await sender.message(workspace, 'U1', 'D1', 'help');
    await eventually(() => posted(workspace).some(({ channel }) => channel === 'D1'), 'the later reply');
    expect(posted(workspace).filter(({ channel }) => channel === 'C1')).toHaveLength(1);
  });

  test('a file that is dropped starts the same work as on the web; results come back as files', async () => {
    const team = await connect();
    const { readSample } = await import('../../bot/engine/hazards/sample/readSample.ts');
    const { log } = await readSample();
    team.workspace.files.set('F1', { id: 'F1', name: log.fileName, bytes: Buffer.from(log.bytes) });
    await sender.message(team.workspace, 'U1', 'D1', 'analyse', {
      subtype: 'file_share',
      files: [{ id: 'F1', name: log.fileName }],
    });
    await postWith(team.workspace, /is a hazard log with 25 data rows/);
    await postWith(team.workspace, /Analysis complete: 25 hazards/);
  });

  test('replies stream in the agent view, and are posted where Slack does not stream', async () => {
    const { workspace } = await connect();
    await sender.message(workspace, 'U1', 'D1', 'help', { thread_ts: '7.7' });
    expect(await postWith(workspace, /I never set a severity/)).toMatchObject({ streamed: 'done', thread: '7.7' });
    const other = await connect();
    other.workspace.streams = false;
    await sender.message(other.workspace, 'U1', 'D1', 'help', { thread_ts: '7.7' });
    expect((await postWith(other.workspace, /I never set a severity/)).streamed).toBeUndefined();
  });

  test('the owner admits a workspace, or people by e-mail; they may ask and not answer', async () => {
    const { owner, workspace } = await connect();
    const [installation] = (await owner.browser.get('/api/channels/slack/installations').expect(200)).body;
    expect(installation).toMatchObject({ name: workspace.name, admits: 'members' });
    await owner.browser
      .put(`/api/channels/slack/installations/${installation.id}`)
      .send({ admits: ['Stranger@Example.com'] })
      .expect(200);
    await sender.message(workspace, 'U9', 'D9', 'help');
    await postWith(workspace, /I never set a severity/);
    await owner.browser
      .put(`/api/channels/slack/installations/${installation.id}`)
      .send({ admits: 'nobody' })
      .expect(400);
    const other = await factories.signUpReady(server);
    await other.browser
      .put(`/api/channels/slack/installations/${installation.id}`)
      .send({ admits: 'workspace' })
      .expect(404);
  });

  test('its own posts and other bots are not answered', async () => {
    const { workspace } = await connect();
    await sender.message(workspace, `UBOT${workspace.team}`, 'D1', 'help');
    await sender.message(workspace, 'U1', 'D1', 'help', { bot_id: 'B7' });
    await sender.message(workspace, 'U1', 'D1', 'hello');
    await postWith(workspace, /I never set a severity/);
    expect(posted(workspace)).toHaveLength(1);
  });

  test('a stranger gets a private explanation, and costs nothing', async () => {
    const { owner, workspace } = await connect();
    await sender.mention(workspace, 'U9', 'C1', 'help');
    const told = await eventually(
      () => slack.callsOf('chat.postEphemeral').find(({ team }) => team === workspace.team),
      'the private word',
    );
    expect(told.body).toMatchObject({ channel: 'C1', user: 'U9' });
    expect(posted(workspace)).toEqual([]);
    expect((await owner.browser.get('/api/user/tokens/balance')).body.balance.tokensUsed).toBe(0);
  });

  test.each([
    ['a guest with a member’s e-mail', { guest: true }],
    ['someone of another organisation with a member’s e-mail', { team: 'T999' }],
  ])('%s is a stranger', async (_what, change) => {
    const { owner, workspace } = await connect();
    workspace.users.set('U5', { id: 'U5', email: owner.email, name: 'Looks like Ada', ...change });
    await sender.mention(workspace, 'U5', 'C1', 'help');
    await eventually(
      () => slack.callsOf('chat.postEphemeral').some(({ team }) => team === workspace.team),
      'the private word',
    );
    expect(posted(workspace)).toEqual([]);
  });

  test('what Slack can’t take now is said later, once, and in order', async () => {
    const { workspace } = await connect();
    slack.fail('chat.postMessage', 429, 8, 1);
    await sender.message(workspace, 'U1', 'D1', 'help');
    await eventually(
      () => slack.callsOf('users.info').some(({ team }) => team === workspace.team),
      'the turn to be heard',
    );
    slack.recover();
    await factories.eventually(async () => {
      await parts.sweepDeliveries();
      return posted(workspace).length > 0;
    }, 'the reply after the slow-down');
    expect(posted(workspace)).toHaveLength(1);
  });
});

describe('commands and shortcuts', () => {
  test('/arc tells what it can, who is there, and what waits', async () => {
    const { workspace } = await connect();
    const said = async (words: string) =>
      JSON.parse((await sender.command(workspace, 'U1', 'C1', words)).text).text as string;
    expect(await said('help')).toContain('/arc ask');
    expect(await said('status')).toMatch(/built-in engine[\s\S]*Clara/);
    expect(await said('inbox')).toBe('Nothing waits for you.');
    expect(await said('hire')).toContain('Marta');
    expect(await said('hire Marta')).toContain('Marta is hired');
    expect(await said('agent Nobody')).toContain('No onboarded agent');
  });

  test('/arc ask is answered in the channel', async () => {
    const { workspace } = await connect();
    await sender.command(workspace, 'U1', 'C7', 'ask what is the risk matrix?');
    await eventually(() => posted(workspace).some(({ channel }) => channel === 'C7'), 'the answer');
  });

  test('a stranger’s command is refused in private', async () => {
    const { workspace } = await connect();
    expect(JSON.parse((await sender.command(workspace, 'U9', 'C1', 'status')).text).text).toContain(
      'do not have permission',
    );
  });

  test('“Send to Arc” takes a message into its thread', async () => {
    const { workspace } = await connect();
    await sender.shortcut(workspace, 'U1', 'C3', { ts: '5.5', text: 'help', user: 'U1' });
    expect(await postWith(workspace, /I never set a severity/)).toMatchObject({ channel: 'C3', thread: '5.5' });
  });

  test('the agent view offers prompts', async () => {
    const { workspace } = await connect();
    await sender.event(workspace, { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'messages' });
    const call = await eventually(
      () => slack.callsOf('assistant.threads.setSuggestedPrompts').find(({ team }) => team === workspace.team),
      'prompts',
    );
    expect((call.body.prompts as unknown[]).length).toBe(3);
  });
});

describe('a question', () => {
  test('is one message with buttons; answered there it closes everywhere, with who, where and when', async () => {
    const team = await connect();
    const message = await askForReview(team);
    expect(hasButtons(message)).toBe(true);
    const { status } = await sender.click(team.workspace, 'U1', 'answer:approve', interruptIdOf(message), {
      channel: 'D1',
      ts: message.ts,
    });
    expect(status).toBe(200);
    const closed = await eventually(
      () => posted(team.workspace).find(({ ts, text }) => ts === message.ts && /Approved by/.test(text)),
      'the closed message',
    );
    expect(closed.text).toMatch(/^Approved by Ada Okafor in Slack, \d\d:\d\d/);
    expect(hasButtons(closed)).toBe(false);
    expect((await questionsOf(team))[0]?.resolution).toMatchObject({ via: 'slack', outcome: 'approved' });
    await postWith(team.workspace, /Review recorded/);
  });

  test('answered on the web, its buttons are gone in Slack', async () => {
    const team = await connect();
    const message = await askForReview(team);
    await team.owner.browser
      .patch(`/api/interrupts/${interruptIdOf(message)}/resolve`)
      .send({ approved: true })
      .expect(200);
    const closed = await eventually(
      () => posted(team.workspace).find(({ ts, text }) => ts === message.ts && /Approved by/.test(text)),
      'the closed message',
    );
    expect(closed.text).toContain('in the inbox');
    expect(hasButtons(closed)).toBe(false);
  });

  test('two click different buttons at once: one answer stands, the other is told', async () => {
    const team = await connect();
    const message = await askForReview(team);
    const id = interruptIdOf(message);
    const where = { channel: 'D1', ts: message.ts };
    await sender.click(team.workspace, 'U1', 'answer:reject', id, where);
    const modal = await eventually(() => team.workspace.views.at(-1)?.view, 'the reason’s modal');
    const [, refused] = await Promise.all([
      sender.click(team.workspace, 'U1', 'answer:approve', id, where),
      sender.submit(team.workspace, 'U1', modal, { reason: { text: { value: 'Out of scope' } } }),
    ]);
    const late =
      /answered already/.test(refused.text) ||
      slack.callsOf('response_url').some(({ body }) => /answered already/.test(String(body.text)));
    expect(late).toBe(true);
    const [standing] = await questionsOf(team);
    expect(standing?.status).toBe('resolved');
  });

  test('is reviewed row by row in a modal, page by page, with what was decided kept', async () => {
    const team = await connect();
    const message = await askForReview(team);
    await sender.click(team.workspace, 'U1', 'answer:review', interruptIdOf(message), {
      channel: 'D1',
      ts: message.ts,
    });
    let view = (await eventually(() => team.workspace.views.at(-1)?.view, 'the first page')) as Record<string, unknown>;
    const [asked] = await questionsOf(team);
    const total = asked?.context.rows?.length ?? 0;
    for (let page = 0; page < total; page += 1) {
      const outcome = page === 0 ? 'rejected' : 'accepted';
      const { text } = await sender.submit(team.workspace, 'U1', view, {
        outcome: { choice: { selected_option: { value: outcome } } },
        candidate: { choice: { selected_option: { value: choiceIn(view) } } },
        reason: { text: { value: page === 0 ? 'Known already' : null } },
      });
      if (page < total - 1) view = (JSON.parse(text) as { view: Record<string, unknown> }).view;
    }
    const [answered] = await questionsOf(team);
    expect(answered?.resolution?.outcome).toBe('modified');
    const { rows } = (answered as Interrupt).userResponse as { rows: { outcome: string; reason?: string }[] };
    expect(rows[0]).toMatchObject({
      outcome: 'rejected',
      reason: 'Known already',
    });
  });

  test('a stranger’s click changes nothing and is told so in private', async () => {
    const team = await connect();
    const message = await askForReview(team);
    await sender.click(team.workspace, 'U9', 'answer:approve', interruptIdOf(message), {
      channel: 'D1',
      ts: message.ts,
    });
    expect(slack.callsOf('response_url').at(-1)?.body).toMatchObject({
      response_type: 'ephemeral',
      replace_original: false,
    });
    expect((await questionsOf(team))[0]?.status).toBe('pending');
  });

  test('App Home is the same inbox: it counts, filters and answers in place', async () => {
    const team = await connect();
    await sender.event(team.workspace, { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home' });
    const home = () => JSON.stringify(team.workspace.homes.get('U1') ?? {});
    await eventually(() => home().includes('Nothing waits for you'), 'an empty home');
    const message = await askForReview(team);
    await eventually(() => home().includes('answer:review'), 'the question at home');
    await sender.click(team.workspace, 'U1', 'answer:approve', interruptIdOf(message), 'home');
    await eventually(() => home().includes('Nothing waits for you'), 'the question gone');
    expect((await questionsOf(team))[0]?.resolution?.via).toBe('slack-home');
    await sender.event(team.workspace, { type: 'app_home_opened', user: 'U9', channel: 'D9', tab: 'home' });
    await eventually(
      () => JSON.stringify(team.workspace.homes.get('U9') ?? {}).includes('invited'),
      'a stranger’s home',
    );
  });

  test('while it waits the session is suspended', async () => {
    const team = await connect();
    const { ts } = await sender.mention(team.workspace, 'U1', 'C1', 'Try it with a sample');
    await postWith(team.workspace, /sample/);
    await sender.message(team.workspace, 'U1', 'C1', 'Analyse my hazard log', { thread_ts: ts });
    await eventually(
      () =>
        slack
          .callsOf('agents.sessions.setStatus')
          .some(({ team: of, body }) => of === team.workspace.team && body.status === 'suspended'),
      'suspended',
    );
  });
});

describe('every kind of question', () => {
  /** Has an agent ask something in the owner's direct messages, by a workflow of this test's own. */
  async function ask(
    team: Team,
    question: { interruptType: 'approval' | 'decision' | 'input'; prompt: string; options?: string[] },
  ): Promise<Posted> {
    const [
      { registerWorkflow },
      { startRun },
      { executeRun },
      { openConversation },
      { UserAgent },
      { findAgent },
      { runInAccount },
    ] = [
      await import('../../bot/engine/workflows/workflow.ts'),
      await import('../../bot/engine/workflows/startRun.ts'),
      await import('../../bot/engine/workflows/executeRun.ts'),
      await import('../../bot/engine/turns/conversations.ts'),
      await import('../../models/userAgent.ts'),
      await import('../../models/contracts/catalogue.ts'),
      await import('../../models/store/context.ts'),
    ];
    registerWorkflow({
      name: 'test-question',
      title: 'A question',
      first: 'ask',
      reserve: 0,
      steps: {
        ask: { label: 'Ask', run: async () => ({ ask: question, next: 'tell' }) },
        tell: {
          label: 'Tell',
          async run({ answer, say }) {
            const { userResponse } = await answer();
            await say({ key: 'told', kind: 'text', text: `You said ${JSON.stringify(userResponse)}` });
            return { done: { output: 'told' } };
          },
        },
      },
    });
    const { accountId, id: userId } = team.owner.user;
    await runInAccount(accountId, async () => {
      const userAgent = await UserAgent.findOne({ _id: team.owner.agent.id }).lean();
      const address = { channel: 'slack' as const, conversation: `${team.workspace.team}:D1`, thread: null };
      const conversation = await openConversation(accountId, address);
      const agent = findAgent('clinical_safety');
      if (!userAgent || !agent) throw new Error('no agent');
      const { run } = await startRun({
        workflow: 'test-question',
        goal: 'Ask',
        state: {},
        userAgent,
        agent,
        conversation,
        userId,
        startKey: question.prompt,
      });
      await executeRun(run, conversation);
    });
    return eventually(() => posted(team.workspace).find(({ text }) => text.includes(question.prompt)), 'the question');
  }
  const press = (team: Team, message: Posted, action: string) =>
    sender.click(team.workspace, 'U1', action, interruptIdOf(message), { channel: 'D1', ts: message.ts });

  test('an approval is approved, or rejected with its reason', async () => {
    const team = await connect();
    await press(team, await ask(team, { interruptType: 'approval', prompt: 'Release version 2?' }), 'answer:approve');
    await postWith(team.workspace, /You said \{"approved":true\}/);
    const second = await ask(team, { interruptType: 'approval', prompt: 'Release version 3?' });
    await press(team, second, 'answer:reject');
    const modal = await eventually(() => team.workspace.views.at(-1)?.view, 'the reason’s modal');
    expect(JSON.stringify(modal)).not.toContain('"optional":true');
    await sender.submit(team.workspace, 'U1', modal, { reason: { text: { value: 'Tests are open' } } });
    await postWith(team.workspace, /You said \{"approved":false\}/);
    expect((await questionsOf(team))[0]?.resolution).toMatchObject({ outcome: 'rejected', reason: 'Tests are open' });
  });

  test('a decision takes one of its options', async () => {
    const team = await connect();
    const message = await ask(team, {
      interruptType: 'decision',
      prompt: 'Which log?',
      options: ['The first', 'The second'],
    });
    await press(team, message, 'answer:option:1');
    await postWith(team.workspace, /You said \{"selectedOption":"The second"\}/);
  });

  test('an input takes words in a modal; a blank is told in the modal, and nothing is lost', async () => {
    const team = await connect();
    await press(team, await ask(team, { interruptType: 'input', prompt: 'Which release is it for?' }), 'answer:input');
    const modal = await eventually(() => team.workspace.views.at(-1)?.view, 'the modal');
    const blank = await sender.submit(team.workspace, 'U1', modal, { answer: { text: { value: '  ' } } });
    expect(JSON.parse(blank.text)).toEqual({
      response_action: 'errors',
      errors: { answer: 'Please write an answer.' },
    });
    await sender.submit(team.workspace, 'U1', modal, { answer: { text: { value: 'Release 4.2' } } });
    await postWith(team.workspace, /You said \{"userInput":"Release 4.2"\}/);
  });
});

test('findings to fix come as a table, where the mode lets them', async () => {
  const tableIn = async (mode: 'full' | 'reference-only') => {
    const team = await connect(mode);
    await askForReview(team);
    const result = posted(team.workspace).find(({ text }) => /Analysis complete/.test(text));
    return result?.blocks.find((block) => (block as { type: string }).type === 'table') as
      | { rows: { text: string }[][] }
      | undefined;
  };
  const table = await tableIn('full');
  expect(table?.rows[0]?.map(({ text }) => text)).toEqual(['Where', 'Finding', 'Recorded', 'Expected']);
  expect(table?.rows[1]?.[0]?.text).toMatch(/![A-Z]+\d+/);
  expect(await tableIn('reference-only')).toBeUndefined();
});

test('a long answer is split within Slack’s limits, and an account’s tokens that are revoked go', async () => {
  const { messagePosts } = await import('../../bot/channels/slack/cards/messageBlocks.ts');
  const posts = messagePosts({
    text: Array.from({ length: 900 }, (_, index) => `• Line ${index} of a long answer`).join('\n'),
    card: null,
  });
  expect(posts.length).toBeGreaterThan(1);
  for (const { blocks } of posts) {
    expect(blocks.length).toBeLessThanOrEqual(50);
    for (const block of blocks)
      expect((block as { text: { text: string } }).text.text.length).toBeLessThanOrEqual(3000);
  }
  const { owner, workspace } = await connect();
  await sender.event(workspace, { type: 'tokens_revoked', tokens: { bot: ['UBOT'] } });
  expect((await owner.browser.get('/api/slack/test')).body.success).toBe(false);
});

describe('what must not stop anything else', () => {
  test('a file that Slack won’t give is said, and a turn that can’t be carried on holds up no other', async () => {
    const team = await connect();
    await sender.message(team.workspace, 'U1', 'D1', '', {
      subtype: 'file_share',
      files: [{ id: 'F404', name: 'gone.xlsx' }],
    });
    await postWith(team.workspace, /could not fetch the file/);
    const { Turn } = await import('../../models/turn.ts');
    const { sweepTurns } = await import('../../bot/engine/turns/processTurn.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    const { accountId } = team.owner.user;
    await sender.message(team.workspace, 'U1', 'D1', 'hello');
    await postWith(team.workspace, /I never set a severity/);
    // One turn whose person Slack can’t name any more, and a good one after it.
    const rows = await runInAccount(accountId, () => Turn.find({ accountId }).sort({ _id: -1 }).limit(1).lean());
    const copy = (text: string, user: string) => ({
      ...rows[0],
      _id: new Types.ObjectId(),
      eventId: text,
      text,
      speaker: { userId: null, platformId: `${team.workspace.team}:${user}`, name: '' },
      status: 'stored' as const,
      createdAt: new Date(Date.now() - 60_000),
      dueAt: new Date(0),
      attempts: 0,
    });
    await Turn.collection.insertMany([copy('bad', 'U404'), copy('What is the risk matrix?', 'U1')] as never[]);
    const before = posted(team.workspace).length;
    await sweepTurns(0);
    await eventually(() => posted(team.workspace).length > before, 'the good turn’s reply');
    const bad = await runInAccount(accountId, () => Turn.findOne({ eventId: 'bad' }).lean());
    expect(bad).toMatchObject({ status: 'stored', attempts: 1 });
  });

  test('a stranger who can’t even be told leaves nothing behind', async () => {
    const { workspace, owner } = await connect();
    slack.fail('chat.postEphemeral', 500, 10);
    await sender.mention(workspace, 'U9', 'C1', 'help');
    const { Turn } = await import('../../models/turn.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    await factories.eventually(
      async () => (await runInAccount(owner.user.accountId, () => Turn.findOne({}).lean()))?.status === 'done',
      'the turn to be over',
    );
    slack.recover();
  });

  test('switched off under Integrations, it neither hears nor speaks', async () => {
    const { workspace, owner } = await connect();
    await owner.browser.post('/api/integrations/toggle').send({ integrationId: 'slack', enabled: false }).expect(200);
    await sender.message(workspace, 'U1', 'D1', 'help');
    await owner.browser.post('/api/integrations/toggle').send({ integrationId: 'slack', enabled: true }).expect(200);
    await sender.message(workspace, 'U1', 'D2', 'help');
    await eventually(() => posted(workspace).some(({ channel }) => channel === 'D2'), 'the reply after');
    expect(posted(workspace).filter(({ channel }) => channel === 'D1')).toEqual([]);
  });

  test('who left the account sees its Home no more', async () => {
    const team = await connect();
    await sender.event(team.workspace, { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home' });
    await eventually(() => team.workspace.homes.has('U1'), 'the Home');
    const { Member } = await import('../../models/member.ts');
    const { announce } = await import('../../models/store/revisions.ts');
    await askForReview(team);
    await Member.deleteOne({ accountId: team.owner.user.accountId, userId: team.owner.user.id });
    announce(team.owner.user.accountId, ['account']);
    const { cancelInterrupts } = await import('../../bot/engine/interrupts/cancelInterrupts.ts');
    const { Interrupt: Row } = await import('../../models/interrupt.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    await runInAccount(team.owner.user.accountId, async () => {
      const row = await Row.findOne({ status: 'pending' }).lean();
      if (row) await cancelInterrupts(row.runId);
    });
    await eventually(() => JSON.stringify(team.workspace.homes.get('U1')).includes('invited'), 'a stranger’s Home');
  });

  test('in an organisation, people of other organisations are strangers', async () => {
    const owner = await factories.signUpReady(server);
    const workspace = slack.addWorkspace('TG2');
    workspace.enterprise = 'E2';
    const { User } = await import('../../models/user.ts');
    await User.updateOne({ _id: owner.user.id }, { $set: { emailVerified: true } });
    workspace.users.set('U5', { id: 'U5', email: owner.email, name: 'Looks like Ada', team: 'T999' });
    const begun = await owner.browser.get('/api/oauth/slack/authorize').expect(302);
    const vendor = await fetch(String(begun.headers.location), { redirect: 'manual' });
    const back = new URL(String(vendor.headers.get('location')));
    await owner.browser.get(`${back.pathname}${back.search}`).expect(302);
    await sender.mention(workspace, 'U5', 'C1', 'help');
    await eventually(() => slack.callsOf('chat.postEphemeral').some(({ team }) => team === 'TG2'), 'the private word');
    expect(posted(workspace)).toEqual([]);
  });

  test('a token that can’t be renewed just now is no acknowledgement: Slack sends the event again', async () => {
    const { workspace } = await connect();
    const { ChannelInstallation } = await import('../../models/channelInstallation.ts');
    const { seal, unseal } = await import('../../models/store/encrypted.ts');
    const { announce } = await import('../../models/store/revisions.ts');
    const context = `slack:${workspace.team}`;
    const row = await ChannelInstallation.findOne({ key: workspace.team }).lean();
    const tokens = unseal<Record<string, unknown>>(row?.sealed as never, context);
    const sealed = seal({ ...tokens, refreshToken: 'xoxe-2', expiresAt: 1 }, context);
    await ChannelInstallation.updateOne({ key: workspace.team }, { $set: { sealed } });
    announce(row?.accountId ?? 0, ['integrations']);
    workspace.refreshTokens.add('xoxe-2');
    slack.fail('oauth.v2.access', 500, 3);
    const ts = '1795900001.000100';
    const first = await sender.message(workspace, 'U1', 'D1', 'help', { ts });
    expect(first.status).not.toBe(200);
    slack.recover();
    expect((await sender.message(workspace, 'U1', 'D1', 'help', { ts })).status).toBe(200);
    await postWith(workspace, /I never set a severity/);
  });
});

test('signs that Slack reads are escaped before a text is cut, and ping nobody', async () => {
  const { messagePosts } = await import('../../bot/channels/slack/cards/messageBlocks.ts');
  const posts = messagePosts({ text: '<!channel> & '.repeat(600), card: null });
  for (const { blocks, text } of posts) {
    expect(text).not.toContain('<!channel>');
    for (const block of blocks) {
      const told = (block as { text: { text: string } }).text.text;
      expect(told.length).toBeLessThanOrEqual(3000);
      expect(told).not.toContain('<!');
    }
  }
});

describe('what leaves', () => {
  const told = ({ workspace }: Team) =>
    JSON.stringify([posted(workspace), [...workspace.homes.values()], workspace.views]);

  test.each(['reference-only', 'redacted', 'full'] as const)('under %s is what was consented to', async (mode) => {
    const team = await connect(mode);
    await sender.event(team.workspace, { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home' });
    const message = await askForReview(team);
    await sender.click(team.workspace, 'U1', 'answer:review', interruptIdOf(message), {
      channel: 'D1',
      ts: message.ts,
    });
    await eventually(() => team.workspace.views.length > 0, 'the modal');
    const [asked] = await questionsOf(team);
    const rows = asked?.context.rows ?? [];
    const text = told(team);
    const quotes = rows.flatMap(({ evidence }) => evidence.map(({ quote }) => JSON.stringify(quote).slice(1, 40)));
    const titles = rows.map(({ candidates }) => candidates[0]?.title ?? '');
    expect(quotes.some((quote) => text.includes(quote))).toBe(mode === 'full');
    expect(titles.some((title) => text.includes(title))).toBe(mode !== 'reference-only');
    expect(text).toContain('Analysis complete: 25 hazards');
    expect(text.includes('Quillmere')).toBe(mode === 'full');
    // Files leave with full consent alone: the sample's two.
    expect(team.workspace.shared.length).toBe(mode === 'full' ? 2 : 0);
  });
});

test('200 events in a burst are all acknowledged, and none is lost, though Slack slows us down for a while', async () => {
  const team = await connect();
  slack.fail('chat.postMessage', 429, 60, 1);
  const sent = await Promise.all(
    Array.from({ length: 200 }, (_, index) => sender.message(team.workspace, 'U1', `D${index}`, 'help')),
  );
  expect(sent.every(({ status }) => status === 200)).toBe(true);
  await factories.eventually(
    async () => {
      await parts.sweepDeliveries();
      return posted(team.workspace).length >= 200;
    },
    '200 replies',
    60_000,
  );
  expect(posted(team.workspace)).toHaveLength(200);
}, 90_000);
