/** @environment store */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import mongoose, { Types } from 'mongoose';
import { wakeWorkers } from '../../models/store/carriesOn.ts';
import { connectedDatabase } from '../../models/store/client.ts';
import { startSweepTimers } from '../../models/store/dueTimers.ts';
import { announce, changes, everyTopic, noteHeld } from '../../models/store/revisions.ts';
import { publishSignals, readSignals } from '../../models/store/signals.ts';
import { connectTestStore, nextNumber } from '../factories/account.ts';
import { eventually } from '../factories/person.ts';

connectTestStore();
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
  jest.restoreAllMocks();
});

const signals = () => connectedDatabase().collection('signals');
const counter = () => connectedDatabase().collection<{ _id: string; seq: number }>('counters');
/** Takes numbers as another process does. @returns the first */
async function take(count = 1): Promise<number> {
  const row = await counter().findOneAndUpdate(
    { _id: 'signal' },
    { $inc: { seq: count } },
    { upsert: true, returnDocument: 'after' },
  );
  return (row?.seq ?? count) - count + 1;
}
const signal = (seq: number, accountId: number, topic: string, from = 'elsewhere') => ({
  ...{ _id: new Types.ObjectId(), seq, from, accountId, topics: [topic] },
  at: new Date(),
});

/** A process that reads signals on request, and the changes that it receives of an account. */
async function listen(accountId: number) {
  const every = jest.spyOn(globalThis, 'setInterval');
  ends.push(readSignals('here'));
  const [look, milliseconds] = every.mock.lastCall as unknown as [() => Promise<void>, number];
  const heard: string[] = [];
  const on = (of: number, topics: string[], own: boolean) => {
    if (of === accountId) heard.push(`${topics}${own ? ', own' : ''}`);
  };
  changes.on('changed', on);
  ends.push(() => changes.off('changed', on));
  // The first read only sees where the numbers stand.
  await look();
  return { heard, look, milliseconds };
}

test('signals are read twice a second', async () => {
  expect((await listen(nextNumber())).milliseconds).toBe(500);
});

test('an empty read, and a failed one, are followed by others', async () => {
  const accountId = nextNumber();
  const { heard, look } = await listen(accountId);
  await look();
  jest.spyOn(mongoose.mongo.Collection.prototype, 'find').mockImplementationOnce(() => {
    throw new Error('gone');
  });
  await look();
  await signals().insertOne(signal(await take(), accountId, 'chat'));
  await look();
  expect(heard).toEqual(['chat']);
});

test('signals are heard once, whatever clock their machine has and however many there are', async () => {
  const accountId = nextNumber();
  const { heard, look } = await listen(accountId);
  const first = await take(12_002);
  const many = Array.from({ length: 12_000 }, (_, index) => signal(first + index, nextNumber(), 'chat'));
  const hourAgo = Types.ObjectId.createFromTime(Math.floor(Date.now() / 1000) - 3600);
  const late = { ...signal(first + 12_001, accountId, 'agents'), _id: hourAgo };
  await signals().insertMany([...many, late, signal(first + 12_000, accountId, 'account')]);
  await look();
  expect(heard.join()).toBe('account,agents');
  const { length } = heard;
  await look();
  expect(heard).toHaveLength(length);
});

test('what an account changed in one read is announced together, and own signals are not', async () => {
  const accountId = nextNumber();
  const { heard, look } = await listen(accountId);
  const first = await take(3);
  await signals().insertMany([
    signal(first, accountId, 'chat'),
    signal(first + 1, accountId, 'agents'),
    signal(first + 2, accountId, 'account', 'here'),
  ]);
  await look();
  expect(heard).toEqual(['chat,agents']);
});

describe('a missing number', () => {
  test('that comes late is heard, and what came before it is not heard again', async () => {
    const accountId = nextNumber();
    const { heard, look } = await listen(accountId);
    const first = await take(2);
    await signals().insertOne(signal(first + 1, accountId, 'account'));
    await look();
    await look();
    expect(heard).toEqual(['account']);
    await signals().insertOne(signal(first, accountId, 'agents'));
    await look();
    expect(heard).toEqual(['account', 'agents']);
  });

  test('that is lost has everything read again after five seconds, once', async () => {
    const accountId = nextNumber();
    const { heard, look } = await listen(accountId);
    noteHeld(accountId);
    let now = Math.round(performance.now());
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const lost = await take(2);
    await signals().insertOne(signal(lost + 1, nextNumber(), 'chat'));
    await look();
    now += 4999;
    await look();
    expect(heard).toEqual([]);
    now += 1;
    await look();
    expect(heard).toEqual([everyTopic.join()]);
    await signals().insertOne(signal(await take(), accountId, 'chat'));
    await look();
    expect(heard).toEqual([everyTopic.join(), 'chat']);
  });

  test('is waited for from when it is the lowest: under load some number is always on its way', async () => {
    const accountId = nextNumber();
    const { heard, look } = await listen(accountId);
    noteHeld(accountId);
    let now = Math.round(performance.now());
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const first = await take(4);
    await signals().insertOne(signal(first + 1, nextNumber(), 'chat'));
    await look();
    now += 4000;
    await signals().insertMany([signal(first, nextNumber(), 'chat'), signal(first + 3, nextNumber(), 'chat')]);
    await look();
    now += 4000;
    await look();
    expect(heard).toEqual([]);
    await signals().insertOne(signal(first + 2, accountId, 'agents'));
    await look();
    expect(heard).toEqual(['agents']);
  });
});

test('a process that slept until signals were removed has everything read again', async () => {
  const accountId = nextNumber();
  const { heard, look } = await listen(accountId);
  noteHeld(accountId);
  let now = Math.round(performance.now());
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  await take(500);
  await signals().insertOne(signal(await take(), nextNumber(), 'chat'));
  await look();
  now += 5000;
  await look();
  expect(heard).toEqual([everyTopic.join()]);
});

test('a read that is due while another runs follows it, and a further one is the same', async () => {
  const accountId = nextNumber();
  const { heard, look } = await listen(accountId);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let reads = 0;
  const { find } = mongoose.mongo.Collection.prototype;
  jest.spyOn(mongoose.mongo.Collection.prototype, 'find').mockImplementation(function (this: never, ...given: never[]) {
    reads += 1;
    const cursor = find.apply(this, given as never);
    const toArray = cursor.toArray.bind(cursor);
    cursor.toArray = () => held.then(toArray);
    return cursor;
  } as never);
  await signals().insertOne(signal(await take(), accountId, 'chat'));
  const first = look();
  await eventually(async () => reads === 1, 'the first read');
  const others = [look(), look(), look()];
  expect(reads).toBe(1);
  release();
  await Promise.all([first, ...others]);
  expect({ heard, reads }).toEqual({ heard: ['chat'], reads: 2 });
});

test('stopping waits until all signals are written, and what changed meanwhile is written together', async () => {
  const accountId = nextNumber();
  const listeners = changes.listenerCount('changed');
  const stop = publishSignals('here');
  let write: (written: never) => void = () => {};
  const inserts = jest
    .spyOn(mongoose.mongo.Collection.prototype, 'insertMany')
    .mockImplementationOnce(() => new Promise((resolve) => (write = resolve)));
  announce(accountId, ['chat']);
  await eventually(async () => inserts.mock.calls.length > 0, 'one');
  announce(accountId, ['agents']);
  announce(accountId, ['account', 'agents']);
  let isDone = false;
  const stopped = stop().then(() => {
    isDone = true;
  });
  expect(changes.listenerCount('changed')).toBe(listeners);
  await new Promise(setImmediate);
  expect(isDone).toBe(false);
  write({} as never);
  await stopped;
  const rows = await signals().find({ accountId }).toArray();
  expect(rows.map(({ topics }) => topics)).toEqual([['agents', 'account']]);
});

test('a write that fails is followed by others, and its numbers are missed by whoever reads', async () => {
  const accountId = nextNumber();
  const { heard, look } = await listen(accountId);
  noteHeld(accountId);
  const stop = publishSignals('elsewhere');
  const inserts = jest
    .spyOn(mongoose.mongo.Collection.prototype, 'insertMany')
    .mockImplementationOnce(() => Promise.reject(new Error('gone')));
  changes.emit('pushed', nextNumber(), ['chat']);
  await eventually(async () => inserts.mock.calls.length > 0, 'one');
  changes.emit('pushed', nextNumber(), ['chat']);
  await stop();
  let now = Math.round(performance.now());
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  await look();
  now += 5000;
  await look();
  expect(heard).toEqual([everyTopic.join()]);
});

test('fifty listeners are possible before Node warns of a leak', () => {
  expect(changes.getMaxListeners()).toBe(50);
});

test('work that one process stores for another is swept there at once, each kind once a read, and changes nothing else', async () => {
  const swept: string[] = [];
  const sweep = (kind: string) => async () => void swept.push(kind);
  ends.push(startSweepTimers({ turns: sweep('turns'), runs: sweep('runs'), deliveries: sweep('deliveries') }));
  const { heard, look } = await listen(0);
  const stop = publishSignals('elsewhere');
  for (const kind of ['turns', 'runs', 'turns'] as const) wakeWorkers(kind);
  await stop();
  expect(swept).toEqual([]);
  await look();
  expect(swept.toSorted()).toEqual(['runs', 'turns']);
  await look();
  expect(swept).toHaveLength(2);
  expect(heard).toEqual([]);
});
