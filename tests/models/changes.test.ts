/** @environment store */
import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { connectedDatabase } from '../../models/store/client.ts';
import { rememberPerAccount } from '../../models/store/remember.ts';
import { announce, changes, changing, everyTopic, revisionTag } from '../../models/store/revisions.ts';
import { publishSignals, readSignals } from '../../models/store/signals.ts';
import { connectTestStore } from '../factories/account.ts';
import { eventually } from '../factories/person.ts';

connectTestStore();
afterEach(() => {
  jest.useRealTimers();
});

/** An account that nobody else has used. */
const newAccount = () => randomBytes(5).readUIntBE(0, 5);

describe('the tag of an answer', () => {
  test('changes with each of its topics, in its own account, and differs by viewer', () => {
    const [accountId, other] = [newAccount(), newAccount()];
    const tag = () => revisionTag(accountId, ['chat', 'account'], 7);
    const begun = tag();
    expect(tag()).toBe(begun);
    expect(revisionTag(accountId, ['chat', 'account'], 8)).not.toBe(begun);
    expect(revisionTag(accountId, ['chat', 'account'])).toBe(revisionTag(accountId, ['chat', 'account'], ''));
    announce(other, everyTopic);
    announce(accountId, ['interrupts']);
    expect(tag()).toBe(begun);
    const seen = new Set([begun]);
    for (const topic of ['chat', 'account', 'chat'] as const) {
      announce(accountId, [topic], false);
      seen.add(tag());
    }
    expect(seen.size).toBe(4);
  });

  test('changes before, during and after a write, even a failed one', async () => {
    const accountId = newAccount();
    const tag = () => revisionTag(accountId, ['chat']);
    const heard: unknown[] = [];
    const listen = (...it: unknown[]) => heard.push(it);
    changes.on('changed', listen);
    try {
      const tags = [tag()];
      expect(await changing(accountId, ['chat'], async () => tags.push(tag()))).toBe(2);
      tags.push(tag());
      await expect(changing(accountId, ['chat'], () => Promise.reject(new Error('full')))).rejects.toThrow('full');
      tags.push(tag());
      expect(new Set(tags).size).toBe(4);
      expect(heard).toEqual(Array(2).fill([accountId, ['chat'], true]));
    } finally {
      changes.off('changed', listen);
    }
  });
});

describe('a value cached per account', () => {
  function make() {
    const asked: number[] = [];
    let value: number | undefined;
    const read = rememberPerAccount(['account'], async (accountId) => {
      asked.push(accountId);
      return value;
    });
    return { asked, read, change: (it: number) => (value = it) };
  }

  test('is read once, even if undefined, until one of its topics changes in its account', async () => {
    const { asked, read, change } = make();
    const [one, other] = [newAccount(), newAccount()];
    for (const accountId of [one, other, one, other]) expect(await read(accountId)).toBeUndefined();
    expect(asked).toEqual([one, other]);
    change(5);
    announce(one, ['chat']);
    expect(await read(one)).toBeUndefined();
    announce(one, ['chat', 'account'], false);
    expect([await read(one), await read(other)]).toEqual([5, undefined]);
    expect(asked).toEqual([one, other, one]);
  });

  test('is kept for a minute at most', async () => {
    jest.useFakeTimers();
    const { asked, read } = make();
    const accountId = newAccount();
    await read(accountId);
    jest.advanceTimersByTime(60_000);
    await read(accountId);
    expect(asked).toHaveLength(1);
    jest.advanceTimersByTime(1);
    await read(accountId);
    expect(asked).toHaveLength(2);
  });

  test('is never one that was read during a change', async () => {
    const accountId = newAccount();
    const answers: ((value: string) => void)[] = [];
    const read = rememberPerAccount(['account'], () => new Promise<string>((resolve) => answers.push(resolve)));
    for (const round of [0, 1]) {
      const before = read(accountId);
      announce(accountId, ['account']);
      answers.at(-1)?.(`old ${round}`);
      expect(await before).toBe(`old ${round}`);
      const after = read(accountId);
      answers.at(-1)?.(`new ${round}`);
      expect(await after).toBe(`new ${round}`);
      expect(await read(accountId)).toBe(`new ${round}`);
      announce(accountId, ['account']);
    }
  });
});

describe('signals', () => {
  const signals = () => connectedDatabase().collection('signals');
  /** Collects the changes of other processes in an account. */
  function listen(accountId: number) {
    const heard: string[][] = [];
    const on = (of: number, topics: string[], own: boolean) => {
      if (of === accountId && !own) heard.push(topics);
    };
    changes.on('changed', on);
    return { heard, stop: () => changes.off('changed', on) };
  }

  test('are written for changes of this process, not for received ones, and not after it has stopped', async () => {
    const accountId = newAccount();
    const stop = publishSignals('here');
    announce(accountId, ['chat', 'account']);
    announce(accountId, ['interrupts'], false);
    await stop();
    announce(accountId, ['agents']);
    const rows = await signals().find({ accountId }).toArray();
    expect(rows).toEqual([
      {
        ...{ _id: expect.any(Types.ObjectId), seq: expect.any(Number), from: 'here', accountId },
        ...{ topics: ['chat', 'account'], at: expect.any(Date) },
      },
    ]);
    const index = (await signals().indexes()).find(({ name }) => name === 'at_1');
    expect(index).toMatchObject({ key: { at: 1 }, expireAfterSeconds: 60 });
  });

  test('of another process are received by their polls, without one’s own, and without earlier ones', async () => {
    const accountId = newAccount();
    const counters = connectedDatabase().collection<{ _id: string; seq: number }>('counters');
    const signal = async (topic: string, from = 'elsewhere') => {
      const inc = { $inc: { seq: 1 } };
      const row = await counters.findOneAndUpdate({ _id: 'signal' }, inc, { upsert: true, returnDocument: 'after' });
      const at = new Date();
      await signals().insertOne({ _id: new Types.ObjectId(), seq: row?.seq, from, accountId, topics: [topic], at });
    };
    await signal('account');
    const { heard, stop } = listen(accountId);
    const stopHearing = readSignals('here');
    // An account that changes again and again is heard from when the numbers were first read.
    const begun = await eventually(async () => {
      await signal('chat');
      return heard.length > 0;
    }, 'the first signal');
    try {
      expect(begun).toBe(true);
      await signal('interrupts', 'here');
      await signal('agents');
      await eventually(async () => heard.flat().includes('agents'), 'the other signal');
      expect(new Set(heard.flat())).toEqual(new Set(['chat', 'agents']));
    } finally {
      stopHearing();
      stop();
    }
  });
});
