/** @environment store */
import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { makeArcChannel } from '../../../bot/channels/arc/outbound.ts';
import { makeQuestionAnnouncer } from '../../../bot/channels/arc/questions.ts';
import { type ArcServer, accountRoom, conversationRoom } from '../../../bot/channels/arc/rooms.ts';
import { closeEndedSockets, makeSocketLimit } from '../../../bot/channels/arc/sessions.ts';
import { viewInterrupt } from '../../../bot/engine/delivery/viewInterrupt.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import type { DeliveryRow } from '../../../models/delivery.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { logger } from '../../../models/logger.ts';
import { Message, type MessageRow } from '../../../models/message.ts';
import type { Who } from '../../../models/policies/who.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { announce } from '../../../models/store/revisions.ts';
import { connectTestStore, makeWho, nextNumber } from '../../factories/account.ts';
import { makeInterrupt } from '../../factories/interrupt.ts';
import { eventually } from '../../factories/person.ts';
import { addConversation } from '../../factories/stepContext.ts';

connectTestStore();

/** A fake socket server: rooms with sockets in them, and what was emitted to each room. */
function makeBrowsers() {
  const emitted: [room: string, event: string, what: unknown][] = [];
  const rooms = new Map<string, Set<string>>();
  const sockets = new Map<string, { request: unknown; data: { who: Who }; disconnect(close: boolean): void }>();
  const closed: string[] = [];
  const io = {
    to: (room: string) => ({ emit: (event: string, what: unknown) => void emitted.push([room, event, what]) }),
    sockets: { adapter: { rooms }, sockets },
  } as unknown as ArcServer;
  return {
    io,
    emitted,
    closed,
    rooms,
    enter(id: string, who: Who, room = accountRoom(who.accountId)) {
      rooms.set(room, new Set([...(rooms.get(room) ?? []), id]));
      sockets.set(id, { request: id, data: { who }, disconnect: (close) => void (close && closed.push(id)) });
    },
  };
}
let browsers: ReturnType<typeof makeBrowsers>;
let accountId = 0;
beforeEach(() => {
  browsers = makeBrowsers();
  accountId = nextNumber();
});
const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
const asked = (id: number) => ({ interruptId: id, userAgentId: 1, agentName: 'Clara', prompt: 'Shall I?' });

describe('a session’s sockets', () => {
  test('are limited to thirty per session', () => {
    const take = makeSocketLimit();
    const connections = Array.from({ length: 30 }, () => new EventEmitter());
    for (const connection of connections) expect(take('one', connection)).toBe(true);
    expect(take('one', new EventEmitter())).toBe(false);
    expect(take('other', new EventEmitter())).toBe(true);
    const [first, second] = connections as [EventEmitter, EventEmitter];
    first.emit('close');
    first.emit('close');
    expect(take('one', new EventEmitter())).toBe(true);
    expect(take('one', new EventEmitter())).toBe(false);
    for (const connection of connections) connection.emit('close');
    expect(second.listenerCount('close')).toBe(0);
    for (let place = 0; place < 29; place += 1) expect(take('one', new EventEmitter())).toBe(true);
    expect(take('one', new EventEmitter())).toBe(false);
  });

  test('are all available again once the last one is closed', () => {
    const take = makeSocketLimit();
    const only = new EventEmitter();
    take('one', only);
    only.emit('close');
    const places = Array.from({ length: 31 }, () => take('one', new EventEmitter()));
    expect(places.filter(Boolean)).toHaveLength(30);
  });

  test('are closed when their session or membership has ended and their account changes', async () => {
    const [who, other] = [makeWho({ accountId }), makeWho({ accountId })];
    const standing = new Map<unknown, Who | null>([
      ['stays', who],
      ['ended', null],
      ['another person', other],
      ['elsewhere', null],
    ]);
    browsers.rooms.set(accountRoom(accountId), new Set(['gone already']));
    for (const id of ['stays', 'ended', 'another person']) browsers.enter(id, who);
    browsers.enter('elsewhere', makeWho());
    closeEndedSockets(browsers.io, async (request) => standing.get(request) ?? null);
    announce(accountId, ['chat']);
    announce(nextNumber(), ['account']);
    await new Promise((resolve) => setImmediate(resolve));
    expect(browsers.closed).toEqual([]);
    announce(accountId, ['chat', 'account'], false);
    await eventually(async () => browsers.closed.length === 2, 'two to be closed');
    expect(browsers.closed).toEqual(['ended', 'another person']);
  });
});

test('a change in an account without sockets closes nothing, and is no error', async () => {
  const error = jest.spyOn(logger, 'error').mockReturnValue(undefined);
  closeEndedSockets(browsers.io, async () => null);
  announce(accountId, ['account'], false);
  await new Promise((resolve) => setImmediate(resolve));
  expect(error).not.toHaveBeenCalled();
  error.mockRestore();
});

describe('a question', () => {
  const room = () => accountRoom(accountId);
  const addQuestion = async (change: Partial<InterruptRow> = {}) => {
    const row = makeInterrupt({ _id: nextNumber(), accountId, askKey: String(nextNumber()), ...change });
    await runInAccount(row.accountId, () => Interrupt.create(row as never));
    return row._id;
  };

  test('is announced to the account’s browsers once, however many processes report it', () => {
    const { announce } = makeQuestionAnnouncer(browsers.io);
    const row = makeInterrupt();
    for (const id of [1, 2, 1]) announce(accountId, id, row);
    expect(browsers.emitted).toEqual([
      [room(), 'asked', asked(1)],
      [room(), 'asked', asked(2)],
    ]);
  });

  test('is remembered among the last thousand announced, of which the older half is then dropped', () => {
    const { announce } = makeQuestionAnnouncer(browsers.io);
    const row = makeInterrupt();
    const tellAgain = (id: number) => {
      browsers.emitted.length = 0;
      announce(accountId, id, row);
      return browsers.emitted.length === 1;
    };
    for (let id = 1; id <= 1000; id += 1) announce(accountId, id, row);
    expect([tellAgain(1), tellAgain(1000)]).toEqual([false, false]);
    announce(accountId, 1001, row);
    expect([tellAgain(501), tellAgain(1001), tellAgain(500), tellAgain(1)]).toEqual([false, false, true, true]);
  });

  test('that another process has just asked is announced where somebody is connected', async () => {
    const { announceRecent } = makeQuestionAnnouncer(browsers.io);
    const [first, second] = [nextNumber(), nextNumber()];
    await addQuestion({ _id: second, createdAt: new Date(Date.now() - 13_000) });
    await addQuestion({ _id: first });
    await addQuestion({ status: 'resolved' });
    await addQuestion({ createdAt: new Date(Date.now() - 16_000) });
    await addQuestion({ accountId: nextNumber() });
    await announceRecent(accountId);
    expect(browsers.emitted).toEqual([]);
    browsers.enter('one', makeWho({ accountId }));
    for (const _again of [0, 1]) await announceRecent(accountId);
    expect(browsers.emitted).toEqual([first, second].map((id) => [room(), 'asked', asked(id)]));
  });

  test('appears in the inbox and in its conversation', async () => {
    const told: unknown[][] = [];
    const channel = makeArcChannel(browsers.io, (...given) => void told.push(given));
    const shown = (id: number, context: object = {}, interruptType = 'hazard_review') =>
      viewInterrupt(makeInterrupt({ _id: id, accountId, interruptType, context: { ...context } }), null, 'UTC');
    const delivery = (surface: string) => ({ surface, accountId }) as DeliveryRow;
    const ask = (question: Parameters<typeof channel.ask>[0], at: ConversationRow | null, surface = 'arc-chat') =>
      inAccount(() => channel.ask(question, delivery(surface), at));
    const inbox = shown(7);
    expect(await ask(inbox, null, 'inbox')).toBeNull();
    expect(told).toEqual([[accountId, 7, inbox]]);

    const address = { channel: 'arc', conversation: 'user:7', thread: null } as const;
    const conversation = await inAccount(() => addConversation(accountId, { address }));
    const id = nextNumber();
    const reference = await ask(shown(id, {}), conversation);
    const [message] = await inAccount(() => Message.find({}).lean());
    expect(reference).toEqual({ messageId: String(message?._id) });
    expect(message).toMatchObject({
      key: `interrupt:${id}`,
      kind: 'review-requested',
      text: 'Shall I?',
      agentId: 'clinical_safety',
      agentName: 'Clara',
      conversationId: conversation._id,
      card: {
        interruptId: id,
        actions: [{ label: 'Review row by row', action: 'open-review', value: String(id) }],
      },
    });
    const plain = nextNumber();
    await ask(shown(plain, {}, 'approval'), conversation);
    const [, second] = await inAccount(() => Message.find({}).sort({ _id: 1 }).lean());
    // It is answered in place, so there is nothing to open.
    expect(second).toMatchObject({ kind: 'question-asked', card: { interruptId: plain } });
    expect(second?.card).not.toHaveProperty('actions');

    // Asked on another channel, or outside any conversation.
    expect(await ask(shown(nextNumber()), null)).toBeNull();
    await channel.redraw(inbox, delivery('inbox'));
    expect(browsers.emitted.at(-1)).toEqual([room(), 'changed', ['interrupts', 'chat']]);
  });
});

test('messages and progress go only to the browsers of the conversation', async () => {
  const channel = makeArcChannel(browsers.io, () => undefined);
  const address = { channel: 'arc', conversation: 'user:7', thread: null } as const;
  const conversation = await inAccount(() => addConversation(accountId, { address }));
  const message = { _id: new Types.ObjectId(), text: 'Hello.', createdAt: new Date(0) } as MessageRow;
  expect(await channel.say(conversation, message, { reference: null, keep: async () => undefined })).toBeNull();
  const progress = { status: 'working' } as never;
  channel.progress(conversation, progress);
  const room = conversationRoom(accountId, 'user:7');
  expect(room).not.toBe(accountRoom(accountId));
  expect(browsers.emitted).toEqual([
    [room, 'message', expect.objectContaining({ id: String(message._id), message: 'Hello.' })],
    [room, 'progress', progress],
  ]);
  expect(channel).toMatchObject({ name: 'arc', remote: false, surfaces: ['inbox', 'arc-chat'] });
});
