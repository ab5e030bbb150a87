/** @environment slack */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { acceptSlackMessage, isStored, type SlackMessage, storeTurn } from '../../../bot/channels/slack/inbound.ts';
import { conversationKey } from '../../../bot/engine/conversations/conversations.ts';
import { ChannelInstallation } from '../../../models/channelInstallation.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { Message } from '../../../models/message.ts';
import { Turn } from '../../../models/turn.ts';
import { slack } from '../../environments/slack.ts';
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

describe('an event from Slack', () => {
  const turns = async () =>
    (await made.inAccount(() => Turn.find({}).sort({ _id: 1 }).lean())).map(({ text, manner }) => [text, manner]);
  const hearIt = async (change: Partial<SlackMessage>, mentioned = false) => {
    const event = { channel: 'C1', user: 'U1', text: 'hello there', ts: `${nextNumber()}.1`, ...change };
    await acceptSlackMessage(await made.find(), event, mentioned);
    return event;
  };
  const bot = () => `UBOT${made.key}`;
  // Nothing is stored from people who may not ask.
  beforeEach(async () => {
    made.workspace.users.set('U1', { id: 'U1', email: null, name: 'Ada' });
    await ChannelInstallation.updateOne({ key: made.key }, { $set: { admits: 'workspace' } });
  });

  test('is a message to the agent if it mentions the app, or is in a direct chat', async () => {
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
    const [turn] = await made.inAccount(() => Turn.find({}).sort({ _id: 1 }).lean());
    expect(turn).toMatchObject({
      accountId: made.accountId,
      channel: 'slack',
      address: { channel: 'slack', conversation: `${made.key}:C1`, thread: ts },
      speaker: { userId: null, platformId: `${made.key}:U1`, name: '' },
      eventId: `${made.key}:C1:${ts}`,
      files: [],
    });
    const direct = await made.inAccount(() => Conversation.find({}).sort({ _id: 1 }).lean());
    expect(direct.map((row) => row.direct)).toContain(true);
  });

  test.each([
    ['nobody', { user: undefined }],
    ['a bot', { bot_id: 'B1' }],
    ['a message that was changed', { subtype: 'message_changed' }],
    ['somebody who joined', { subtype: 'channel_join' }],
  ])('is ignored if it is %s', async (_what, change) => {
    await hearIt({ channel: 'D1', ...change });
    await hearIt({ channel: 'D1', user: bot() });
    expect(await turns()).toEqual([]);
  });

  test.each(['file_share', 'thread_broadcast'])('of the kind %s is a message', async (subtype) => {
    await hearIt({ channel: 'D1', subtype });
    expect(await turns()).toHaveLength(1);
  });

  test('with only the app’s mention is a request for help; a file needs no words', async () => {
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
    const rows = await made.inAccount(() => Turn.find({}).sort({ _id: 1 }).lean());
    expect(rows[1]?.files).toEqual([
      { fileId: 'F1', name: 'log.xlsx' },
      { fileId: 'F2', name: 'upload' },
    ]);
  });

  test('in a thread is processed without a mention if the agent was addressed there before, and in no other', async () => {
    const { accountId, key } = made;
    await hearIt({ thread_ts: '1.1' });
    const place = { channel: 'slack', conversation: `${key}:C1`, thread: '1.1' } as const;
    const ours = (await made.inAccount(() =>
      Conversation.create({ accountId, key: conversationKey(place), address: place } as never),
    )) as unknown as ConversationRow;
    await hearIt({ thread_ts: '1.1' });
    expect(await turns()).toEqual([]);
    const say = (conversationId: unknown) =>
      made.inAccount(() =>
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
    // A thread's first message is meant for whom it mentions.
    await hearIt({ ts: '1.1', text: 'begins' });
    await hearIt({ thread_ts: '1.1', text: `<@${bot()}> you` });
    expect(await turns()).toEqual([
      ['as I said', 'overheard'],
      ['you', 'said'],
    ]);
  });

  test('is one turn, however often and in whatever form Slack sends it', async () => {
    const event = await hearIt({ channel: 'D1' });
    await hearIt(event, true);
    expect(await turns()).toHaveLength(1);
    const place = { key: made.key, channel: 'D1', thread: event.ts };
    const heard = { user: 'U1', text: 'x', files: [], eventId: `${made.key}:new`, manner: 'said' as const };
    const again = async () => storeTurn(await made.find(), place, heard);
    expect(await made.inAccount(() => isStored(heard.eventId))).toBe(false);
    expect([await made.inAccount(again), await made.inAccount(again)]).toEqual(['first', 'again']);
    expect(await made.inAccount(() => isStored(heard.eventId))).toBe(true);
    await made.inAccount(() => Turn.updateMany({ eventId: heard.eventId }, { $set: { channel: 'teams' } }));
    expect(await made.inAccount(() => isStored(heard.eventId))).toBe(false);
    expect(await made.inAccount(async () => storeTurn(await made.find(), place, { ...heard, text: '' }))).toBeNull();
  });
});
