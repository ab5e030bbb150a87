/** @environment store */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import mongoose from 'mongoose';
import { env } from '../../models/env.ts';
import { Interrupt } from '../../models/interrupt.ts';
import { connectedDatabase } from '../../models/store/client.ts';
import { connectStore, ensureIndexes, pingStore } from '../../models/store/connect.ts';
import { runInAccount } from '../../models/store/context.ts';
import { UserAgent } from '../../models/userAgent.ts';
import { makeInterrupt } from '../factories/interrupt.ts';

const uri = String(process.env.TEST_STORE_URI);
/** Runs something with a store of its own, and removes the store. */
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

test('a store is looked for for ten seconds or the time in its address, with twenty connections at most', async () => {
  await connected(uri, ({ embedded }) => {
    expect(embedded).toBe(false);
    expect(settings()).toMatchObject({ serverSelectionTimeoutMS: 10_000, maxPoolSize: 20 });
    // Indexes are created once, at start, and not by the first use of a model.
    expect(mongoose.connection.get('autoIndex')).toBe(false);
  });
  await connected(withOption('serverSelectionTimeoutMS=4321'), () =>
    expect(settings()).toMatchObject({ serverSelectionTimeoutMS: 4321 }),
  );
});

test('it is available while it is connected, and no longer', async () => {
  await connected(uri, async () => expect(await pingStore()).toBe(true));
  expect(await pingStore()).toBe(false);
});

test('it is not available if it is connected and a command fails', () =>
  connected(uri, async () => {
    const command = jest.spyOn(mongoose.mongo.Admin.prototype, 'ping').mockRejectedValueOnce(new Error('gone'));
    expect(await pingStore()).toBe(false);
    command.mockRestore();
  }));

describe('without an address the store is the embedded one', () => {
  const folder = join(env.DATA_DIR, 'store');
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('its data is in the data folder, under the given name or “arc”', async () => {
    for (const name of [undefined, 'other']) {
      const store = await connectStore('', name);
      try {
        expect([store.embedded, mongoose.connection.name]).toEqual([true, name ?? 'arc']);
        await connectedDatabase().collection('things').insertOne({ name });
        expect(await connectedDatabase().collection('things').countDocuments()).toBe(1);
      } finally {
        await store.close();
      }
      expect(mongoose.connection.readyState).toBe(0);
    }
    expect(readdirSync(folder).length).toBeGreaterThan(0);
  });

  test('a folder that can’t be used is reported as such', async () => {
    mkdirSync(env.DATA_DIR, { recursive: true });
    writeFileSync(folder, '');
    await expect(connectStore('')).rejects.toMatchObject({ name: 'StoreError' });
  });
});

test('the store’s indexes are created on request, and each row has the version of its schema', () =>
  connected(uri, async () => {
    await UserAgent.createCollection();
    expect(await UserAgent.collection.indexes()).toHaveLength(1);
    await ensureIndexes();
    expect((await UserAgent.collection.indexes()).length).toBeGreaterThan(1);
    const row = { _id: 1, accountId: 1, userId: 1, agentId: 'mdr' as const, status: 'hired' as const, tools: [] };
    await runInAccount(1, () => UserAgent.create(row));
    expect(await UserAgent.collection.findOne({ _id: 1 as never })).toMatchObject({ ...row, schemaVersion: 1 });
    // An empty object is stored as one.
    await runInAccount(1, () => Interrupt.create(makeInterrupt({ context: {} })));
    expect((await Interrupt.collection.findOne({ _id: 1 as never }))?.context).toEqual({});
  }));
