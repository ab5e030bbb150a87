/** @environment store */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import {
  answerable,
  arcAddress,
  conversationsInQueue,
  openConversation,
  readChatFiles,
  setCurrentFiles,
} from '../../../bot/engine/conversations/conversations.ts';
import { requireSpokenIn } from '../../../bot/engine/conversations/requireSpokenIn.ts';
import { registerChannel } from '../../../bot/engine/delivery/channel.ts';
import { finishTurn, writeFinished } from '../../../bot/engine/turns/finishTurns.ts';
import {
  isBlockedByFiles,
  noteFirstSweep,
  noteLeftToSweeper,
  waitForEarlier,
} from '../../../bot/engine/turns/order.ts';
import { processTurn } from '../../../bot/engine/turns/processTurn.ts';
import { readHistory } from '../../../bot/engine/turns/readHistory.ts';
import { sweepTurns } from '../../../bot/engine/turns/sweepTurns.ts';
import { ChannelIdentity } from '../../../models/channelIdentity.ts';
import type { Address } from '../../../models/contracts/turn.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { Message } from '../../../models/message.ts';
import type { Who } from '../../../models/policies/who.ts';
import { migrationsOf } from '../../../models/store/entity.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { Turn, type TurnRow } from '../../../models/turn.ts';
import { nextNumber } from '../../factories/account.ts';
import { eventually } from '../../factories/person.ts';
import { connectTalk, refusal } from '../../factories/talk.ts';
import { inEveryAccount, keepTurn, makePlace, readTurn } from '../../factories/turns.ts';
import { makeChannel } from '../../fakes/channel.ts';

let accountId: number;
let who: Who;
const { open, makeTurn } = connectTalk((made) => {
  ({ accountId, who } = made);
});
const change = ({ _id }: ConversationRow, it: object) =>
  inEveryAccount(() => Conversation.updateOne({ _id }, { $set: it }));
const read = async ({ _id }: Pick<ConversationRow, '_id'>) =>
  requireRow(await inEveryAccount(() => Conversation.findById(_id).lean()));
const file = [{ fileId: 'F1', name: 'log.csv' }];

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a conversation', () => {
  test('is created on first use, and stays the same one in its account', async () => {
    const address = makePlace();
    const one = await open(address);
    expect(one).toMatchObject({
      accountId,
      address,
      key: `slack|${address.conversation}|`,
      direct: false,
      placeId: null,
      userAgentId: null,
      files: {},
      createdAt: expect.any(Date),
    });
    expect((await open({ ...address }))._id).toEqual(one._id);
    expect((await inEveryAccount(() => openConversation(accountId, address)))._id).toEqual(one._id);
    expect((await inEveryAccount(() => openConversation(nextNumber(), address))).direct).toBe(false);
    expect((await open({ ...address, thread: 't' }))._id).not.toEqual(one._id);
    expect((await open(address, false, nextNumber()))._id).not.toEqual(one._id);
    expect(await inEveryAccount(() => Conversation.countDocuments({ accountId }))).toBe(2);
    // Deleted ones are created again.
    await inEveryAccount(() => Conversation.deleteOne({ _id: one._id }));
    expect((await open(address))._id).not.toEqual(one._id);
  });

  test('a thread starts from its parent conversation, in the same account, with its agent and files', async () => {
    const address = makePlace();
    const [plan, notes] = [new Types.ObjectId(), new Types.ObjectId()];
    await open(address, false, nextNumber());
    const thread = { ...address, thread: 't' };
    expect((await open(thread)).placeId).toBeNull();
    const channel = await open(address);
    await change(channel, { userAgentId: 7, files: { plan, notes } });
    expect(await open({ ...address, thread: 'u' })).toMatchObject({
      placeId: channel._id,
      userAgentId: 7,
      files: { plan, notes },
      direct: false,
    });
  });

  test('a thread of a direct chat also creates the chat, and reads files added to the chat later', async () => {
    const address = makePlace({ thread: 't' });
    const thread = await open(address, true);
    const chat = await open({ ...address, thread: null });
    expect(thread).toMatchObject({ direct: true, placeId: chat._id });
    expect(chat).toMatchObject({ direct: true, placeId: null });
    const files = (of: Partial<ConversationRow> = {}) => inEveryAccount(() => readChatFiles({ ...thread, ...of }));
    expect(await files()).toEqual({});
    const plan = new Types.ObjectId();
    await change(chat, { files: { plan } });
    expect(await files()).toEqual({ plan });
    expect(await files({ direct: false })).toEqual({});
    expect(await inEveryAccount(() => readChatFiles(chat))).toEqual({});
    expect(await files({ placeId: new Types.ObjectId() })).toEqual({});
  });

  test.each([
    ['both', { logFileId: 1, ticketsFileId: 2 }, { 'hazard-log': 1, tickets: 2 }],
    ['a log', { logFileId: 1, ticketsFileId: null }, { 'hazard-log': 1 }],
    ['tickets', { logFileId: null, ticketsFileId: 2 }, { tickets: 2 }],
    ['none', { logFileId: null, ticketsFileId: null }, {}],
    ['no fields for them', {}, {}],
  ])('one of the first version that had %s has them by their kind', (_had, had, files) => {
    const [migration] = migrationsOf(Conversation.collection.name);
    expect(migration?.change({ _id: 1, userAgentId: 7, ...had })).toEqual({ _id: 1, userAgentId: 7, files });
  });

  test('an uploaded file is the current one of its kind there, and in the chat if it is a thread of one', async () => {
    const [own, place] = [makePlace({ thread: 't' }), makePlace({ thread: 't' })];
    const [thread, inChannel] = [await open(own, true), await open(place)];
    const [plan, later, notes] = [new Types.ObjectId(), new Types.ObjectId(), new Types.ObjectId()];
    const set = (of: ConversationRow, files: ConversationRow['files']) =>
      inEveryAccount(() => setCurrentFiles(of, files));
    expect((await set(thread, { plan, notes })).files).toEqual({});
    expect((await set(thread, { plan: later })).files).toEqual({ plan, notes });
    expect((await set(inChannel, { plan })).files).toEqual({});
    const now = async (address: Address) => (await open(address)).files;
    for (const address of [own, { ...own, thread: null }]) expect(await now(address)).toEqual({ plan: later, notes });
    expect([await now(place), await now({ ...place, thread: null })]).toEqual([{ plan }, {}]);
    await expect(set({ ...thread, _id: new Types.ObjectId() }, { plan })).rejects.toThrow();
  });

  test('shares its order and its questions with the threads of its direct chat, and with nothing else', async () => {
    const address = makePlace();
    const chat = await open(address, true);
    const [one, two] = [await open({ ...address, thread: '1' }, true), await open({ ...address, thread: '2' }, true)];
    const stranger = await open(makePlace({ thread: '1' }), true);
    await inEveryAccount(() =>
      Conversation.create({ accountId: nextNumber(), key: 'k', address, direct: true, placeId: chat._id }),
    );
    await inEveryAccount(() => Conversation.create({ accountId, key: 'k', address, direct: false, placeId: chat._id }));
    const all = [chat, one, two].map(({ _id }) => String(_id)).sort();
    for (const it of [chat, one, two]) {
      const line = await inEveryAccount(() => conversationsInQueue(it));
      expect(line.map(String).sort()).toEqual(all);
      expect([...(await inEveryAccount(() => answerable(it)))].sort()).toEqual(all);
    }
    expect((await inEveryAccount(() => conversationsInQueue(stranger))).map(String)).not.toContain(String(one._id));
    const [channelPlace] = [await open()];
    const thread = await open({ ...channelPlace.address, thread: 't' });
    await open({ ...channelPlace.address, thread: 'u' });
    expect(await inEveryAccount(() => conversationsInQueue(thread))).toEqual([thread._id]);
    const around = [String(thread._id), String(channelPlace._id)];
    expect([...(await inEveryAccount(() => answerable(thread)))]).toEqual(around);
    expect([...(await inEveryAccount(() => answerable(channelPlace)))]).toEqual([String(channelPlace._id)]);
  });

  test('of a channel can be read by members who spoke in it', async () => {
    const conversation = await open();
    const spoken = (by = who, _id = String(conversation._id)) => inEveryAccount(() => requireSpokenIn(by, _id));
    const identity = (platformId: string, more: object = {}) =>
      inEveryAccount(() =>
        ChannelIdentity.create({
          _id: new Types.ObjectId(),
          accountId,
          channel: 'slack',
          platformId,
          userId: who.userId,
          name: 'Ada',
          refreshedAt: new Date(),
          ...more,
        }),
      );
    const say = (platformId: string, at = conversation, account = accountId) =>
      keepTurn(makeTurn(at, { accountId: account, speaker: { userId: null, platformId, name: 'x' } }));
    await expect(spoken()).rejects.toEqual(refusal('not_found'));
    await Promise.all([
      identity('U-other', { userId: nextNumber() }),
      identity('U-guest', { stranger: true }),
      identity('U-teams', { channel: 'teams' }),
      identity('U-theirs', { accountId: nextNumber() }),
    ]);
    for (const platformId of ['U-other', 'U-guest', 'U-teams', 'U-theirs', 'U-mine']) await say(platformId);
    await expect(spoken()).rejects.toEqual(refusal('not_found'));
    await identity('U-mine');
    expect((await spoken())._id).toEqual(conversation._id);
    await expect(spoken({ ...who, userId: nextNumber() })).rejects.toEqual(refusal('not_found'));
    await expect(spoken({ ...who, accountId: nextNumber() })).rejects.toEqual(refusal('not_found'));
    await expect(spoken(who, String(new Types.ObjectId()))).rejects.toEqual(refusal('not_found'));
    // Messages in another place, or of another account, do not count.
    const silent = await open();
    await say('U-mine', await open());
    await say('U-mine', silent, nextNumber());
    await expect(spoken(who, String(silent._id))).rejects.toEqual(refusal('not_found'));
  });

  test('its history is read by pages, newest first, with the files in use', async () => {
    const conversation = await open(arcAddress(who.userId));
    const other = await open();
    const say = async (text: string, at = conversation, account = accountId) => {
      const _id = new Types.ObjectId();
      const row = { _id, accountId: account, conversationId: at._id, key: String(_id), text, createdAt: new Date() };
      await inEveryAccount(() => Message.create({ ...row, messageType: 'assistant', kind: 'text' }));
      return String(_id);
    };
    await say('one');
    const two = await say('two');
    await say('three');
    await say('elsewhere', other);
    await say('theirs', conversation, nextNumber());
    const page = (limit: number, before?: string) => inEveryAccount(() => readHistory(conversation, { limit, before }));
    const texts = async (limit: number, before?: string) => {
      const { messages, count, hasMore } = await page(limit, before);
      return [messages.map(({ message }) => message), count, hasMore];
    };
    expect(await texts(2)).toEqual([['three', 'two'], 2, true]);
    expect(await texts(3)).toEqual([['three', 'two', 'one'], 3, false]);
    expect(await texts(2, two)).toEqual([['one'], 1, false]);
    expect(await page(1)).toMatchObject({ working: [], ready: { log: null, tickets: null }, channel: 'arc' });
  });
});

describe('an earlier turn with files', () => {
  test.each<[what: string, more: Partial<TurnRow>, holds: boolean]>([
    ['stored before', {}, true],
    ['done already', { status: 'done' }, false],
    ['without files', { files: [] }, false],
    ['stored after', { createdAt: new Date(Date.now() + 60_000) }, false],
    ['stored over a minute ago', { createdAt: new Date(Date.now() - 61_000) }, false],
    ['stored less than a minute ago', { createdAt: new Date(Date.now() - 50_000) }, true],
    ['in another conversation', { conversationId: new Types.ObjectId() }, false],
    ['in another account', { accountId: 1 }, false],
  ])('%s', async (_what, more, holds) => {
    const conversation = await open();
    await keepTurn(makeTurn(conversation, { files: file, createdAt: new Date(Date.now() - 1000), ...more }));
    const turn = makeTurn(conversation);
    expect(await inEveryAccount(() => isBlockedByFiles(turn, conversation))).toBe(holds);
    expect(await inEveryAccount(() => isBlockedByFiles(turn))).toBe(holds);
  });

  test('of the same moment is earlier by its id; a turn does not wait for itself, nor one without a conversation', async () => {
    const conversation = await open();
    const createdAt = new Date();
    const [one, two] = [makeTurn(conversation, { files: file, createdAt }), makeTurn(conversation, { createdAt })];
    await keepTurn(one);
    expect(await inEveryAccount(() => isBlockedByFiles(two))).toBe(true);
    expect(await inEveryAccount(() => isBlockedByFiles(one))).toBe(false);
    expect(await inEveryAccount(() => isBlockedByFiles({ ...two, conversationId: new Types.ObjectId() }))).toBe(false);
  });

  test('is waited for if the sweeper may have it, but not when this process is alone', async () => {
    noteFirstSweep();
    const conversation = await open();
    const turn = makeTurn(conversation);
    const earlier = await keepTurn(makeTurn(conversation, { files: file, createdAt: new Date(Date.now() - 1000) }));
    const wait = () => inEveryAccount(() => waitForEarlier(turn, conversation));
    expect(await wait()).toBe(false);
    noteLeftToSweeper(conversation);
    const waited = wait();
    let over = false;
    void waited.then(() => {
      over = true;
    });
    await inEveryAccount(() => isBlockedByFiles(turn, conversation));
    expect(over).toBe(false);
    await inEveryAccount(() => Turn.updateOne({ _id: earlier._id }, { $set: { status: 'done' } }));
    expect(await waited).toBe(true);
    expect(await wait()).toBe(false);
  });

  test('is waited for, however many conversations have failed turns since', async () => {
    noteFirstSweep();
    const conversation = await open();
    noteLeftToSweeper(conversation);
    for (let count = 0; count < 1001; count += 1) noteLeftToSweeper({ ...conversation, _id: new Types.ObjectId() });
    const earlier = await keepTurn(makeTurn(conversation, { files: file, createdAt: new Date(Date.now() - 1000) }));
    const turn = makeTurn(conversation);
    const waited = inEveryAccount(() => waitForEarlier(turn, conversation));
    for (let times = 0; times < 3; times += 1) await inEveryAccount(() => isBlockedByFiles(turn, conversation));
    await inEveryAccount(() => Turn.updateOne({ _id: earlier._id }, { $set: { status: 'done' } }));
    expect(await waited).toBe(true);
  });

  test('is recorded as done together with others', async () => {
    const conversation = await open();
    const [one, two, other] = await Promise.all([1, 2, 3].map(() => keepTurn(makeTurn(conversation))));
    finishTurn(one!._id);
    finishTurn(two!._id);
    await writeFinished();
    const statuses = await inEveryAccount(() => Turn.find({ accountId }).sort({ _id: 1 }).lean());
    expect(statuses.map(({ _id, status }) => [String(_id), status])).toEqual(
      [one!, two!, other!].map(({ _id }, index) => [String(_id), index < 2 ? 'done' : 'stored']).sort(),
    );
    await writeFinished();
    finishTurn(other!._id);
    await eventually(
      () => inEveryAccount(() => Turn.exists({ _id: other!._id, status: 'done' })),
      'the turn to be recorded',
    );
  });
});

describe('a turn that is processed', () => {
  const said = async () =>
    (await inEveryAccount(() => Message.find({ accountId }).sort({ _id: 1 }).lean())).map(({ key, kind, text }) => ({
      key,
      kind,
      text,
    }));
  const connect = (more: Parameters<typeof makeChannel>[0] = {}) => {
    const told: unknown[] = [];
    const channel = makeChannel({
      identify: async (_conversation, platformId) => ({ platformId, name: 'Guest', who: null, mayAsk: false }),
      tellPrivately: async (...given) => void told.push(given.slice(1)),
      ...more,
    });
    registerChannel(channel.channel);
    return { ...channel, told };
  };
  const byStranger = { speaker: { userId: null, platformId: 'U1', name: 'x' } };

  test.each<[what: string, more: Partial<TurnRow>, told: number]>([
    ['is told so privately', {}, 1],
    ['is not told for messages among people', { manner: 'overheard' }, 0],
  ])('for a stranger: its author %s, and nothing of it is stored', async (_what, more, times) => {
    const { told } = connect();
    const turn = await keepTurn(makeTurn(await open(), { ...byStranger, files: file, ...more }));
    await processTurn(turn);
    expect(await readTurn(turn)).toMatchObject({ status: 'done', text: '', files: [] });
    expect(told).toEqual(
      Array.from({ length: times }, () => ['U1', expect.stringContaining('I only work with members')]),
    );
    expect(await said()).toEqual([]);
  });

  test('for a stranger whom the platform can’t identify is finished all the same', async () => {
    connect({ tellPrivately: () => Promise.reject(new Error('channel_not_found')) });
    const turn = await keepTurn(makeTurn(await open(), byStranger));
    await processTurn(turn);
    expect(await readTurn(turn)).toMatchObject({ status: 'done', text: '' });
  });

  test('shows its words, reports a refusal once, and lets the next one start', async () => {
    connect();
    const turn = await keepTurn(makeTurn(await open(), { text: '  Analyse it  ', clientId: 'c1' }));
    let over = 0;
    const count = () => {
      over += 1;
    };
    await processTurn(turn, undefined, count);
    await processTurn(turn, undefined, count);
    const messages = await said();
    expect(messages).toHaveLength(2);
    expect(messages).toEqual(
      expect.arrayContaining([
        { key: `turn:${turn._id}`, kind: 'text', text: '  Analyse it  ' },
        { key: `turn:${turn._id}:refused`, kind: 'refused', text: expect.any(String) },
      ]),
    );
    expect((await readTurn(turn)).status).toBe('done');
    expect(over).toBe(2);
    expect(await inEveryAccount(() => Message.findById(turn._id).lean())).toMatchObject({
      messageType: 'user',
      clientId: 'c1',
    });
  });

  test('without words shows none, and its conversation may be gone', async () => {
    connect();
    const [turn, lost] = [
      await keepTurn(makeTurn(await open(), { text: '  ' })),
      await keepTurn(makeTurn(await open(), { conversationId: new Types.ObjectId() })),
    ];
    for (const it of [turn, lost]) await processTurn(it);
    expect(await said()).toEqual([]);
    expect((await readTurn(turn)).status).toBe('done');
    expect((await readTurn(lost)).status).toBe('stored');
  });

  test('with a file that can’t be fetched says so; one that may be fetched later is retried', async () => {
    const fetch = connect({ fetchFile: () => Promise.reject(new Error('gone')) });
    const turn = await keepTurn(makeTurn(await open(), { text: '', files: file }));
    await processTurn(turn);
    expect(await said()).toEqual([
      {
        key: `turn:${turn._id}:0:unfetched`,
        kind: 'refused',
        text: expect.stringContaining('I could not fetch the file'),
      },
    ]);
    expect((await readTurn(turn)).status).toBe('done');
    fetch.channel.fetchFile = () => Promise.reject(Object.assign(new Error('later'), { retryAfter: 1 }));
    const later = await keepTurn(makeTurn(await open(), { text: '', files: file }));
    await expect(processTurn(later)).rejects.toThrow('later');
    expect((await readTurn(later)).status).toBe('stored');
  });

  describe('by the sweep', () => {
    const makeOld = () => ({ createdAt: new Date(Date.now() - 30_000), dueAt: new Date(0), text: 'Analyse it' });

    test('is one that was left unfinished, and no other', async () => {
      connect();
      const conversation = await open();
      const elsewhere = { lease: { owner: 'elsewhere:1:x', id: 'a' }, dueAt: new Date(Date.now() + 10_000) };
      const [left, fresh, later, done, refused, held] = [
        await keepTurn(makeTurn(conversation, makeOld())),
        await keepTurn(makeTurn(conversation, { ...makeOld(), ...elsewhere })),
        await keepTurn(makeTurn(conversation, { ...makeOld(), dueAt: new Date(Date.now() + 60_000) })),
        await keepTurn(makeTurn(conversation, { ...makeOld(), status: 'done' })),
        await keepTurn(makeTurn(await open(), makeOld())),
        await keepTurn(makeTurn(await open(), makeOld())),
      ];
      const row = {
        _id: new Types.ObjectId(),
        accountId,
        conversationId: refused.conversationId,
        createdAt: new Date(),
      };
      const key = `turn:${refused._id}:refused`;
      const say = (more: object) =>
        inEveryAccount(() =>
          Message.create({ ...row, messageType: 'assistant', kind: 'refused', text: 'No', ...more }),
        );
      await say({ key });
      // Other messages in its conversation do not matter.
      await say({ _id: new Types.ObjectId(), conversationId: left.conversationId, key: 'before' });
      const first = makeTurn(await read({ _id: held.conversationId }), {
        files: file,
        dueAt: new Date(Date.now() + 60_000),
      });
      await keepTurn({ ...first, createdAt: new Date(makeOld().createdAt.getTime() - 10_000) });
      await sweepTurns();
      await writeFinished();
      const statuses = await Promise.all([left, fresh, later, done, refused, held].map(readTurn));
      expect(statuses.map(({ status }) => status)).toEqual(['done', 'stored', 'stored', 'done', 'done', 'stored']);
      expect((await said()).map((one) => one.key).sort()).toEqual(
        ['before', `turn:${left._id}`, `turn:${left._id}:refused`, key].sort(),
      );
    });

    test.each([
      [0, 'done'],
      [1, 'done'],
      [2, 'failed'],
    ])('that was started %i times before is %s after it, and no other', async (begun, status) => {
      connect();
      const conversation = await open();
      const [turn, other] = [
        await keepTurn(makeTurn(conversation, { ...makeOld(), begun })),
        await keepTurn(makeTurn(await open(), { ...makeOld(), dueAt: new Date(Date.now() + 60_000) })),
      ];
      await sweepTurns();
      expect((await readTurn(turn)).status).toBe(status);
      expect((await readTurn(other)).status).toBe('stored');
      expect((await said()).at(-1)?.key).toBe(`turn:${turn._id}:${status === 'failed' ? 'failed' : 'refused'}`);
    });

    test.each([
      [0, 1, 'stored', 15],
      [5, 6, 'stored', 480],
      [6, 7, 'failed', 600],
    ])('that failed %i times backs off after failure %i: %s', async (attempts, after, status, seconds) => {
      connect({ fetchFile: () => Promise.reject(Object.assign(new Error('later'), { retryAfter: 1 })) });
      const turn = await keepTurn(makeTurn(await open(), { ...makeOld(), text: '', files: file, attempts, begun: 0 }));
      jest.spyOn(Math, 'random').mockReturnValue(0.5);
      const begun = Date.now();
      await sweepTurns();
      const now = await readTurn(turn);
      expect(now).toMatchObject({ status, attempts: after, begun: 0 });
      expect(Math.abs((now.dueAt.getTime() - begun) / 1000 - seconds)).toBeLessThan(5);
      expect((await said()).map((one) => one.key)).toEqual(status === 'failed' ? [`turn:${turn._id}:failed`] : []);
    });
  });
});
