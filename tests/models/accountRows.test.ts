/** @environment store */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import mongoose from 'mongoose';
// The entities declare which rows belong to an account.
import '../../models/entities.ts';
import {
  dangerouslyEraseAccount,
  dangerouslyForgetPerson,
  dangerouslyReadAccount,
} from '../../models/store/accountRows.ts';
import { connectedDatabase } from '../../models/store/client.ts';
import { connectStore } from '../../models/store/connect.ts';

let store: Awaited<ReturnType<typeof connectStore>>;
beforeAll(async () => {
  store = await connectStore(process.env.TEST_STORE_URI, `t_${randomBytes(6).toString('hex')}`);
});
afterAll(async () => {
  await mongoose.connection.db?.dropDatabase();
  await store.close();
});

type Rows = Record<string, Document[]>;
async function write(rows: Rows): Promise<void> {
  for (const [collection, documents] of Object.entries(rows))
    await connectedDatabase().collection(collection).insertMany(documents);
}
/** Every document of the store, by collection; empty collections are left out. */
async function readAll(): Promise<Rows> {
  const names = (await connectedDatabase().listCollections().toArray()).map(({ name }) => name).sort();
  const rows: Rows = {};
  for (const name of names) {
    const documents = await connectedDatabase().collection(name).find({}).sort({ _id: 1 }).toArray();
    if (documents.length > 0) rows[name] = documents;
  }
  return rows;
}
beforeEach(async () => {
  const names = (await connectedDatabase().listCollections().toArray()).map(({ name }) => name);
  await Promise.all(names.map((name) => connectedDatabase().collection(name).deleteMany({})));
});

const [MINE, THEIRS] = [1, 2];

describe('an account’s data', () => {
  /** Rows of two accounts, in collections with different fields for the account. */
  const both = (): Rows => ({
    accounts: [{ _id: MINE }, { _id: THEIRS }],
    sessions: [
      { _id: 'a', session: { accountId: MINE } },
      { _id: 'b', session: { accountId: THEIRS } },
    ],
    addedLater: [
      { _id: 1, accountId: MINE },
      { _id: 2, accountId: THEIRS },
    ],
    auditEvents: [
      { _id: 1, accountId: MINE },
      { _id: 2, accountId: THEIRS },
    ],
    storedFiles: [
      { _id: 11, accountId: MINE },
      { _id: 12, accountId: THEIRS },
    ],
    'files.files': [{ _id: 11 }, { _id: 12 }, { _id: 13, metadata: { accountId: MINE } }, { _id: 14 }],
    'files.chunks': [11, 12, 13, 14].map((files_id) => ({ _id: files_id, files_id })),
  });

  test('is read from every non-empty collection, in order, without another account’s', async () => {
    await write(both());
    const read: [string, unknown][] = [];
    for await (const { collection, document } of dangerouslyReadAccount(MINE)) read.push([collection, document._id]);
    expect(read).toEqual([
      ['accounts', MINE],
      ['addedLater', 1],
      ['auditEvents', 1],
      ['sessions', 'a'],
      ['storedFiles', 11],
    ]);
  });

  test('is erased with the bytes of its files, except what is kept, and no other account’s is', async () => {
    await write(both());
    expect(await dangerouslyEraseAccount(MINE, ['auditEvents'])).toBe(4);
    const rows = both();
    const theirs = Object.fromEntries(Object.entries(rows).map(([name, [, other]]) => [name, [other]]));
    expect(await readAll()).toEqual({
      ...theirs,
      auditEvents: rows.auditEvents,
      'files.files': [{ _id: 12 }, { _id: 14 }],
      'files.chunks': [12, 14].map((files_id) => ({ _id: files_id, files_id })),
    });
  });
});

describe('a forgotten person', () => {
  const [ADA, BEN] = [7, 8];
  const [name, now] = ['Ada Okafor', 'a former member'];
  /** What a store holds about a person of an account; `shown` is the name beside their id. */
  const rowsOf = (accountId: number, userId: number, shown: string): Rows => {
    const _id = `${accountId}.${userId}`;
    return {
      turns: [{ _id, accountId, speaker: { userId, name: shown } }],
      interrupts: [
        { _id: `${_id}.answered`, accountId, resolution: { by: { userId, name: shown } } },
        { _id: `${_id}.drafted`, accountId, draft: { savedBy: shown } },
      ],
      storedFiles: [{ _id, accountId, addedBy: { userId, name: shown } }],
      hazardAnalyses: [{ _id, accountId, decidedBy: { name: shown } }],
    };
  };
  /** Rows that are theirs alone. */
  const ownOf = (accountId: number, userId: number): Rows => {
    const _id = `${accountId}.${userId}`;
    return {
      sessions: [{ _id, session: { accountId, userId } }],
      channelIdentities: [{ _id, accountId, userId, platformId: `tenant/object-${userId}` }],
      channelReferences: [{ _id, accountId, userId: `object-${userId}` }],
      tenantClaims: [{ _id, accountId, userId }],
    };
  };
  const merged = (...parts: Rows[]): Rows => {
    const all: Rows = {};
    for (const part of parts)
      for (const [collection, documents] of Object.entries(part))
        all[collection] = [...(all[collection] ?? []), ...documents];
    for (const documents of Object.values(all))
      documents.sort((one, other) => (String(one._id) < String(other._id) ? -1 : 1));
    return all;
  };

  test('loses their name beside what they did, and their own rows, in this company only', async () => {
    const others = [
      rowsOf(MINE, BEN, 'Ben'),
      ownOf(MINE, BEN),
      rowsOf(THEIRS, ADA, name),
      rowsOf(THEIRS, BEN, 'Ben'),
      ownOf(THEIRS, BEN),
    ];
    const elsewhere = merged(ownOf(THEIRS, ADA), {
      // Somebody here has the same name as they on the other company's platform.
      channelIdentities: [{ _id: 'there', accountId: THEIRS, userId: ADA, platformId: 'other-tenant/namesake' }],
      channelReferences: [{ _id: 'namesake', accountId: MINE, userId: 'namesake' }],
    });
    await write(merged(...others, elsewhere, rowsOf(MINE, ADA, name), ownOf(MINE, ADA)));
    await dangerouslyForgetPerson(MINE, ADA, name, now);
    // A session names its person, who does not exist any more.
    const { sessions: _signedOut, ...theirOther } = elsewhere;
    expect(await readAll()).toEqual(merged(...others, theirOther, rowsOf(MINE, ADA, now)));
  });
});
