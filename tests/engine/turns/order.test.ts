import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { conversationKey, queueIdOf, sharing } from '../../../bot/engine/conversations/conversations.ts';
import { inOrder } from '../../../bot/engine/turns/order.ts';
import type { ConversationRow } from '../../../models/conversation.ts';

const conversation = (more: Partial<ConversationRow> = {}) =>
  ({ _id: new Types.ObjectId(), ...more }) as ConversationRow;
const turn = () => ({ _id: new Types.ObjectId(), createdAt: new Date() });

describe('turns of one conversation', () => {
  let begun: [name: string, followed: boolean][];
  let ends: Map<string, () => void>;
  const begin = (name: string, at: ConversationRow, it = turn()) => {
    inOrder(at, (over, followed) => {
      begun.push([name, followed]);
      ends.set(name, over);
    });
    return it;
  };
  const pass = (milliseconds = 0) => jest.advanceTimersByTimeAsync(milliseconds);
  const end = async (name: string) => {
    ends.get(name)?.();
    await pass();
  };

  beforeEach(() => {
    jest.useFakeTimers();
    begun = [];
    ends = new Map();
  });
  afterEach(async () => {
    for (let round = 0; round < 5; round += 1) for (const name of ends.keys()) await end(name);
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  test('start one after the other, and know whether they waited', async () => {
    const here = conversation();
    for (const name of ['one', 'two', 'three']) begin(name, here);
    await pass();
    expect(begun).toEqual([['one', false]]);
    await end('one');
    expect(begun).toEqual([
      ['one', false],
      ['two', true],
    ]);
    await end('two');
    await end('three');
    begin('four', here);
    expect(begun.slice(2)).toEqual([
      ['three', true],
      ['four', false],
    ]);
  });

  test('block no other conversation, but all threads of a direct chat', async () => {
    const place = conversation({ direct: true });
    begin('chat', place);
    begin('thread', conversation({ direct: true, placeId: place._id }));
    begin('elsewhere', conversation());
    begin('channel thread', conversation({ placeId: place._id }));
    await pass();
    expect(begun.map(([name]) => name)).toEqual(['chat', 'elsewhere', 'channel thread']);
    await end('chat');
    expect(begun.at(-1)).toEqual(['thread', true]);
  });

  test('wait a minute for one that hangs, and start once', async () => {
    const here = conversation();
    begin('hangs', here);
    begin('next', here);
    await pass(59_999);
    expect(begun).toHaveLength(1);
    await pass(1);
    expect(begun).toEqual([
      ['hangs', false],
      ['next', true],
    ]);
    await end('hangs');
    expect(begun).toHaveLength(2);
    // The hanging one ends late: the turn after the next still waits for the next.
    begin('last', here);
    await end('hangs');
    expect(begun).toHaveLength(2);
    await end('next');
    expect(begun).toHaveLength(3);
  });

  test('leave no timer behind once they have started', async () => {
    const set = jest.spyOn(globalThis, 'setTimeout');
    const cleared = jest.spyOn(globalThis, 'clearTimeout');
    const here = conversation();
    begin('one', here);
    begin('two', here);
    await end('one');
    // Other tests of this process may have set timers, but none for a minute.
    const held = set.mock.results.filter((_, index) => set.mock.calls[index]?.[1] === 60_000).map(({ value }) => value);
    expect(held).toHaveLength(1);
    expect(cleared.mock.calls).toContainEqual(held);
    // The timer does not keep the process alive either.
    expect((held[0] as NodeJS.Timeout).hasRef()).toBe(false);
  });
});

describe('a conversation’s address', () => {
  const placeId = new Types.ObjectId();
  const thread = conversation({ placeId });
  const own = conversation({ placeId, direct: true });

  test.each([
    ['a thread of a channel', thread, [thread._id]],
    ['a thread of one’s own chat', own, [own._id, placeId]],
  ])('%s shares its agent and files with', (_what, it, shared) => {
    expect(sharing(it)).toEqual(shared);
    expect(queueIdOf(it)).toBe(shared.at(-1));
  });

  test('of a direct chat itself shares with nothing', () => {
    const chat = conversation({ direct: true, placeId: null });
    expect(sharing(chat)).toEqual([chat._id]);
    expect(queueIdOf(chat)).toBe(chat._id);
  });

  test('is named by channel, conversation and thread', () => {
    expect(conversationKey({ channel: 'slack', conversation: 'C1', thread: null })).toBe('slack|C1|');
    expect(conversationKey({ channel: 'teams', conversation: 'C1', thread: 't' })).toBe('teams|C1|t');
  });
});
