/** @environment store */
import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { Interrupt } from '../../models/interrupt.ts';
import { connectStore, ensureIndexes, pingStore } from '../../models/store/connect.ts';
import { runInAccount } from '../../models/store/context.ts';
import { UserAgent } from '../../models/userAgent.ts';
import { makeInterrupt } from '../factories/interrupt.ts';

const uri = String(process.env.TEST_STORE_URI);
/** Does something with a store of its own, and leaves nothing of it. */
async function connected(to: string, work: (store: Awaited<ReturnType<typeof connectStore>>) => unknown) {
  const store = await connectStore(to, `t_${randomBytes(6).toString('hex')}`);
  try {
    await work(store);
  } finally {
    await mongoose.connection.db?.dropDatabase();
    await store.close();
  }
}
const settings = () => mongoose.connection.getClient().options;

const withOption = (option: string) => `${uri}${uri.includes('?') ? '&' : uri.endsWith('/') ? '?' : '/?'}${option}`;

test('a store is looked for ten seconds, or as long as its address says, by twenty connections at most', async () => {
  await connected(uri, ({ embedded }) => {
    expect(embedded).toBe(false);
    expect(settings()).toMatchObject({ serverSelectionTimeoutMS: 10_000, maxPoolSize: 20 });
  });
  await connected(withOption('serverSelectionTimeoutMS=4321'), () =>
    expect(settings()).toMatchObject({ serverSelectionTimeoutMS: 4321 }),
  );
});

test('it answers while it is connected, and no longer', async () => {
  await connected(uri, async () => expect(await pingStore()).toBe(true));
  expect(await pingStore()).toBe(false);
});

test('its indexes are made when they are asked for, and a row says which version of its schema it is of', () =>
  connected(uri, async () => {
    await UserAgent.createCollection();
    expect(await UserAgent.collection.indexes()).toHaveLength(1);
    await ensureIndexes();
    expect((await UserAgent.collection.indexes()).length).toBeGreaterThan(1);
    const row = { _id: 1, accountId: 1, userId: 1, agentId: 'mdr' as const, status: 'hired' as const, tools: [] };
    await runInAccount(1, () => UserAgent.create(row));
    expect(await UserAgent.collection.findOne({ _id: 1 as never })).toMatchObject({ ...row, schemaVersion: 1 });
    // An object that is empty is kept as one.
    await runInAccount(1, () => Interrupt.create(makeInterrupt({ context: {} })));
    expect((await Interrupt.collection.findOne({ _id: 1 as never }))?.context).toEqual({});
  }));
