/** @environment store */
import { afterEach, expect, jest, test } from '@jest/globals';
import mongoose, { Types } from 'mongoose';
import { connectedDatabase } from '../../models/store/client.ts';
import { announce, changes } from '../../models/store/revisions.ts';
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
const now = () => Math.floor(Date.now() / 1000);
/** An id with this time; of two in one second, the one with the higher rest is later. */
const idAt = (seconds: number, rest = 0) =>
  new Types.ObjectId(`${seconds.toString(16).padStart(8, '0')}${rest.toString(16).padStart(16, '0')}`);
const signal = (accountId: number, topic: string, _id = new Types.ObjectId()) => ({
  _id,
  from: 'elsewhere',
  accountId,
  topics: [topic],
  at: new Date(),
});

/** A process that reads signals on request, and the changes that it receives of an account. */
function listen(accountId: number) {
  const every = jest.spyOn(globalThis, 'setInterval');
  ends.push(readSignals('here'));
  const [look, milliseconds] = every.mock.lastCall as unknown as [() => Promise<void>, number];
  const heard: string[] = [];
  const on = (of: number, topics: string[], own: boolean) => {
    if (of === accountId) heard.push(`${topics}${own ? ', own' : ''}`);
  };
  changes.on('changed', on);
  ends.push(() => changes.off('changed', on));
  return { heard, look, milliseconds };
}

test('signals are read twice a second', () => {
  expect(listen(nextNumber()).milliseconds).toBe(500);
});

test('an empty read, and a failed one, are followed by others', async () => {
  const accountId = nextNumber();
  const { heard, look } = listen(accountId);
  await look();
  jest.spyOn(mongoose.mongo.Collection.prototype, 'find').mockImplementationOnce(() => {
    throw new Error('gone');
  });
  await look();
  await signals().insertOne(signal(accountId, 'chat'));
  await look();
  expect(heard).toEqual(['chat']);
});

test('signals are received in the order of their ids, each once, however many there are', async () => {
  const accountId = nextNumber();
  const { heard, look } = listen(accountId);
  const second = now() + 1;
  const many = Array.from({ length: 1100 }, (_, index) => signal(nextNumber(), 'chat', idAt(second, index)));
  const last = signal(accountId, 'account', idAt(second, 9002));
  await signals().insertMany([...many, last, signal(accountId, 'agents', idAt(second, 9001))]);
  await look();
  expect(heard).toEqual(['agents', 'account']);
  await look();
  expect(heard).toHaveLength(2);
});

test('a read that is due while another runs follows it, and a further one is the same', async () => {
  const accountId = nextNumber();
  const { heard, look } = listen(accountId);
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
  await signals().insertOne(signal(accountId, 'chat'));
  const first = look();
  await eventually(async () => reads === 1, 'the first read');
  const others = [look(), look(), look()];
  expect(reads).toBe(1);
  release();
  await Promise.all([first, ...others]);
  expect({ heard, reads }).toEqual({ heard: ['chat'], reads: 2 });
});

test('two reads overlap by two seconds, by which another machine’s clock may be behind', async () => {
  const accountId = nextNumber();
  const { heard, look } = listen(accountId);
  const second = now() + 10;
  await signals().insertOne(signal(accountId, 'account', idAt(second, 5)));
  await look();
  await signals().insertMany([
    signal(accountId, 'agents', idAt(second - 2, 1)),
    signal(accountId, 'chat', idAt(second - 3, 99)),
  ]);
  await look();
  expect(heard).toEqual(['account', 'agents']);
});

test('stopping waits until all signals are written, receives no more, and continues after a failed one', async () => {
  const accountId = nextNumber();
  const listeners = changes.listenerCount('changed');
  const stop = publishSignals('here');
  let write: (written: never) => void = () => {};
  jest
    .spyOn(mongoose.mongo.Collection.prototype, 'insertOne')
    .mockImplementationOnce(() => new Promise((resolve) => (write = resolve)))
    .mockImplementationOnce(() => Promise.reject(new Error('gone')));
  announce(accountId, ['chat']);
  announce(accountId, ['agents']);
  announce(accountId, ['account']);
  let isDone = false;
  const stopped = stop().then(() => {
    isDone = true;
  });
  expect(changes.listenerCount('changed')).toBe(listeners);
  await eventually(async () => (await signals().countDocuments({ accountId })) > 0, 'the last signal');
  await new Promise(setImmediate);
  expect(isDone).toBe(false);
  write({} as never);
  await stopped;
  expect((await signals().find({ accountId }).toArray()).map(({ topics }) => topics)).toEqual([['account']]);
});

test('fifty listeners are possible before Node warns of a leak', () => {
  expect(changes.getMaxListeners()).toBe(50);
});
