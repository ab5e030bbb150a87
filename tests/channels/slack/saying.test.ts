/** @environment slack */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { hear, hearMessage, isHeard, type SlackMessage } from '../../../bot/channels/slack/inbound.ts';
import { openPlace } from '../../../bot/channels/slack/openPlace.ts';
import { slackChannel } from '../../../bot/channels/slack/outbound.ts';
import { sayMessage } from '../../../bot/channels/slack/sayMessage.ts';
import { changePreferences } from '../../../bot/engine/accounts/preferences.ts';
import { conversationKey } from '../../../bot/engine/turns/conversations.ts';
import { Account } from '../../../models/account.ts';
import { ChannelIdentity } from '../../../models/channelIdentity.ts';
import { ChannelInstallation } from '../../../models/channelInstallation.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { keepFile } from '../../../models/files.ts';
import { Interrupt } from '../../../models/interrupt.ts';
import { Message, type MessageRow } from '../../../models/message.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { Turn } from '../../../models/turn.ts';
import { slack } from '../../environments/slack.ts';
import { makeInterrupt } from '../../factories/interrupt.ts';
import { addMember } from '../../factories/members.ts';
import { type Server, startServer } from '../../factories/server.ts';
import { connectWorkspace } from '../../factories/slackPlace.ts';
import { nextNumber } from '../../factories/who.ts';

let server: Server;
let made: Awaited<ReturnType<typeof connectWorkspace>>;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  made = await connectWorkspace(slack);
});
const inAccount = <T>(work: () => Promise<T>) => runInAccount(made.accountId, work);
const posted = () => [...made.workspace.messages.values()];
const bodiesOf = (method: string) => slack.callsOf(method, made.workspace).map(({ body }) => body);
/** Lets everything leave for Slack. */
async function consentToAll(): Promise<void> {
  const owner = await addMember({ accountId: made.accountId });
  await Account.create({ _id: made.accountId, name: 'Quillmere' });
  await inAccount(() => changePreferences(owner, { channelConsent: { slack: 'full', teams: 'full' } }));
}

describe('a message', () => {
  const message = (change: Partial<MessageRow> = {}): MessageRow => ({
    _id: new Types.ObjectId(),
    accountId: made.accountId,
    conversationId: new Types.ObjectId(),
    key: 'k',
    messageType: 'assistant',
    kind: 'text',
    text: 'Hello.',
    agentId: 'clinical_safety',
    agentName: 'Clara',
    attachments: [],
    card: null,
    clientId: null,
    derived: null,
    createdAt: new Date(),
    ...change,
  });
  const say = async (
    conversation: ConversationRow,
    row: MessageRow,
    reference: Record<string, unknown> | null = null,
  ) => {
    const kept: [Record<string, unknown>, boolean | undefined][] = [];
    const keep = async (come: Record<string, unknown>, said?: boolean) => void kept.push([come, said]);
    const come = await inAccount(() => sayMessage(conversation, row, { reference, keep }));
    return { come, kept };
  };
  const LONG = Array.from({ length: 400 }, (_, at) => `Word ${at} is said.`).join(' ');
  const piecesIn = (text: string) => text.replaceAll(/\s+/g, ' ');

  test('is one post in its channel and thread, under the agent’s name, without previews of links', async () => {
    const { come, kept } = await say(await made.converse('C1', '1.1'), message());
    const [post, ...more] = posted();
    expect(more).toEqual([]);
    expect(post).toMatchObject({ channel: 'C1', thread: '1.1', username: 'Clara, Clinical safety officer' });
    expect(JSON.stringify(post?.blocks)).toContain('Hello.');
    expect(bodiesOf('chat.postMessage')[0]).toMatchObject({ unfurl_links: 'false', unfurl_media: 'false' });
    expect(come).toEqual({ channel: 'C1', ts: post?.ts, posts: 1, files: 0 });
    // With nothing left to send the outbox keeps it itself.
    expect(kept).toEqual([]);
    await say(await made.converse('C1'), message());
    expect(posted().at(-1)?.thread).toBeNull();
  });

  test('that is long is several posts, and goes on after the last that came', async () => {
    const conversation = await made.converse('C1', '1.1');
    const text = `${LONG} ${LONG} ${LONG}`;
    const first = await say(conversation, message({ text }));
    const whole = posted();
    expect(whole.length).toBeGreaterThan(1);
    expect(first.come).toMatchObject({ ts: whole[0]?.ts, posts: whole.length });
    expect(first.kept).toEqual(
      whole.slice(0, -1).map((_post, at) => [{ channel: 'C1', ts: whole[0]?.ts, posts: at + 1, files: 0 }, false]),
    );
    const second = await say(conversation, message({ text }), { ts: 'first', posts: 1 });
    expect(posted()).toHaveLength(2 * whole.length - 1);
    expect(second.come).toMatchObject({ ts: 'first', posts: whole.length });
  });

  test('holds what may leave, and its files where they may', async () => {
    const name = 'log.csv';
    const bytes = Buffer.from('a,b');
    await inAccount(() =>
      keepFile({ accountId: made.accountId, name, kind: 'export', key: name, type: 'text/csv', bytes }),
    );
    const attachment = (of: string) => ({ name: of, size: 3, type: 'text/csv', url: `/api/download/${of}` });
    const derived = { redacted: 'Redacted.', reference: 'A reference.' };
    const row = message({ attachments: [attachment(name), attachment('gone.csv')], derived });
    const conversation = await made.converse('C1', '1.1');
    await say(conversation, row);
    expect(JSON.stringify(posted().at(-1)?.blocks)).toContain('A reference.');
    expect(made.workspace.shared).toEqual([]);
    await consentToAll();
    const { come, kept } = await say(conversation, row);
    expect(JSON.stringify(posted().at(-1)?.blocks)).toContain('Hello.');
    expect(made.workspace.shared.map(({ title, channel, bytes: sent }) => [title, channel, sent])).toEqual([
      [name, 'C1', bytes],
    ]);
    expect(come).toMatchObject({ posts: 1, files: 2 });
    expect(kept).toEqual([
      [expect.objectContaining({ posts: 1, files: 0 }), true],
      [expect.objectContaining({ files: 1 }), true],
    ]);
    await say(conversation, row, { ts: 'x', posts: 1, files: 1 });
    expect(made.workspace.shared).toHaveLength(1);
    expect(posted()).toHaveLength(2);
  });

  test('to somebody’s own thread is streamed, bit by bit, to its end', async () => {
    const conversation = await made.converse('D1', '1.1');
    const { come, kept } = await say(conversation, message({ text: LONG }));
    const [post, ...more] = posted();
    expect(more).toEqual([]);
    expect(post).toMatchObject({ channel: 'D1', thread: '1.1', streamed: 'done' });
    expect(piecesIn(String(post?.text))).toBe(LONG);
    const pieces = bodiesOf('chat.appendStream').length + 1;
    expect(pieces).toBe(Math.ceil(LONG.length / 600) + 1 - (LONG.length % 600 > 0 ? 1 : 0));
    for (const { markdown_text: piece } of bodiesOf('chat.appendStream'))
      expect(String(piece).length).toBeLessThan(602);
    expect(bodiesOf('chat.startStream')[0]).toMatchObject({ username: 'Clara, Clinical safety officer' });
    expect(come).toEqual({ channel: 'D1', ts: post?.ts, posts: 1, files: 0, streaming: false, pieces });
    expect(kept.map(([{ pieces: shown, streaming }, said]) => [shown, streaming, said])).toEqual(
      Array.from({ length: pieces }, (_, at) => [at + 1, true, true]),
    );
  });

  test.each([
    ['in a channel', 'C1', '1.1', {}],
    ['outside a thread', 'D1', null, {}],
    ['with a card', 'D1', '1.1', { card: { headline: 'One' } as never }],
    ['of another kind', 'D1', '1.1', { kind: 'upload' as const }],
    ['of more than 12,000 characters', 'D1', '1.1', { text: 'a'.repeat(12_001) }],
  ])('%s is posted, not streamed', async (_what, channel, thread, change) => {
    await say(await made.converse(channel, thread), message(change));
    expect(bodiesOf('chat.startStream')).toEqual([]);
    expect(posted().length).toBeGreaterThan(0);
  });

  test('of 12,000 characters is streamed still', async () => {
    await say(await made.converse('D1', '1.1'), message({ text: 'a'.repeat(12_000) }));
    expect(posted()).toMatchObject([{ streamed: 'done' }]);
  });

  test('is posted where the workspace’s Slack does not stream, which is asked once', async () => {
    made.workspace.streams = false;
    const conversation = await made.converse('D1', '1.1');
    for (const _again of [0, 1]) await say(conversation, message());
    expect(posted().map(({ streamed }) => streamed)).toEqual([undefined, undefined]);
    expect(bodiesOf('chat.startStream')).toHaveLength(1);
  });

  test('is posted where this one is not streamed, and the next is streamed', async () => {
    const conversation = await made.converse('D1', '1.1');
    slack.refuse('chat.startStream', 'msg_too_long');
    for (const _again of [0, 1]) await say(conversation, message());
    expect(posted().map(({ streamed }) => streamed)).toEqual([undefined, 'done']);
  });

  test('whose stream broke off goes on where it was, and one that ended meanwhile is said', async () => {
    const conversation = await made.converse('D1', '1.1');
    slack.failAfter('chat.appendStream', 2);
    const row = message({ text: LONG });
    const kept: Record<string, unknown>[] = [];
    const keep = async (come: Record<string, unknown>) => void kept.push(come);
    await expect(inAccount(() => sayMessage(conversation, row, { reference: null, keep }))).rejects.toThrow();
    slack.recover();
    const { come } = await say(conversation, row, kept.at(-1));
    expect(piecesIn(String(posted()[0]?.text))).toBe(LONG);
    expect(posted()).toMatchObject([{ streamed: 'done' }]);
    expect(come).toMatchObject({ streaming: false, posts: 1 });
    const calls = slack.callsOf('chat.appendStream', made.workspace).length;
    expect((await say(conversation, row, { ...kept.at(-1), pieces: 1 })).come).toMatchObject({ streaming: false });
    expect(slack.callsOf('chat.appendStream', made.workspace)).toHaveLength(calls + 1);
    slack.refuse('chat.stopStream', 'fatal_error', 9);
    await expect(say(conversation, message())).rejects.toThrow('fatal_error');
  });
});

describe('what was asked by a command', () => {
  const WORDS = 'Which <hazards> & risks?';
  const open = async (change: Partial<Parameters<typeof openPlace>[1]> = {}) =>
    openPlace(await made.find(), { user: 'U1', channel: 'C1', thread: null, words: WORDS, ...change });

  test('is said in the place, and its answer stands in a thread of it', async () => {
    const { key } = made;
    expect(await open()).toEqual({ place: { key, channel: 'C1', thread: posted()[0]?.ts }, elsewhere: false });
    expect(posted()[0]?.text).toBe('<@U1> asked: Which &lt;hazards&gt; &amp; risks?');
    expect(await open({ channel: 'D1' })).toMatchObject({ place: { channel: 'D1', thread: posted()[1]?.ts } });
    expect(posted()[1]?.text).toBe('You asked: Which &lt;hazards&gt; &amp; risks?');
    expect(await open({ thread: '1.1' })).toEqual({ place: { key, channel: 'C1', thread: '1.1' }, elsewhere: false });
    expect(posted()[2]?.thread).toBe('1.1');
    await open({ words: 'a'.repeat(2000) });
    expect(posted()[3]?.text.length).toBeLessThanOrEqual('<@U1> asked: '.length + 1000);
    expect(posted()[3]?.text.length).toBeGreaterThan(950);
  });

  test.each(['channel_not_found', 'is_archived', 'not_in_channel', 'restricted_action'])(
    'goes on in the person’s own chat where Slack says %s',
    async (refusal) => {
      const { key, workspace } = made;
      workspace.users.set('U1', { id: 'U1', email: null, name: 'Ada' });
      slack.refuse('chat.postMessage', refusal);
      const opened = await open({ thread: '1.1' });
      const [post] = posted();
      expect(opened).toEqual({ place: { key, channel: 'DU1', thread: post?.ts }, elsewhere: true });
      expect(post).toMatchObject({ channel: 'DU1', thread: null });
      expect(post?.text).toContain('I am not a member there, so I answer here.');
    },
  );

  test('is answered though it could not be said', async () => {
    slack.refuse('chat.postMessage', 'fatal_error');
    const { key } = made;
    expect(await open()).toEqual({ place: { key, channel: 'C1', thread: null }, elsewhere: false });
    expect(posted()).toEqual([]);
  });
});

describe('what is heard', () => {
  const turns = async () =>
    (await inAccount(() => Turn.find({}).sort({ _id: 1 }).lean())).map(({ text, manner }) => [text, manner]);
  const hearIt = async (change: Partial<SlackMessage>, mentioned = false) => {
    const event = { channel: 'C1', user: 'U1', text: 'hello there', ts: `${nextNumber()}.1`, ...change };
    await hearMessage(await made.find(), event, mentioned);
    return event;
  };
  const bot = () => `UBOT${made.key}`;
  // Of somebody who may not ask nothing is kept.
  beforeEach(async () => {
    made.workspace.users.set('U1', { id: 'U1', email: null, name: 'Ada' });
    await ChannelInstallation.updateOne({ key: made.key }, { $set: { admits: 'workspace' } });
  });

  test('is what is said to the agent: by its name, or in somebody’s own chat', async () => {
    await hearIt({});
    expect(await turns()).toEqual([]);
    const { ts } = await hearIt({ text: `<@${bot()}> analyse` });
    await hearIt({ text: 'by an event' }, true);
    await hearIt({ channel: 'D1', text: 'directly' });
    expect(await turns()).toEqual([
      ['analyse', 'said'],
      ['by an event', 'said'],
      ['directly', 'said'],
    ]);
    const [turn] = await inAccount(() => Turn.find({}).sort({ _id: 1 }).lean());
    expect(turn).toMatchObject({
      accountId: made.accountId,
      channel: 'slack',
      address: { channel: 'slack', conversation: `${made.key}:C1`, thread: ts },
      speaker: { userId: null, platformId: `${made.key}:U1`, name: '' },
      eventId: `${made.key}:C1:${ts}`,
      files: [],
    });
    const direct = await inAccount(() => Conversation.find({}).sort({ _id: 1 }).lean());
    expect(direct.map((row) => row.direct)).toContain(true);
  });

  test.each([
    ['nobody', { user: undefined }],
    ['a bot', { bot_id: 'B1' }],
    ['a message that was changed', { subtype: 'message_changed' }],
    ['somebody who joined', { subtype: 'channel_join' }],
  ])('is nothing of %s', async (_what, change) => {
    await hearIt({ channel: 'D1', ...change });
    await hearIt({ channel: 'D1', user: bot() });
    expect(await turns()).toEqual([]);
  });

  test.each(['file_share', 'thread_broadcast'])('is a message of the kind %s', async (subtype) => {
    await hearIt({ channel: 'D1', subtype });
    expect(await turns()).toHaveLength(1);
  });

  test('is, where its name alone is called, a call for help; a file says enough', async () => {
    const files = [
      { id: 'F1', name: 'log.xlsx' },
      { id: 'F2', name: null },
    ];
    await hearIt({ text: `<@${bot()}>` });
    await hearIt({ text: `<@${bot()}>`, files });
    await hearIt({ channel: 'D1', text: '' });
    await hearIt({ channel: 'D1', text: undefined, files });
    expect(await turns()).toEqual([
      ['help', 'said'],
      ['', 'said'],
      ['', 'said'],
    ]);
    const rows = await inAccount(() => Turn.find({}).sort({ _id: 1 }).lean());
    expect(rows[1]?.files).toEqual([
      { fileId: 'F1', name: 'log.xlsx' },
      { fileId: 'F2', name: 'upload' },
    ]);
  });

  test('is overheard in a thread in which the agent was spoken with, and in no other', async () => {
    const { accountId, key } = made;
    await hearIt({ thread_ts: '1.1' });
    const place = { channel: 'slack', conversation: `${key}:C1`, thread: '1.1' } as const;
    const ours = (await inAccount(() =>
      Conversation.create({ accountId, key: conversationKey(place), address: place } as never),
    )) as unknown as ConversationRow;
    await hearIt({ thread_ts: '1.1' });
    expect(await turns()).toEqual([]);
    const say = (conversationId: unknown) =>
      inAccount(() =>
        Message.create({
          _id: new Types.ObjectId(),
          accountId,
          conversationId,
          key: 'k',
          text: 't',
          createdAt: new Date(),
        } as never),
      );
    await say(new Types.ObjectId());
    await hearIt({ thread_ts: '1.1' });
    expect(await turns()).toEqual([]);
    await say(ours._id);
    await hearIt({ thread_ts: '1.1', text: 'as I said' });
    await hearIt({ thread_ts: '1.2' });
    await hearIt({ thread_ts: '1.1', text: `<@${bot()}> you` });
    expect(await turns()).toEqual([
      ['as I said', 'overheard'],
      ['you', 'said'],
    ]);
  });

  test('is one turn, however often and as whatever Slack tells of it', async () => {
    const event = await hearIt({ channel: 'D1' });
    await hearIt(event, true);
    expect(await turns()).toHaveLength(1);
    const place = { key: made.key, channel: 'D1', thread: event.ts };
    const heard = { user: 'U1', text: 'x', files: [], eventId: `${made.key}:new`, manner: 'said' as const };
    const again = async () => hear(await made.find(), place, heard);
    expect(await inAccount(() => isHeard(heard.eventId))).toBe(false);
    expect([await inAccount(again), await inAccount(again)]).toEqual(['first', 'again']);
    expect(await inAccount(() => isHeard(heard.eventId))).toBe(true);
    expect(await inAccount(async () => hear(await made.find(), place, { ...heard, text: '' }))).toBeNull();
  });
});

describe('Slack’s side of the port', () => {
  const question = async (conversation: ConversationRow | null) => {
    const row = makeInterrupt({
      _id: nextNumber(),
      accountId: made.accountId,
      askKey: String(nextNumber()),
      conversationId: conversation?._id ?? null,
    });
    await inAccount(() => Interrupt.create(row as never));
    const shown = { ...row, id: row._id, agentId: row.agentId, createdAt: '', resolvedAt: null, context: {} };
    return shown as never as Parameters<typeof slackChannel.ask>[0];
  };
  const delivery = (surface: string, reference: object | null = null) =>
    ({ surface, accountId: made.accountId, reference }) as never;

  test('asks in the conversation’s thread, and redraws what it asked', async () => {
    const asked = await question(await made.converse('C1', '1.1'));
    const reference = await inAccount(() => slackChannel.ask(asked, delivery('slack')));
    const [post] = posted();
    expect(reference).toEqual({ key: made.key, channel: 'C1', ts: post?.ts });
    expect(post).toMatchObject({ channel: 'C1', thread: '1.1', username: 'Clara, Clinical safety officer' });
    expect(bodiesOf('chat.postMessage')[0]).toMatchObject({ unfurl_links: 'false' });
    const closed = { ...(asked as object), status: 'cancelled' } as typeof asked;
    await inAccount(() => slackChannel.redraw(closed, delivery('slack', reference)));
    expect(JSON.stringify(posted()[0]?.blocks)).toContain('Withdrawn');
    for (const missing of ['key', 'channel', 'ts'] as const) {
      const without = { ...reference, [missing]: undefined };
      await inAccount(() => slackChannel.redraw(closed, delivery('slack', without)));
    }
    await inAccount(() => slackChannel.redraw(closed, delivery('slack', null)));
    expect(bodiesOf('chat.update')).toHaveLength(1);
  });

  test('asks nothing in Slack that was not asked for there', async () => {
    expect(await inAccount(async () => slackChannel.ask(await question(null), delivery('slack')))).toBeNull();
    const elsewhere = await made.converse('C1');
    await inAccount(() => Conversation.updateOne({ _id: elsewhere._id }, { $set: { 'address.channel': 'teams' } }));
    expect(await inAccount(async () => slackChannel.ask(await question(elsewhere), delivery('slack')))).toBeNull();
    expect(await inAccount(async () => slackChannel.ask(await question(null), delivery('slack-home')))).toBeNull();
    expect(posted()).toEqual([]);
  });

  test('draws App Home anew for who is known there, when a question is asked or answered', async () => {
    const { accountId, key, workspace } = made;
    workspace.users.set('U1', { id: 'U1', email: null, name: 'Ada' });
    const member = await addMember({ accountId });
    await inAccount(() =>
      ChannelIdentity.create({
        _id: new Types.ObjectId(),
        accountId,
        channel: 'slack',
        platformId: `${key}:U1`,
        name: 'Ada',
        userId: member.userId,
        refreshedAt: new Date(),
      } as never),
    );
    const asked = await question(await made.converse('C1'));
    expect(await inAccount(() => slackChannel.ask(asked, delivery('slack-home')))).toBeNull();
    expect(workspace.homes.has('U1')).toBe(true);
    workspace.homes.clear();
    await inAccount(() => slackChannel.redraw(asked, delivery('slack-home')));
    expect(workspace.homes.has('U1')).toBe(true);
    expect(posted()).toEqual([]);
  });

  test('tells one person alone what nobody else has to read', async () => {
    const tell = async (channel: string, thread: string | null) => {
      const conversation = await made.converse(channel, thread);
      await inAccount(async () => slackChannel.tellPrivately?.(conversation, `${made.key}:U1`, 'Psst.'));
    };
    await tell('C1', '1.1');
    await tell('C1', null);
    await tell('D1', '1.1');
    expect(bodiesOf('chat.postEphemeral')).toMatchObject([
      { channel: 'C1', user: 'U1', text: 'Psst.', thread_ts: '1.1' },
      { channel: 'C1', user: 'U1', text: 'Psst.' },
    ]);
    expect(bodiesOf('chat.postEphemeral')[1]).not.toHaveProperty('thread_ts');
    expect(posted()).toMatchObject([{ channel: 'D1', text: 'Psst.' }]);
  });

  test('knows who speaks there', async () => {
    made.workspace.users.set('U1', { id: 'U1', email: null, name: 'Ada Okafor' });
    const conversation = await made.converse('C1');
    expect(await inAccount(async () => slackChannel.identify?.(conversation, `${made.key}:U1`))).toMatchObject({
      name: 'Ada Okafor',
    });
  });

  test.each([
    ['working', 'processing'],
    ['waiting', 'suspended'],
    ['done', 'active'],
  ])('shows that the agent is %s as %s', async (status, shown) => {
    const conversation = await made.converse('D1', '1.1');
    slackChannel.progress(conversation, { status } as never);
    while (bodiesOf('agents.sessions.setStatus').length === 0) await new Promise((done) => setImmediate(done));
    expect(bodiesOf('agents.sessions.setStatus')).toMatchObject([
      { channel_id: 'D1', thread_ts: '1.1', status: shown },
    ]);
  });
});
