/** @environment slack */
import { describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { proposalsOf } from '../factories/interrupt.ts';
import { actionsIn, interruptIdOf, join, openSlackTeams, posted, type Team } from './slackTeams.ts';

const slackTeams = openSlackTeams();
const { askForReview, eventually, postWith, questionsOf } = actionsIn(slackTeams);

test('findings to fix come as a table, if consent allows', async () => {
  const tableIn = async (mode: 'full' | 'reference-only') => {
    const team = await slackTeams.connect(mode);
    await askForReview(team);
    return posted(team.workspace)
      .flatMap(({ blocks }) => blocks)
      .find((block) => (block as { type: string }).type === 'table') as { rows: { text: string }[][] } | undefined;
  };
  const table = await tableIn('full');
  expect(table?.rows[0]?.map(({ text }) => text)).toEqual(['Where', 'Finding', 'Recorded', 'Expected']);
  expect(table?.rows[1]?.[0]?.text).toMatch(/![A-Z]+\d+/);
  expect(await tableIn('reference-only')).toBeUndefined();
});

test('a long answer is split within Slack’s limits, and tokens of an account are revoked at its end', async () => {
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
  const { owner, workspace } = await slackTeams.connect();
  await slackTeams.sender.event(workspace, { type: 'tokens_revoked', tokens: { bot: ['UBOT'] } });
  expect((await owner.browser.get('/api/slack/test')).body.success).toBe(false);
});

test.each([
  ['Chinese without a space', '危'.repeat(4000)],
  ['ids joined by commas', Array.from({ length: 900 }, (_, index) => `NRL${1000 + index}`).join(',')],
  ['signs that are escaped', '&<>'.repeat(6000)],
  ['pairs of units', '😀'.repeat(7000)],
  ['words and lines', Array.from({ length: 4000 }, (_, index) => `Line ${index}`).join('\n')],
])('%s: every character of a long text arrives, within Slack’s limits', async (_what, text) => {
  const { messagePosts } = await import('../../bot/channels/slack/cards/messageBlocks.ts');
  const { checkBlocks } = await import('../fakes/slack/methods.ts');
  const posts = messagePosts({ text, card: null });
  for (const { blocks, text: shown } of posts) expect(checkBlocks({ blocks, text: shown })).toBeNull();
  const words = posts
    .flatMap(({ blocks }) => blocks.map((block) => (block as { text: { text: string } }).text.text))
    .join('')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
  expect(words.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
});

describe('faults that must not block anything else', () => {
  test('a file that Slack refuses is reported, and a turn that can’t be processed blocks no other', async () => {
    const team = await slackTeams.connect();
    await slackTeams.sender.message(team.workspace, 'U1', 'D1', '', {
      subtype: 'file_share',
      files: [{ id: 'F404', name: 'gone.xlsx' }],
    });
    await postWith(team.workspace, /could not fetch the file/);
    const { Turn } = await import('../../models/turn.ts');
    const { sweepTurns } = await import('../../bot/engine/turns/sweepTurns.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    const { accountId } = team.owner.user;
    await slackTeams.sender.message(team.workspace, 'U1', 'D1', 'hello');
    await postWith(team.workspace, /I never set a severity/);
    // One turn whose author Slack can no longer identify, and a good one after it.
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
    slackTeams.slack.fail('users.info', 500, 3);
    await sweepTurns();
    await eventually(() => posted(team.workspace).length > before, 'the good turn’s reply');
    const bad = await runInAccount(accountId, () => Turn.findOne({ eventId: 'bad' }).lean());
    expect(bad).toMatchObject({ status: 'stored', attempts: 1 });
  });

  test('a stranger who can’t even be notified leaves nothing behind', async () => {
    const { workspace, owner } = await slackTeams.connect();
    slackTeams.slack.fail('chat.postEphemeral', 500, 10);
    await slackTeams.sender.mention(workspace, 'U9', 'C1', 'help');
    const { Turn } = await import('../../models/turn.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    await slackTeams.factories.eventually(
      async () => (await runInAccount(owner.user.accountId, () => Turn.findOne({}).lean()))?.status === 'done',
      'the turn to be over',
    );
    slackTeams.slack.recover();
  });

  test('switched off under Integrations, it neither reads nor posts', async () => {
    const { workspace, owner } = await slackTeams.connect();
    await owner.browser.post('/api/integrations/toggle').send({ integrationId: 'slack', enabled: false }).expect(200);
    await slackTeams.sender.message(workspace, 'U1', 'D1', 'help');
    await owner.browser.post('/api/integrations/toggle').send({ integrationId: 'slack', enabled: true }).expect(200);
    await slackTeams.sender.message(workspace, 'U1', 'D2', 'help');
    await eventually(() => posted(workspace).some(({ channel }) => channel === 'D2'), 'the reply after');
    expect(posted(workspace).filter(({ channel }) => channel === 'D1')).toEqual([]);
  });

  test('a person who left the account no longer sees its Home', async () => {
    const team = await slackTeams.connect();
    await slackTeams.sender.event(team.workspace, { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home' });
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
      if (row) await cancelInterrupts(row.runId as never);
    });
    await eventually(() => JSON.stringify(team.workspace.homes.get('U1')).includes('invited'), 'a stranger’s Home');
  });

  test('in an organisation, people of other organisations are strangers', async () => {
    const owner = await slackTeams.factories.signUpReady(slackTeams.server);
    const workspace = slackTeams.slack.addWorkspace('TG2');
    workspace.enterprise = 'E2';
    const { User } = await import('../../models/user.ts');
    await User.updateOne({ _id: owner.user.id }, { $set: { emailVerified: true } });
    workspace.users.set('U5', { id: 'U5', email: owner.email, name: 'Looks like Ada', team: 'T999' });
    const begun = await owner.browser.get('/api/oauth/slack/authorize').expect(302);
    const vendor = await fetch(String(begun.headers.location), { redirect: 'manual' });
    const back = new URL(String(vendor.headers.get('location')));
    await owner.browser.get(`${back.pathname}${back.search}`).expect(302);
    await slackTeams.sender.mention(workspace, 'U5', 'C1', 'help');
    await eventually(
      () => slackTeams.slack.callsOf('chat.postEphemeral').some(({ team }) => team === 'TG2'),
      'the private word',
    );
    expect(posted(workspace)).toEqual([]);
  });

  test('while a token can’t be refreshed, events are not acknowledged, so that Slack resends them', async () => {
    const { workspace } = await slackTeams.connect();
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
    slackTeams.slack.fail('oauth.v2.access', 500, 3);
    const ts = '1795900001.000100';
    const first = await slackTeams.sender.message(workspace, 'U1', 'D1', 'help', { ts });
    expect(first.status).not.toBe(200);
    slackTeams.slack.recover();
    expect((await slackTeams.sender.message(workspace, 'U1', 'D1', 'help', { ts })).status).toBe(200);
    await postWith(workspace, /I never set a severity/);
  });
});

test('Slack’s special characters are escaped before a text is cut, and mention nobody', async () => {
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

describe('content sent to Slack', () => {
  const told = ({ workspace }: Team) =>
    JSON.stringify([posted(workspace), [...workspace.homes.values()], workspace.views]);

  test.each(['reference-only', 'redacted', 'full'] as const)('under %s is what was consented to', async (mode) => {
    const team = await slackTeams.connect(mode);
    await slackTeams.sender.event(team.workspace, { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home' });
    const message = await askForReview(team);
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:review', interruptIdOf(message), {
      channel: 'D1',
      ts: message.ts,
    });
    await eventually(() => team.workspace.views.length > 0, 'the modal');
    const [asked] = await questionsOf(team);
    const rows = proposalsOf(asked);
    const text = told(team);
    const quotes = rows.flatMap((row) => row.quotes.map(({ text: quote }) => JSON.stringify(quote).slice(1, 40)));
    const titles = rows.flatMap(({ options }) => options.flatMap(({ title }) => title ?? []));
    expect(quotes.some((quote) => text.includes(quote))).toBe(mode === 'full');
    expect(titles.some((title) => text.includes(title))).toBe(mode !== 'reference-only');
    expect(text).toContain('Analysis complete: 25 hazards');
    expect(text.includes('Quillmere')).toBe(mode === 'full');
    // Files are sent only with full consent: the sample's two.
    expect(team.workspace.shared.length).toBe(mode === 'full' ? 2 : 0);

    // A file that is generated on request is linked instead, and the link opens Arc.
    expect(text).toMatch(/\/api\/download\/proposed-hazards-\d+\.xlsx\|Download New Hazards/);

    // The audit trail records what was shown to whoever signed, and no more.
    const click = { channel: 'D1', ts: message.ts };
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:approve', interruptIdOf(message), click);
    const { owner } = team;
    const entry = await slackTeams.factories.eventually(async () => {
      const { events } = (await owner.browser.get('/api/audit').expect(200)).body;
      return (events as { event: string; shownDigest: string }[]).find(({ event }) => event === 'interrupt.answered');
    }, 'the entry of the audit');
    expect(entry.shownDigest === asked?.shownDigest).toBe(mode === 'full');
    expect((await questionsOf(team))[0]?.resolution).toMatchObject(mode === 'full' ? {} : { shownUnder: mode });
  });
});

/** Attempts everything that waits to be sent. */
async function sendAgain(accountId: number): Promise<void> {
  const { Delivery } = await import('../../models/delivery.ts');
  const { runInAccount } = await import('../../models/store/context.ts');
  await runInAccount(accountId, () =>
    Delivery.updateMany(
      { status: { $in: ['due', 'closing'] }, attempts: { $gt: 0 } },
      { $set: { dueAt: new Date(0) } },
    ),
  );
  await runInAccount(accountId, () =>
    Delivery.updateMany(
      { status: 'due', attempts: 0, dueAt: { $lt: new Date(Date.now() + 29_000) } },
      { $set: { dueAt: new Date(0) } },
    ),
  );
  await slackTeams.parts.sweepDeliveries();
}

describe('an interrupted delivery', () => {
  test.each([
    ['the first upload', 0],
    ['the second upload', 1],
  ])('%s that fails is retried alone: words and files arrive once', async (_what, after) => {
    const team = await slackTeams.connect();
    slackTeams.slack.failAfter('files.completeUploadExternal', after);
    await askForReview(team);
    await slackTeams.factories.eventually(async () => {
      await sendAgain(team.owner.user.accountId);
      return team.workspace.shared.length === 2;
    }, 'both files');
    const said = posted(team.workspace).map(({ text }) => text);
    expect(said).toEqual([...new Set(said)]);
    expect(new Set(team.workspace.shared.map(({ title }) => title)).size).toBe(2);
  });

  test('of a stream that could not be stopped stops that stream instead of starting another', async () => {
    const { workspace, owner } = await slackTeams.connect();
    slackTeams.slack.fail('chat.stopStream', 500, 3);
    await slackTeams.sender.message(workspace, 'U1', 'D1', 'help', { thread_ts: '7.8' });
    await postWith(workspace, /I never set a severity/);
    await slackTeams.factories.eventually(async () => {
      await sendAgain(owner.user.accountId);
      return posted(workspace)[0]?.streamed === 'done';
    }, 'the end of the stream');
    expect(posted(workspace)).toHaveLength(1);
  });

  test('comes before later messages, even if Slack was slow then', async () => {
    const { workspace, owner } = await slackTeams.connect();
    slackTeams.slack.fail('chat.postMessage', 429, 1, 1);
    const { ts } = await slackTeams.sender.mention(workspace, 'U1', 'C1', 'help');
    await slackTeams.factories.eventually(async () => {
      const { Delivery } = await import('../../models/delivery.ts');
      const { runInAccount } = await import('../../models/store/context.ts');
      return runInAccount(owner.user.accountId, () => Delivery.exists({ attempts: 1 }));
    }, 'the refusal');
    await slackTeams.sender.mention(workspace, 'U1', 'C1', 'What is the risk matrix?', { thread_ts: ts });
    await slackTeams.sender.mention(workspace, 'U1', 'C2', 'help');
    await eventually(() => posted(workspace).some(({ channel }) => channel === 'C2'), 'the message elsewhere');
    const here = () => posted(workspace).filter(({ channel }) => channel === 'C1');
    expect(here()).toEqual([]);
    await slackTeams.factories.eventually(async () => {
      await sendAgain(owner.user.accountId);
      return here().length === 2;
    }, 'both');
    expect(here()[0]?.text).toMatch(/I never set a severity/);
  });

  test('of a Home that Slack refuses is repeated, so that no button of an answered question stays', async () => {
    const team = await slackTeams.connect();
    await slackTeams.sender.event(team.workspace, { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home' });
    const message = await askForReview(team);
    const home = () => JSON.stringify(team.workspace.homes.get('U1') ?? {});
    await eventually(() => /Please review \d+ proposals/.test(home()), 'the question at home');
    slackTeams.slack.fail('views.publish', 429, 1, 1);
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:approve', interruptIdOf(message), {
      channel: 'D1',
      ts: message.ts,
    });
    await slackTeams.factories.eventually(async () => {
      await sendAgain(team.owner.user.accountId);
      // The question about possible matches, which follows, is another one.
      return !/Please review \d+ proposals/.test(home());
    }, 'the Home without it');
  });

  test('whose answer from Slack was lost leaves one message with buttons, and a late click repairs the other', async () => {
    const team = await slackTeams.connect();
    const message = await askForReview(team);
    const copy = { ...message, ts: '1795.7' };
    team.workspace.messages.set(`D1:${copy.ts}`, copy);
    const id = interruptIdOf(message);
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:approve', id, { channel: 'D1', ts: message.ts });
    await eventually(() => posted(team.workspace).some(({ text }) => /Approved by/.test(text)), 'the closed message');
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:approve', id, { channel: 'D1', ts: copy.ts });
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:review', id, { channel: 'D1', ts: copy.ts });
    await eventually(
      () =>
        posted(team.workspace).find((one) => one.ts === copy.ts && !JSON.stringify(one.blocks).includes('"button"')),
      'the other without buttons',
    );
  });

  test('a form submitted while Arc is switched off stays open with its content', async () => {
    const team = await slackTeams.connect();
    const message = await askForReview(team);
    const id = interruptIdOf(message);
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:reject', id, { channel: 'D1', ts: message.ts });
    const modal = await eventually(() => team.workspace.views.at(-1), 'the form');
    const toggle = { integrationId: 'slack', enabled: false };
    await team.owner.browser.post('/api/integrations/toggle').send(toggle).expect(200);
    const sent = slackTeams.sender.submit(team.workspace, 'U1', modal, { reason: { text: { value: 'Out of scope' } } });
    await expect(sent).rejects.toThrow('not acknowledged');
  });

  test.each(['is_archived', 'channel_not_found', 'msg_too_long', 'restricted_action'])(
    'a delivery that Slack refuses as %s is not retried',
    async (refusal) => {
      const { workspace, owner } = await slackTeams.connect();
      slackTeams.slack.refuse('chat.postMessage', refusal);
      await slackTeams.sender.mention(workspace, 'U1', 'C1', 'help');
      const { Delivery } = await import('../../models/delivery.ts');
      const { runInAccount } = await import('../../models/store/context.ts');
      await slackTeams.factories.eventually(
        () => runInAccount(owner.user.accountId, () => Delivery.exists({ status: 'failed', attempts: 1 })),
        'the end of it',
      );
      slackTeams.slack.recover();
    },
  );

  test.each([
    ['chat.postMessage', 'C1'],
    ['chat.startStream', 'D1'],
  ])('a call that %s may have completed is retried only by the outbox', async (method, channel) => {
    const { workspace, owner } = await slackTeams.connect();
    slackTeams.slack.fail(method, 500, 1);
    await slackTeams.sender[channel === 'D1' ? 'message' : 'mention'](workspace, 'U1', channel, 'help');
    const { Delivery } = await import('../../models/delivery.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    await slackTeams.factories.eventually(
      () => runInAccount(owner.user.accountId, () => Delivery.findOne({ status: 'due', attempts: 1 }).lean()),
      'the failure, noted',
    );
    expect(posted(workspace)).toEqual([]);
    await slackTeams.factories.eventually(async () => {
      await sendAgain(owner.user.accountId);
      return posted(workspace).length > 0;
    }, 'the second try');
    expect(posted(workspace)).toHaveLength(1);
  });

  test('a member whose Home can’t be drawn does not block others', async () => {
    const team = await slackTeams.connect();
    await join(slackTeams, team, 'U2', ['deputy']);
    const home = (user: string) => JSON.stringify(team.workspace.homes.get(user) ?? {});
    for (const user of ['U1', 'U2'])
      await slackTeams.sender.event(team.workspace, { type: 'app_home_opened', user, channel: 'D1', tab: 'home' });
    await eventually(() => home('U1') !== '{}' && home('U2') !== '{}', 'both Homes');
    // Whoever is drawn first is refused.
    slackTeams.slack.refuse('views.publish', 'internal_error', 1);
    await askForReview(team);
    await eventually(() => ['U1', 'U2'].some((user) => home(user).includes('answer:review')), 'the other’s Home');
  });

  test('is retried when Slack says, and not before', async () => {
    const { workspace, owner } = await slackTeams.connect();
    slackTeams.slack.fail('chat.postMessage', 429, 1, 40);
    await slackTeams.sender.mention(workspace, 'U1', 'C1', 'help');
    const { Delivery } = await import('../../models/delivery.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    const refused = await slackTeams.factories.eventually(
      () => runInAccount(owner.user.accountId, () => Delivery.findOne({ attempts: 1 }).lean()),
      'the refusal',
    );
    expect(refused.dueAt.getTime()).toBeGreaterThan(Date.now() + 30_000);
    await slackTeams.parts.sweepDeliveries();
    expect(posted(workspace)).toEqual([]);
  });

  test('a channel that takes no messages is not retried', async () => {
    const { workspace, owner } = await slackTeams.connect();
    workspace.absentFrom.add('C1');
    await slackTeams.sender.mention(workspace, 'U1', 'C1', 'help');
    const { Delivery } = await import('../../models/delivery.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    const failed = await slackTeams.factories.eventually(
      () => runInAccount(owner.user.accountId, () => Delivery.findOne({ status: 'failed' }).lean()),
      'the end of it',
    );
    expect(failed).toMatchObject({ attempts: 1, error: expect.stringContaining('not_in_channel') });
  });

  test.each([
    ['larger than Arc takes', { size: 11 * 1024 * 1024 }, /smaller than 10MB/],
    ['that Slack shows its sign-in page for', { hidden: true }, /could not fetch the file/],
  ])('a file %s is reported', async (_what, more, words) => {
    const { workspace } = await slackTeams.connect();
    workspace.files.set('F1', { id: 'F1', name: 'log.xlsx', bytes: Buffer.from('x'), ...more });
    await slackTeams.sender.message(workspace, 'U1', 'D1', '', {
      subtype: 'file_share',
      files: [{ id: 'F1', name: 'log.xlsx' }],
    });
    await postWith(workspace, words);
  });
});

describe('acknowledgement', () => {
  test('comes only once an event is stored', async () => {
    const { workspace } = await slackTeams.connect();
    const { Turn } = await import('../../models/turn.ts');
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const stored: string[] = [];
    const insertOne = Turn.collection.insertOne.bind(Turn.collection);
    Turn.collection.insertOne = (async (...given: Parameters<typeof insertOne>) => {
      stored.push('begun');
      await held;
      return insertOne(...given);
    }) as typeof insertOne;
    try {
      let acknowledged = false;
      const sent = slackTeams.sender.message(workspace, 'U1', 'D1', 'help').then((answer) => {
        acknowledged = true;
        return answer;
      });
      await eventually(() => stored.length > 0, 'the insert');
      // Other requests are answered meanwhile, so an acknowledgement would have arrived too.
      for (let asked = 0; asked < 5; asked += 1) await slackTeams.sender.verify();
      expect(acknowledged).toBe(false);
      release();
      expect((await sent).status).toBe(200);
    } finally {
      Turn.collection.insertOne = insertOne;
    }
    await postWith(workspace, /I never set a severity/);
  });

  test('comes even while Slack itself answers nothing', async () => {
    const { workspace } = await slackTeams.connect();
    const release = slackTeams.slack.hold();
    const sent = await Promise.all(
      Array.from({ length: 20 }, (_, index) => slackTeams.sender.message(workspace, 'U1', `D${index}`, 'help')),
    );
    expect(sent.every(({ status }) => status === 200)).toBe(true);
    expect(posted(workspace)).toEqual([]);
    release();
    await eventually(() => posted(workspace).length === 20, 'every reply');
  });
});
