/** @environment store */
import { expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { deliveries, runInQueue, tryDelivery, writeDelivery } from '../../../bot/engine/delivery/outbox.ts';
import { PermanentError } from '../../../bot/engine/delivery/permanentError.ts';
import { sweepDeliveries } from '../../../bot/engine/delivery/sweepDeliveries.ts';
import { Delivery, type DeliveryRow } from '../../../models/delivery.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { connectTestStore } from '../../factories/account.ts';
import { eventually } from '../../factories/person.ts';

connectTestStore();

const inAccount = <T>(work: () => Promise<T>) => runInAccount(1, work);
let count = 0;
const write = async (conversationId: Types.ObjectId | null = null) => {
  count += 1;
  return (await writeDelivery({
    accountId: 1,
    interruptId: count,
    messageId: null,
    conversationId,
    surface: 'slack',
  })) as DeliveryRow;
};
const refuse = (more: object) => () => Promise.reject(Object.assign(new Error('refused'), more));
const read = async ({ _id }: DeliveryRow) => requireRow(await Delivery.findOne({ _id }).lean());

test('a delivery is written once, and its writer sends it', () =>
  inAccount(async () => {
    const delivery = await write();
    expect(await writeDelivery({ ...delivery, messageId: null })).toBeNull();
    expect(await deliveries.claim(await read(delivery))).toBeNull();
    expect(await tryDelivery(delivery, async () => ({ ts: '1' }))).toBe(true);
    expect(await read(delivery)).toMatchObject({ status: 'sent', reference: { ts: '1' } });
  }));

test('a failed delivery is due again at the platform’s time, and is claimed once', () =>
  inAccount(async () => {
    const delivery = await write();
    await tryDelivery(delivery, refuse({ retryAfter: 60 }));
    const failed = await read(delivery);
    expect(failed).toMatchObject({ status: 'due', attempts: 1, error: 'refused' });
    expect(failed.dueAt.getTime()).toBeGreaterThan(Date.now() + 50_000);
    expect(await deliveries.claim(failed)).not.toBeNull();
    expect(await deliveries.claim(failed)).toBeNull();
  }));

test.each([
  [0, 2],
  [1, 4],
  [5, 64],
  [10, 600],
])('after %i failures it waits %i seconds, plus or minus a quarter', (attempts, seconds) =>
  inAccount(async () => {
    const delivery = await write();
    const begun = Date.now();
    await tryDelivery({ ...delivery, attempts }, () => Promise.reject(new Error('busy')));
    const failed = await read(delivery);
    const wait = (failed.dueAt.getTime() - begun) / 1000;
    expect(failed).toMatchObject({ status: 'due', attempts: attempts + 1, begun: 0 });
    expect(wait).toBeGreaterThanOrEqual(seconds * 0.75);
    expect(wait).toBeLessThan(seconds * 1.25 + 0.5);
  }),
);

test('of two that find it due, one sends it, because the other’s version is stale', () =>
  inAccount(async () => {
    const delivery = await write();
    await Delivery.updateOne({ _id: delivery._id }, { $set: { dueAt: new Date(0) } });
    await tryDelivery(await read(delivery), refuse({ retryAfter: -60 }));
    const found = await read(delivery);
    expect(await deliveries.claim(found)).not.toBeNull();
    // Another process does not know what is being sent in this one.
    deliveries.letGo(found);
    expect(await deliveries.claim(found)).toBeNull();
  }));

test('the twelfth failure is the last', () =>
  inAccount(async () => {
    const delivery = await write();
    await tryDelivery({ ...delivery, attempts: 11 }, () => Promise.reject(new Error('gone')));
    expect((await read(delivery)).status).toBe('failed');
  }));

test('one that was answered while being sent is redrawn with its current reference', () =>
  inAccount(async () => {
    const delivery = await write();
    const settled = await tryDelivery(delivery, async () => {
      await Delivery.updateOne({ _id: delivery._id }, { $set: { status: 'closing', dueAt: new Date() } });
      return { ts: '2' };
    });
    expect(settled).toBe(false);
    expect(await read(delivery)).toMatchObject({ status: 'closing', reference: { ts: '2' } });
  }));

test('a permanent refusal is tried once', () =>
  inAccount(async () => {
    const delivery = await write();
    await tryDelivery(delivery, () => Promise.reject(new PermanentError('refused')));
    expect(await read(delivery)).toMatchObject({ status: 'failed', attempts: 1, error: 'refused' });
  }));

test('a retry knows how far the first attempt came', () =>
  inAccount(async () => {
    const delivery = await write();
    await tryDelivery(delivery, async ({ keep }) => {
      await keep({ posts: 1 });
      throw new Error('the upload broke off');
    });
    const seen: unknown[] = [];
    await tryDelivery(await read(delivery), async ({ reference }) => {
      seen.push(reference);
      return { ...reference, files: 1 };
    });
    expect(seen).toEqual([{ posts: 1 }]);
    expect(await read(delivery)).toMatchObject({ status: 'sent', reference: { posts: 1, files: 1 } });
  }));

test('the first message arrives first although its first attempt failed; other conversations are not blocked', () =>
  inAccount(async () => {
    const here = new Types.ObjectId();
    const [first, second] = [await write(here), await write(here)];
    const elsewhere = await write(new Types.ObjectId());
    const arrived: string[] = [];
    const arrive = (name: string) => async () => {
      arrived.push(name);
      return { name };
    };
    await tryDelivery(first, refuse({ retryAfter: 60 }));
    await tryDelivery(second, arrive('second'));
    await tryDelivery(elsewhere, arrive('elsewhere'));
    const [failed, waiting] = [await read(first), await read(second)];
    expect(waiting).toMatchObject({ status: 'due', attempts: 0, dueAt: failed.dueAt });
    await tryDelivery(failed, arrive('first'));
    await tryDelivery(waiting, arrive('second'));
    expect(arrived).toEqual(['elsewhere', 'first', 'second']);
  }));

test('repeated failures do not block the deliveries behind them', () =>
  inAccount(async () => {
    const here = new Types.ObjectId();
    const [first, second] = [await write(here), await write(here)];
    await tryDelivery({ ...first, attempts: 4 }, refuse({}));
    await tryDelivery(second, async () => ({ ts: '3' }));
    expect((await read(second)).status).toBe('sent');
  }));

test('a delivery with only files left to send blocks nothing', () =>
  inAccount(async () => {
    const here = new Types.ObjectId();
    const [first, second] = [await write(here), await write(here)];
    await tryDelivery(first, async ({ keep }) => {
      await keep({ posts: 1 }, true);
      throw new Error('the upload broke off');
    });
    await tryDelivery(second, async () => ({ ts: '4' }));
    expect((await read(second)).status).toBe('sent');
  }));

test('a slow delivery keeps its claim', () =>
  inAccount(async () => {
    const delivery = await write();
    jest.useFakeTimers({
      doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setTimeout'],
    });
    try {
      let finish = () => {};
      const sent = tryDelivery(
        delivery,
        () =>
          new Promise((resolve) => {
            finish = () => resolve({ ts: '5' });
          }),
      );
      await Delivery.updateOne({ _id: delivery._id }, { $set: { dueAt: new Date(0) } });
      await eventually(async () => {
        jest.advanceTimersByTime(10_000);
        return (await read(delivery)).dueAt.getTime() > Date.now();
      }, 'the renewed claim');
      finish();
      await sent;
    } finally {
      jest.useRealTimers();
    }
    expect((await read(delivery)).status).toBe('sent');
  }));

test('deliveries of one conversation are sent one after the other, also after a failure; others at once', async () => {
  const [here, there] = [new Types.ObjectId(), new Types.ObjectId()];
  const done: string[] = [];
  let finish = () => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const task = (name: string, until?: Promise<void>) => async () => {
    await until;
    done.push(name);
    if (name === 'fails') throw new Error('refused');
    return name;
  };
  const first = runInQueue(here, task('first', held));
  const failing = runInQueue(here, task('fails')).catch(() => 'caught');
  const last = runInQueue(here, task('last'));
  expect(await runInQueue(there, task('there'))).toBe('there');
  expect(await runInQueue(null, task('unordered'))).toBe('unordered');
  expect(done).toEqual(['there', 'unordered']);
  finish();
  expect(await Promise.all([first, failing, last])).toEqual(['first', 'caught', 'last']);
  expect(done).toEqual(['there', 'unordered', 'first', 'fails', 'last']);
  expect(await runInQueue(here, task('later'))).toBe('later');
});

test('a sweep tries only what is due and unsent, and counts each start', () =>
  inAccount(async () => {
    await Delivery.deleteMany({});
    const [due, later, sent, closing] = [await write(), await write(), await write(), await write()];
    const put = (delivery: DeliveryRow, change: object) => {
      deliveries.letGo(delivery);
      return Delivery.updateOne({ _id: delivery._id }, { $set: { dueAt: new Date(0), ...change } });
    };
    await put(due, {});
    await put(later, { dueAt: new Date(Date.now() + 60_000) });
    await put(sent, { status: 'sent' });
    await put(closing, { status: 'closing' });
    expect(await sweepDeliveries()).toBe(2);
    for (const delivery of [due, closing]) {
      const tried = await read(delivery);
      expect(tried).toMatchObject({ begun: 1 });
      expect(tried.dueAt.getTime()).toBeGreaterThan(Date.now());
    }
    for (const delivery of [later, sent]) expect(await read(delivery)).not.toMatchObject({ begun: 1 });
    // The third time is one too many: the first two may have crashed the process.
    await put(due, { begun: 2 });
    await put(closing, { begun: 1 });
    expect(await sweepDeliveries()).toBe(2);
    expect(await read(due)).toMatchObject({ status: 'failed', error: 'ended the process each time' });
    expect(await read(closing)).toMatchObject({ status: 'closing', begun: 2 });
  }));
