/** @environment slack */
import { describe, expect, test } from '@jest/globals';
import { holdWaitingSaves } from '../factories/holdWaiting.ts';
import type { Workspace } from '../fakes/slack/methods.ts';
import { actionsIn, interruptIdOf, join, openSlackTeams, posted, type Team } from './slackTeams.ts';

const slackTeams = openSlackTeams();
const { askForReview, eventually, postWith, questionsOf, toldAlone } = actionsIn(slackTeams);

/** Onboards another agent of the account. */
async function onboard({ owner }: Team, agentId: string): Promise<void> {
  const { body } = await owner.browser.post('/api/user-agents/hire').send({ agentId }).expect(200);
  const { UserAgent } = await import('../../models/userAgent.ts');
  const { runInAccount } = await import('../../models/store/context.ts');
  const { changing } = await import('../../models/store/revisions.ts');
  const { accountId } = owner.user;
  await runInAccount(accountId, () =>
    changing(accountId, ['agents'], () => UserAgent.updateOne({ _id: body.id }, { $set: { status: 'onboarded' } })),
  );
}

describe('talking in Slack', () => {
  test('a mention is acknowledged and answered in its thread, under the agent’s name', async () => {
    const team = await slackTeams.connect();
    const { status, ts } = await slackTeams.sender.mention(team.workspace, 'U1', 'C1', 'help');
    expect(status).toBe(200);
    const reply = await postWith(team.workspace, /I never set a severity/);
    expect(reply).toMatchObject({ channel: 'C1', thread: ts, username: 'Clara, Clinical safety officer' });
    // Over http Slack could not fetch a picture.
    expect(slackTeams.slack.callsOf('chat.postMessage', team.workspace).map(({ body }) => body.icon_url)).toEqual([
      undefined,
    ]);
  });

  test('a thread continues without mentions; a stranger’s thread is ignored', async () => {
    const { workspace } = await slackTeams.connect();
    const { ts } = await slackTeams.sender.mention(workspace, 'U1', 'C1', 'help');
    await postWith(workspace, /I never set a severity/);
    await slackTeams.sender.message(workspace, 'U1', 'C1', 'What is the risk matrix?', { thread_ts: ts });
    await eventually(() => posted(workspace).filter(({ thread }) => thread === ts).length >= 2, 'a second reply');
    await slackTeams.sender.message(workspace, 'U1', 'C2', 'What is the risk matrix?', { thread_ts: '1.1' });
    await slackTeams.sender.message(workspace, 'U1', 'C2', 'just talking');
    expect(posted(workspace).filter(({ channel }) => channel === 'C2')).toEqual([]);
  });

  test('the same event five times, and as a mention and a message, gets one reply', async () => {
    const { workspace } = await slackTeams.connect();
    const ts = '1795900000.000100';
    await Promise.all([
      ...Array.from({ length: 5 }, () =>
        slackTeams.sender.mention(workspace, 'U1', 'C1', 'help', { ts }, { headers: { 'X-Slack-Retry-Num': '1' } }),
      ),
      slackTeams.sender.message(workspace, 'U1', 'C1', `<@UBOT${workspace.team}> help`, { ts }),
    ]);
    await postWith(workspace, /I never set a severity/);
    await slackTeams.sender.message(workspace, 'U1', 'D1', 'help');
    await eventually(() => posted(workspace).some(({ channel }) => channel === 'D1'), 'the later reply');
    expect(posted(workspace).filter(({ channel }) => channel === 'C1')).toHaveLength(1);
  });

  test('an uploaded file starts the same work as on the web, and results come back as files', async () => {
    const team = await slackTeams.connect();
    const { readSample } = await import('../../bot/agents/clinical_safety/sample/readSample.ts');
    const { log } = await readSample();
    team.workspace.files.set('F1', { id: 'F1', name: log.fileName, bytes: Buffer.from(log.bytes) });
    await slackTeams.sender.message(team.workspace, 'U1', 'D1', 'analyse', {
      subtype: 'file_share',
      files: [{ id: 'F1', name: log.fileName }],
    });
    await postWith(team.workspace, /is a hazard log with 25 data rows/);
    await postWith(team.workspace, /Analysis complete: 25 hazards/);
    // Without tickets nothing is proposed. With the sample's, there is something to merge, which comes as a file.
    const question = await askForReview(team);
    const click = { channel: 'D1', ts: question.ts };
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:approve', interruptIdOf(question), click);
    const offer = await eventually(
      () => posted(team.workspace).find(({ blocks }) => /"say:\d".*Merge new lines/.test(JSON.stringify(blocks))),
      'the offer to merge',
    );
    await slackTeams.sender.click(team.workspace, 'U1', 'say:0', 'Merge new lines into Hazard Log', {
      channel: 'D1',
      ts: offer.ts,
    });
    const merged = await eventually(() => team.workspace.shared.find(({ title }) => /merged/i.test(title)), 'the file');
    expect(merged.channel).toBe('D1');
    const { inspect } = await import('../../bot/agents/clinical_safety/worker/inspect.ts');
    expect(await inspect(merged.bytes, merged.title)).toMatchObject({ kind: 'hazard-log' });
  });

  test('replies stream in the agent view, and are posted where Slack does not stream', async () => {
    const { workspace } = await slackTeams.connect();
    await slackTeams.sender.message(workspace, 'U1', 'D1', 'help', { thread_ts: '7.7' });
    const done = await eventually(() => posted(workspace).find(({ streamed }) => streamed === 'done'), 'the stream');
    expect(done).toMatchObject({ text: expect.stringMatching(/I never set a severity/), thread: '7.7' });
    const other = await slackTeams.connect();
    other.workspace.streams = false;
    await slackTeams.sender.message(other.workspace, 'U1', 'D1', 'help', { thread_ts: '7.7' });
    expect((await postWith(other.workspace, /I never set a severity/)).streamed).toBeUndefined();
  });

  test('the owner admits a workspace, or people by e-mail; they may ask but not answer', async () => {
    const { owner, workspace } = await slackTeams.connect();
    const [installation] = (await owner.browser.get('/api/channels/slack/installations').expect(200)).body;
    expect(installation).toMatchObject({ name: workspace.name, admits: 'members' });
    await owner.browser
      .put(`/api/channels/slack/installations/${installation.id}`)
      .send({ admits: ['Stranger@Example.com'] })
      .expect(200);
    workspace.users.set('U8', { id: 'U8', email: 'another@example.com', name: 'Another' });
    await slackTeams.sender.message(workspace, 'U8', 'D8', 'help');
    await slackTeams.sender.message(workspace, 'U9', 'D9', 'help');
    await postWith(workspace, /I never set a severity/);
    await postWith(workspace, /only work with members/);
    expect(
      posted(workspace)
        .map(({ channel, text }) => [channel, /severity/.test(text)])
        .sort(),
    ).toEqual([
      ['D8', false],
      ['D9', true],
    ]);
    await owner.browser
      .put(`/api/channels/slack/installations/${installation.id}`)
      .send({ admits: 'nobody' })
      .expect(400);
    const other = await slackTeams.factories.signUpReady(slackTeams.server);
    await other.browser
      .put(`/api/channels/slack/installations/${installation.id}`)
      .send({ admits: 'workspace' })
      .expect(404);
  });

  test('posts of the app and of other bots are not answered', async () => {
    const { workspace } = await slackTeams.connect();
    await slackTeams.sender.message(workspace, `UBOT${workspace.team}`, 'D1', 'help');
    await slackTeams.sender.message(workspace, 'U1', 'D1', 'help', { bot_id: 'B7' });
    await slackTeams.sender.message(workspace, 'U1', 'D1', 'hello');
    await postWith(workspace, /I never set a severity/);
    expect(posted(workspace)).toHaveLength(1);
  });

  test('a stranger gets a private explanation, and costs nothing', async () => {
    const { owner, workspace } = await slackTeams.connect();
    await slackTeams.sender.mention(workspace, 'U9', 'C1', 'help');
    const told = await eventually(
      () => slackTeams.slack.callsOf('chat.postEphemeral').find(({ team }) => team === workspace.team),
      'the private word',
    );
    expect(told.body).toMatchObject({ channel: 'C1', user: 'U9' });
    expect(posted(workspace)).toEqual([]);
    expect((await owner.browser.get('/api/user/tokens/balance')).body.balance.tokensUsed).toBe(0);
  });

  test.each([
    ['a guest with a member’s e-mail', { guest: true }],
    ['someone of another organisation with a member’s e-mail', { team: 'T999' }],
    ['a bot', { more: { is_bot: true } }],
    ['someone who was removed', { more: { deleted: true } }],
    ['a guest of one channel', { more: { is_ultra_restricted: true } }],
    ['someone whom Slack calls a stranger', { more: { is_stranger: true } }],
  ])('%s is a stranger, even if the workspace is admitted', async (_what, change) => {
    const { owner, workspace } = await slackTeams.connect();
    const [{ id }] = (await owner.browser.get('/api/channels/slack/installations')).body;
    await owner.browser.put(`/api/channels/slack/installations/${id}`).send({ admits: 'workspace' }).expect(200);
    workspace.users.set('U5', { id: 'U5', email: owner.email, name: 'Looks like Ada', ...change });
    await slackTeams.sender.mention(workspace, 'U5', 'C1', 'help');
    await eventually(
      () => slackTeams.slack.callsOf('chat.postEphemeral').some(({ team }) => team === workspace.team),
      'the private word',
    );
    expect(posted(workspace)).toEqual([]);
  });

  test('an unverified e-mail does not make a member', async () => {
    const { owner, workspace } = await slackTeams.connect();
    const { User } = await import('../../models/user.ts');
    await User.updateOne({ _id: owner.user.id }, { $set: { emailVerified: false } });
    await slackTeams.sender.mention(workspace, 'U1', 'C1', 'help');
    await eventually(
      () => slackTeams.slack.callsOf('chat.postEphemeral').some(({ team }) => team === workspace.team),
      'the private word',
    );
    expect(posted(workspace)).toEqual([]);
  });

  test('messages that Slack can’t take are sent later, once, and in order', async () => {
    const { workspace } = await slackTeams.connect();
    slackTeams.slack.fail('chat.startStream', 429, 8, 1);
    await slackTeams.sender.message(workspace, 'U1', 'D1', 'help');
    await eventually(
      () => slackTeams.slack.callsOf('users.info').some(({ team }) => team === workspace.team),
      'the turn to be heard',
    );
    slackTeams.slack.recover();
    await slackTeams.factories.eventually(async () => {
      await slackTeams.parts.sweepDeliveries();
      return posted(workspace).length > 0;
    }, 'the reply after the slow-down');
    expect(posted(workspace)).toHaveLength(1);
  });
});

describe('a message’s text', () => {
  test.each([
    ['<@UBOT> which hazards &amp; controls &lt; 3?', 'which hazards & controls < 3?'],
    [
      'ask <@U7|ben> in <#C1|safety> about <https://example.org/a|the log>',
      'ask @ben in #safety about the log (https://example.org/a)',
    ],
    ['see <https://example.org> and <mailto:a@example.org|a@example.org>', 'see https://example.org and a@example.org'],
    ['<!here> <!subteam^S1|@safety> <!date^1^{date}|3 May>', '@here @safety 3 May'],
  ])('%s is read as people read it', async (text, words) => {
    const { readWords } = await import('../../bot/channels/slack/words.ts');
    expect(readWords(text, 'UBOT')).toBe(words);
  });

  test('an id that begins like the app’s own belongs to somebody else', async () => {
    const { mentions } = await import('../../bot/channels/slack/words.ts');
    expect([mentions('<@UBOT1> hi', 'UBOT'), mentions('<@UBOT|arc> hi', 'UBOT'), mentions('<@UBOT>', 'UBOT')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('a mention without words gets a list of what the agent can do', async () => {
    const { workspace } = await slackTeams.connect();
    await slackTeams.sender.mention(workspace, 'U1', 'C1', '');
    await postWith(workspace, /I never set a severity/);
  });

  test('a reply that is also sent to the channel is read; edited and deleted posts are not', async () => {
    const { workspace } = await slackTeams.connect();
    const { ts } = await slackTeams.sender.mention(workspace, 'U1', 'C1', 'help');
    await postWith(workspace, /I never set a severity/);
    for (const subtype of ['message_changed', 'message_deleted', 'channel_join'])
      await slackTeams.sender.message(workspace, 'U1', 'C1', 'help', { thread_ts: ts, subtype });
    await slackTeams.sender.message(workspace, 'U1', 'C1', 'What is the risk matrix?', {
      thread_ts: ts,
      subtype: 'thread_broadcast',
    });
    await eventually(() => posted(workspace).length === 2, 'the second reply');
    await slackTeams.sender.message(workspace, 'U1', 'D1', 'help');
    await eventually(() => posted(workspace).some(({ channel }) => channel === 'D1'), 'a later reply');
    expect(posted(workspace).filter(({ channel }) => channel === 'C1')).toHaveLength(2);
  });

  test('a thread in direct messages uses the log that was uploaded above it', async () => {
    const team = await slackTeams.connect();
    await slackTeams.sender.message(team.workspace, 'U1', 'D1', 'Try it with a sample');
    const sample = await postWith(team.workspace, /sample/);
    await slackTeams.sender.message(team.workspace, 'U1', 'D1', 'Analyse my hazard log', { thread_ts: sample.ts });
    await postWith(team.workspace, /Analysis complete/);
    const question = await eventually(
      () => posted(team.workspace).find(({ blocks }) => JSON.stringify(blocks).includes('answer:review')),
      'the question',
    );
    expect(question.thread).toBe(sample.ts);
  });

  test('a question may be answered in words in its thread', async () => {
    const team = await slackTeams.connect();
    const question = await askForReview(team);
    await slackTeams.sender.message(team.workspace, 'U1', 'D1', 'reject all', { thread_ts: question.ts });
    await postWith(team.workspace, /Review recorded/);
    expect((await questionsOf(team))[0]?.resolution).toMatchObject({ outcome: 'rejected', via: 'slack' });
  });
});

describe('a direct chat', () => {
  test('streams a long reply, and continues an interrupted stream where it stopped', async () => {
    const { workspace, owner } = await slackTeams.connect();
    const { sayMessage } = await import('../../bot/channels/slack/sayMessage.ts');
    const { openConversation } = await import('../../bot/engine/conversations/conversations.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    const { accountId } = owner.user;
    const lines = Array.from({ length: 80 }, (_, index) => `Line ${index} of a long answer to <!channel>`);
    await runInAccount(accountId, async () => {
      const address = { channel: 'slack' as const, conversation: `${workspace.team}:D1`, thread: '7.9' };
      const conversation = await openConversation(accountId, address, true);
      const message = { kind: 'text', text: lines.join('\n'), card: null, attachments: [], derived: null } as never;
      let reference: Record<string, unknown> | null = null;
      const sending = () => ({
        reference,
        async keep(kept: Record<string, unknown>) {
          reference = kept;
        },
      });
      slackTeams.slack.refuse('chat.appendStream', 'internal_error', 1);
      await expect(sayMessage(conversation, message, sending())).rejects.toThrow();
      slackTeams.slack.recover();
      await sayMessage(conversation, message, sending());
    });
    const [reply] = posted(workspace);
    expect(posted(workspace)).toHaveLength(1);
    expect(reply?.streamed).toBe('done');
    expect(reply?.text.split('\n')).toEqual(lines.map((line) => line.replace('<', '&lt;').replace('>', '&gt;')));
    expect(slackTeams.slack.callsOf('chat.appendStream', workspace).length).toBeGreaterThan(2);
  });

  test('has a thread under each message, where it is answered and streamed', async () => {
    const { workspace } = await slackTeams.connect();
    const { ts } = await slackTeams.sender.message(workspace, 'U1', 'D1', 'help');
    const reply = await eventually(() => posted(workspace).find(({ streamed }) => streamed === 'done'), 'the stream');
    expect(reply.thread).toBe(ts);
  });

  test('shares files and pending questions among its threads', async () => {
    const team = await slackTeams.connect();
    const question = await askForReview(team);
    const suspended = () =>
      slackTeams.slack
        .callsOf('agents.sessions.setStatus')
        .filter(({ team: of, body }) => of === team.workspace.team && body.thread_ts === question.thread);
    await eventually(() => suspended().at(-1)?.body.status === 'suspended', 'the session that waits');
    const { ts } = await slackTeams.sender.message(team.workspace, 'U1', 'D1', 'reject all');
    expect(ts).not.toBe(question.thread);
    await postWith(team.workspace, /Review recorded/);
    expect((await questionsOf(team))[0]?.resolution).toMatchObject({ outcome: 'rejected' });
  });
});

describe('talk among people in a thread', () => {
  /** A thread in a channel with a pending review. */
  async function askInThread(team: Team): Promise<string> {
    const { ts } = await slackTeams.sender.mention(team.workspace, 'U1', 'C1', 'Try it with a sample');
    await postWith(team.workspace, /sample/);
    await slackTeams.sender.mention(team.workspace, 'U1', 'C1', 'Analyse my hazard log', { thread_ts: ts });
    await eventually(
      () => posted(team.workspace).find(({ blocks }) => JSON.stringify(blocks).includes('answer:review')),
      'the question',
    );
    return ts;
  }
  const pending = async (team: Team) => (await questionsOf(team))[0]?.status;

  test('signs nothing: only messages to the agent answer a question', async () => {
    const team = await slackTeams.connect();
    const ts = await askInThread(team);
    const before = posted(team.workspace).length;
    await slackTeams.sender.message(team.workspace, 'U1', 'C1', 'accept all', { thread_ts: ts });
    await eventually(() => posted(team.workspace).length > before, 'a reply');
    expect(await pending(team)).toBe('pending');
    await slackTeams.sender.mention(team.workspace, 'U1', 'C1', 'accept all', { thread_ts: ts });
    await postWith(team.workspace, /Review recorded/);
  });

  test('signs nothing when forwarded with “Send to Arc” either', async () => {
    const team = await slackTeams.connect();
    const ts = await askInThread(team);
    const before = posted(team.workspace).length;
    await slackTeams.sender.shortcut(team.workspace, 'U1', 'C1', {
      ts: '1795.5',
      thread_ts: ts,
      text: 'approve all',
      user: 'U9',
    });
    await eventually(() => posted(team.workspace).length > before + 1, 'the question and a reply');
    expect(await pending(team)).toBe('pending');
  });

  test('of strangers is ignored and not stored', async () => {
    const team = await slackTeams.connect();
    const { ts } = await slackTeams.sender.mention(team.workspace, 'U1', 'C1', 'help');
    await postWith(team.workspace, /I never set a severity/);
    slackTeams.slack.calls.length = 0;
    await slackTeams.sender.message(team.workspace, 'U9', 'C1', 'Have you seen this patient?', { thread_ts: ts });
    const { Turn } = await import('../../models/turn.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    const turn = await slackTeams.factories.eventually(
      () =>
        runInAccount(team.owner.user.accountId, () =>
          Turn.findOne({ 'speaker.platformId': `${team.workspace.team}:U9`, status: 'done' }).lean(),
        ),
      'the turn to be over',
    );
    expect(turn.text).toBe('');
    expect(slackTeams.slack.callsOf('chat.postEphemeral', team.workspace)).toEqual([]);
  });

  test('does not become the agent’s thread because a stranger mentioned it', async () => {
    const team = await slackTeams.connect();
    const { ts } = await slackTeams.sender.mention(team.workspace, 'U9', 'C1', 'help');
    await eventually(() => slackTeams.slack.callsOf('chat.postEphemeral', team.workspace).at(-1), 'the private word');
    await slackTeams.sender.message(team.workspace, 'U1', 'C1', 'What is the risk matrix?', { thread_ts: ts });
    await slackTeams.sender.message(team.workspace, 'U1', 'D1', 'help');
    await eventually(() => posted(team.workspace).length > 0, 'a later reply');
    expect(posted(team.workspace).filter(({ channel }) => channel === 'C1')).toEqual([]);
  });
});

describe('buttons under a message', () => {
  test('do what they say, once for each person who clicks', async () => {
    const team = await slackTeams.connect();
    const { workspace } = team;
    await join(slackTeams, team, 'U2', ['deputy']);
    await slackTeams.sender.message(workspace, 'U1', 'D1', 'Try it with a sample');
    const sample = await postWith(workspace, /sample/);
    const rows = sample.blocks as { type: string; elements?: object[] }[];
    const [offered] = rows.find(({ type }) => type === 'actions')?.elements ?? [];
    expect(offered).toMatchObject({ action_id: 'say:0', value: 'Analyse my hazard log' });
    const click = (user = 'U1') =>
      slackTeams.sender.click(workspace, user, 'say:0', 'Analyse my hazard log', { channel: 'D1', ts: sample.ts });
    await click();
    await postWith(workspace, /Analysis complete/);
    await click();
    await toldAlone(workspace, /already asked for this with this button/);
    expect(posted(workspace).filter(({ text }) => /Analysis complete/.test(text))).toHaveLength(1);
    slackTeams.slack.calls.length = 0;
    await click('U2');
    expect(slackTeams.slack.callsOf('response_url', workspace)).toEqual([]);
    await eventually(
      () => posted(workspace).filter(({ text }) => /Analysis complete/.test(text)).length === 2,
      'the other’s own',
    );
  });
});

test('a click between a question and the save of its run is accepted', async () => {
  const team = await slackTeams.connect();
  const { workspace } = team;
  await join(slackTeams, team, 'U2', ['deputy']);
  await slackTeams.sender.message(workspace, 'U1', 'D1', 'Try it with a sample');
  const { ts } = await postWith(workspace, /sample/);
  const release = await holdWaitingSaves();
  const click = (user: string) =>
    slackTeams.sender.click(workspace, user, 'say:0', 'Analyse my hazard log', { channel: 'D1', ts });
  await click('U1');
  await slackTeams.factories.eventually(async () => (await questionsOf(team)).length === 1, 'the question');
  await click('U2');
  // Other requests are answered meanwhile, so a refusal would have arrived too.
  for (let asked = 0; asked < 5; asked += 1) await questionsOf(team);
  // Buttons appear only once the run waits.
  expect(JSON.stringify(posted(workspace))).not.toContain('answer:review');
  release();
  await eventually(
    () => posted(workspace).filter(({ text }) => /Analysis complete/.test(text)).length === 2,
    'the second analysis',
  );
  expect(JSON.stringify(posted(workspace))).not.toContain('already running');
});

test('a run stopped in the agent view ends, and its question is withdrawn', async () => {
  const team = await slackTeams.connect();
  const { ts } = await slackTeams.sender.mention(team.workspace, 'U1', 'C1', 'Try it with a sample');
  await postWith(team.workspace, /sample/);
  await slackTeams.sender.message(team.workspace, 'U1', 'C1', 'Analyse my hazard log', { thread_ts: ts });
  const question = await eventually(
    () => posted(team.workspace).find(({ blocks }) => JSON.stringify(blocks).includes('answer:review')),
    'the question',
  );
  const stop = (user: string) =>
    slackTeams.sender.event(team.workspace, {
      type: 'agent_session_stopped',
      channel: 'C1',
      thread_ts: ts,
      user,
      streaming_message_ts: null,
    });
  await stop('U9');
  expect((await questionsOf(team))[0]?.status).toBe('pending');
  await stop('U1');
  await eventually(
    () => posted(team.workspace).some((one) => one.ts === question.ts && /Withdrawn/.test(one.text)),
    'the withdrawn question',
  );
  expect((await questionsOf(team))[0]?.status).toBe('cancelled');
});

test('a working run stopped in the agent view ends; until then the session shows that it works, and work elsewhere continues', async () => {
  const { workspace, owner } = await slackTeams.connect();
  const { registerWorkflow } = await import('../../bot/engine/workflows/workflow.ts');
  const { startRun } = await import('../../bot/engine/workflows/startRun.ts');
  const { executeRun } = await import('../../bot/engine/workflows/executeRun.ts');
  const { openConversation } = await import('../../bot/engine/conversations/conversations.ts');
  const { findAgent } = await import('../../models/contracts/catalogue.ts');
  const { Run } = await import('../../models/run.ts');
  const { UserAgent } = await import('../../models/userAgent.ts');
  const { runInAccount } = await import('../../models/store/context.ts');
  const { accountId, id: userId } = owner.user;
  const stopped = (signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  registerWorkflow({
    name: 'test-work',
    title: 'Work that goes on until it is stopped',
    first: 'work',
    reserve: 0,
    steps: { work: { label: 'Work', run: ({ signal }) => stopped(signal) } },
  });
  const begin = (thread: string) =>
    runInAccount(accountId, async () => {
      const userAgent = await UserAgent.findOne({ _id: owner.agent.id }).lean();
      const agent = findAgent('clinical_safety');
      const address = { channel: 'slack' as const, conversation: `${workspace.team}:C1`, thread };
      const conversation = await openConversation(accountId, address);
      if (!userAgent || !agent) throw new Error('no agent');
      const work = { workflow: 'test-work', goal: 'Work', state: {}, userAgent, agent, conversation, userId };
      const { run } = await startRun({ ...work, startKey: `work:${thread}` });
      return { id: run._id, over: executeRun(run, conversation) };
    });
  const runs = [await begin('3.1'), await begin('3.2')] as const;
  const shown = () => slackTeams.slack.callsOf('agents.sessions.setStatus', workspace).map(({ body }) => body);
  await eventually(
    () => ['3.1', '3.2'].every((ts) => shown().some((it) => it.thread_ts === ts && it.status === 'processing')),
    'that it works',
  );
  const stop = (user: string, thread: string) =>
    slackTeams.sender.event(workspace, { type: 'agent_session_stopped', channel: 'C1', thread_ts: thread, user });
  const read = ({ id }: (typeof runs)[number]) => runInAccount(accountId, () => Run.findOne({ _id: id }).lean());
  await stop('U9', '3.2');
  await stop('U1', '3.1');
  const ended = async () => (await read(runs[0]))?.status === 'cancelled';
  await slackTeams.factories.eventually(ended, 'the end, at once', 3000);
  expect(await read(runs[1])).toMatchObject({ status: 'ready', cancelRequested: false });
  await stop('U1', '3.2');
  await runs[1].over;
});

describe('commands and shortcuts', () => {
  test('/arc lists what it can do, who works here, and what is pending', async () => {
    const { workspace } = await slackTeams.connect();
    const said = async (words: string) =>
      JSON.parse((await slackTeams.sender.command(workspace, 'U1', 'C1', words)).text).text as string;
    expect(await said('help')).toContain('/arc ask');
    expect(await said('status')).toMatch(/built-in engine[\s\S]*Clara/);
    expect(await said('inbox')).toBe('Nothing waits for you.');
    expect(await said('hire')).toContain('Marta');
    expect(await said('hire Marta')).toContain('Marta is hired');
    expect(await said('agent Nobody')).toBe('No agent is called “Nobody”. `/arc status` shows who is there.');
  });

  test('/arc ask shows who asked what, is answered in its thread, and continues there', async () => {
    const { workspace } = await slackTeams.connect();
    await slackTeams.sender.command(workspace, 'U1', 'C7', 'ask what is the <risk> matrix?');
    const asked = await postWith(workspace, /<@U1> asked: what is the/);
    expect(asked).toMatchObject({ channel: 'C7', thread: null });
    const inThread = () => posted(workspace).filter(({ thread }) => thread === asked.ts);
    await eventually(() => inThread().length > 0, 'the answer');
    await slackTeams.sender.message(workspace, 'U1', 'C7', 'help', { thread_ts: asked.ts });
    await eventually(() => inThread().some(({ text }) => /I never set a severity/.test(text)), 'the next answer');
  });

  test.each([
    ['/arc ask', (workspace: Workspace) => slackTeams.sender.command(workspace, 'U1', 'C8', 'ask help')],
    [
      '“Send to Arc”',
      (workspace: Workspace) => slackTeams.sender.shortcut(workspace, 'U1', 'C8', { ts: '5.6', text: 'help' }),
    ],
  ])('%s where the app is not a member is answered in direct messages', async (_what, ask) => {
    const { workspace } = await slackTeams.connect();
    workspace.absentFrom.add('C8');
    await ask(workspace);
    expect(await postWith(workspace, /You asked: help\nI’m not a member of that channel/)).toMatchObject({
      channel: 'DU1',
    });
    expect(await postWith(workspace, /I never set a severity/)).toMatchObject({
      channel: 'DU1',
      thread: (await postWith(workspace, /not a member of that channel/)).ts,
    });
  });

  test.each(['channel_not_found', 'is_archived', 'restricted_action'])(
    '/arc ask is answered in direct messages if Slack refuses with %s',
    async (refusal) => {
      const { workspace } = await slackTeams.connect();
      slackTeams.slack.refuse('chat.postMessage', refusal, 1);
      await slackTeams.sender.command(workspace, 'U1', 'C8', 'ask help');
      expect(await postWith(workspace, /I’m not a member of that channel/)).toMatchObject({ channel: 'DU1' });
      expect(await postWith(workspace, /I never set a severity/)).toMatchObject({ channel: 'DU1' });
    },
  );

  test('/arc ask that could not be posted is still answered', async () => {
    const { workspace } = await slackTeams.connect();
    slackTeams.slack.refuse('chat.postMessage', 'internal_error', 1);
    await slackTeams.sender.command(workspace, 'U1', 'C8', 'ask help');
    expect(await postWith(workspace, /I never set a severity/)).toMatchObject({ channel: 'C8' });
    expect(posted(workspace)).toHaveLength(1);
  });

  test('a question in a command mentions nobody', async () => {
    const { workspace } = await slackTeams.connect();
    await slackTeams.sender.command(workspace, 'U1', 'C1', 'ask <!channel> &lt;!here&gt; what is the risk matrix?');
    const asked = await postWith(workspace, /<@U1> asked/);
    expect(asked.text.replace('<@U1>', '')).not.toMatch(/<[!@#]/);
  });

  test('a message sent to Arc twice by one person is one message', async () => {
    const team = await slackTeams.connect();
    const { workspace } = team;
    const send = () => slackTeams.sender.shortcut(workspace, 'U1', 'C3', { ts: '5.7', text: 'help' });
    await send();
    await postWith(workspace, /I never set a severity/);
    await send();
    await toldAlone(workspace, /already sent me that message/);
    expect(posted(workspace).filter(({ text }) => /asked: help/.test(text))).toHaveLength(1);
    // Another person's forwarding is their own message.
    await join(slackTeams, team, 'U2', ['member']);
    await slackTeams.sender.shortcut(workspace, 'U2', 'C3', { ts: '5.7', text: 'help' });
    await postWith(workspace, /<@U2> asked: help/);
  });

  test('words that are no command are a question, and names of JavaScript properties are no commands', async () => {
    const { workspace } = await slackTeams.connect();
    for (const words of ['what is the risk matrix?', '__proto__', 'constructor'])
      expect(JSON.parse((await slackTeams.sender.command(workspace, 'U1', 'C1', words)).text).text).toBe(
        'I’ll answer in the channel.',
      );
    expect(JSON.parse((await slackTeams.sender.command(workspace, 'U1', 'C1', '')).text).text).toContain('/arc ask');
  });

  test('/arc agent chooses who answers in the channel, and in its new threads', async () => {
    const team = await slackTeams.connect();
    await onboard(team, 'mdr');
    const said = await slackTeams.sender.command(team.workspace, 'U1', 'C1', 'agent Marta');
    expect(JSON.parse(said.text).text).toBe('Marta answers here from now on.');
    await slackTeams.sender.mention(team.workspace, 'U1', 'C1', 'what do you do?');
    expect((await postWith(team.workspace, /I draft technical files/)).username).toBe('Marta, EU MDR technical file');
    await slackTeams.sender.mention(team.workspace, 'U1', 'C2', 'help');
    expect((await postWith(team.workspace, /I never set a severity/)).username).toMatch(/^Clara/);
  });

  test.each(['@Marta what do you do?', 'Marta, what do you do?'])('“%s” asks Marta', async (words) => {
    const team = await slackTeams.connect();
    await onboard(team, 'mdr');
    await slackTeams.sender.mention(team.workspace, 'U1', 'C1', words);
    await postWith(team.workspace, /I draft technical files/);
  });

  test('the agent that a thread begins with answers what follows; another one that is named answers that message', async () => {
    const team = await slackTeams.connect();
    await onboard(team, 'mdr');
    const said = () => posted(team.workspace).map(({ username }) => username?.split(',')[0]);
    const { ts } = await slackTeams.sender.mention(team.workspace, 'U1', 'C1', 'Marta, what do you do?');
    await eventually(() => said().length === 1, 'the first reply');
    await slackTeams.sender.message(team.workspace, 'U1', 'C1', 'help', { thread_ts: ts });
    await eventually(() => said().length === 2, 'the second');
    await slackTeams.sender.message(team.workspace, 'U1', 'C1', 'Clara, help', { thread_ts: ts });
    await eventually(() => said().length === 3, 'the third');
    await slackTeams.sender.message(team.workspace, 'U1', 'C1', 'help', { thread_ts: ts });
    await eventually(() => said().length === 4, 'the fourth');
    expect(said()).toEqual(['Marta', 'Marta', 'Clara', 'Marta']);
  });

  test('/arc inbox shows no more than was consented to', async () => {
    const team = await slackTeams.connect('reference-only');
    await askForReview(team);
    const told = JSON.parse((await slackTeams.sender.command(team.workspace, 'U1', 'C1', 'inbox')).text);
    // A message that only one person sees can't be redrawn, so it never has buttons.
    expect(Object.keys(told).sort()).toEqual(['response_type', 'text']);
    const { text } = told;
    expect(text).toMatch(/^1 waiting[\s\S]*Please review \d+ proposals/);
    expect(text).not.toContain('Quillmere');
  });

  test('a stranger’s command is refused privately', async () => {
    const { workspace } = await slackTeams.connect();
    expect(JSON.parse((await slackTeams.sender.command(workspace, 'U9', 'C1', 'status')).text).text).toContain(
      'do not have permission',
    );
  });

  test('a stranger can’t make the app post with a command or shortcut', async () => {
    const { workspace } = await slackTeams.connect();
    await slackTeams.sender.command(workspace, 'U9', 'C1', 'ask help');
    await slackTeams.sender.shortcut(workspace, 'U9', 'C1', { ts: '5.8', text: 'help' });
    await toldAlone(workspace, /permission/);
    expect(posted(workspace)).toEqual([]);
  });

  test('“Send to Arc” answers a message in its thread', async () => {
    const { workspace } = await slackTeams.connect();
    await slackTeams.sender.shortcut(workspace, 'U1', 'C3', { ts: '5.5', text: 'help', user: 'U1' });
    expect(await postWith(workspace, /I never set a severity/)).toMatchObject({ channel: 'C3', thread: '5.5' });
  });

  test('the agent view offers prompts', async () => {
    const { workspace } = await slackTeams.connect();
    await slackTeams.sender.event(workspace, { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'messages' });
    const call = await eventually(
      () =>
        slackTeams.slack.callsOf('assistant.threads.setSuggestedPrompts').find(({ team }) => team === workspace.team),
      'prompts',
    );
    // The suggestions of working agents and questions for all agents, as many as Slack allows.
    expect((call.body.prompts as { message: string }[]).map(({ message }) => message)).toEqual([
      'Try it with a sample',
      'Analyse my hazard log',
      expect.stringMatching(/^Design a screen/),
      'help',
    ]);
  });
});
