import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { claimDelivery, tryDelivery, writeDelivery } from '../../../bot/engine/delivery/outbox.ts';
import { Delivery, type DeliveryRow } from '../../../models/delivery.ts';
import { connectStore, ensureIndexes } from '../../../models/store/connect.ts';
import { runInAccount } from '../../../models/store/context.ts';

let store: Awaited<ReturnType<typeof connectStore>>;
beforeAll(async () => {
  store = await connectStore(process.env.TEST_STORE_URI, `t_${randomBytes(6).toString('hex')}`);
  await ensureIndexes();
});
afterAll(async () => {
  await mongoose.connection.db?.dropDatabase();
  await store.close();
});

const inAccount = <T>(work: () => Promise<T>) => runInAccount(1, work);
let count = 0;
const write = async () => {
  count += 1;
  return (await writeDelivery({ accountId: 1, interruptId: count, messageId: null, surface: 'slack' })) as DeliveryRow;
};
const read = async ({ _id }: DeliveryRow) => (await Delivery.findOne({ _id }).lean()) as DeliveryRow;

test('a delivery is written once, and whoever wrote it sends it', () =>
  inAccount(async () => {
    const delivery = await write();
    expect(await writeDelivery({ ...delivery, messageId: null })).toBeNull();
    expect(await claimDelivery(await read(delivery))).toBe(false);
    expect(await tryDelivery(delivery, async () => ({ ts: '1' }))).toBe(true);
    expect(await read(delivery)).toMatchObject({ status: 'sent', reference: { ts: '1' } });
  }));

test('a failure comes due again, later each time, or when the platform says', () =>
  inAccount(async () => {
    const delivery = await write();
    await tryDelivery(delivery, () => Promise.reject(Object.assign(new Error('ratelimited'), { retryAfter: 60 })));
    const failed = await read(delivery);
    expect(failed).toMatchObject({ status: 'due', attempts: 1, error: 'ratelimited' });
    expect(failed.dueAt.getTime()).toBeGreaterThan(Date.now() + 50_000);
    expect(await claimDelivery(failed)).toBe(true);
    expect(await claimDelivery(failed)).toBe(false);
  }));

test('the twelfth failure is the last', () =>
  inAccount(async () => {
    const delivery = await write();
    await tryDelivery({ ...delivery, attempts: 11 }, () => Promise.reject(new Error('gone')));
    expect((await read(delivery)).status).toBe('failed');
  }));

test('answered while it was being sent, it is to be redrawn with what is known of it now', () =>
  inAccount(async () => {
    const delivery = await write();
    const settled = await tryDelivery(delivery, async () => {
      await Delivery.updateOne({ _id: delivery._id }, { $set: { status: 'closing', dueAt: new Date() } });
      return { ts: '2' };
    });
    expect(settled).toBe(false);
    expect(await read(delivery)).toMatchObject({ status: 'closing', reference: { ts: '2' } });
  }));
