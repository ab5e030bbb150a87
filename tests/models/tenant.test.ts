/** @environment store */
import { describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { StoredFile } from '../../models/file.ts';
import { keepFile, readFileBytes } from '../../models/files.ts';
import { ledger } from '../../models/ledgerEntry.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../models/store/context.ts';
import { insertRow, insertRows } from '../../models/store/insert.ts';
import { UserAgent } from '../../models/userAgent.ts';
import { connectTestStore, nextNumber } from '../factories/account.ts';

connectTestStore();

const hire = (accountId: number, _id: number) =>
  runInAccount(accountId, () =>
    UserAgent.create({ _id, accountId, userId: 1, agentId: 'mdr', status: 'hired', tools: [] }),
  );

describe('the account’s scope', () => {
  test('limits every query to its own account, whatever its filter', async () => {
    await Promise.all([hire(1, 1), hire(2, 2)]);
    const seen = await runInAccount(1, () => UserAgent.find({}).lean());
    expect(seen.map(({ _id }) => _id)).toEqual([1]);
    expect(await runInAccount(1, () => UserAgent.countDocuments({}))).toBe(1);
    expect(await runInAccount(1, () => UserAgent.findById(2).lean())).toBeNull();
    await runInAccount(1, () => UserAgent.updateMany({}, { $set: { status: 'onboarded' } }));
    await runInAccount(1, () => UserAgent.deleteMany({ _id: 2 }));
    const rest = await dangerouslyRunInEveryAccount(() => UserAgent.find({}).sort({ _id: 1 }).lean());
    expect(rest.map(({ _id, status }) => [_id, status])).toEqual([
      [1, 'onboarded'],
      [2, 'hired'],
    ]);
  });

  test('makes a query throw outside any account, or if it names another', async () => {
    await expect(UserAgent.find({}).lean()).rejects.toThrow('outside any account');
    await expect(runInAccount(1, () => UserAgent.find({ accountId: 2 }).lean())).rejects.toThrow('another account');
  });

  test('prevents saving or inserting a document of another account', async () => {
    const other = { _id: 9, accountId: 2, userId: 1, agentId: 'mdr' as const, status: 'hired' as const, tools: [] };
    await expect(runInAccount(1, () => UserAgent.create(other))).rejects.toThrow('another account');
    await expect(runInAccount(1, () => UserAgent.insertMany([other]))).rejects.toThrow('another account');
    await expect(runInAccount(1, () => insertRow(UserAgent as never, other as never))).rejects.toThrow(
      'another account',
    );
    const both = [
      { ...other, accountId: 1 },
      { ...other, _id: 10 },
    ] as never[];
    await expect(runInAccount(1, () => insertRows(UserAgent as never, both))).rejects.toThrow('another account');
    await expect(runInAccount(1, () => UserAgent.insertMany(both))).rejects.toThrow('another account');
  });

  test('in work across accounts allows writes to any, each row to its own', async () => {
    const row = (accountId: number) => ({
      _id: nextNumber(),
      accountId,
      userId: nextNumber(),
      agentId: 'mdr' as const,
      status: 'hired' as const,
      tools: [],
    });
    const [first, second, third, fourth, fifth] = [0, 0, 0, 0, 0].map(nextNumber) as [
      number,
      number,
      number,
      number,
      number,
    ];
    const accounts = [first, second, third, fourth, fifth];
    await dangerouslyRunInEveryAccount(async () => {
      await UserAgent.create(row(first));
      await UserAgent.insertMany([row(second), row(third)]);
      await insertRows(UserAgent as never, [row(fourth), row(fifth)] as never[]);
      await UserAgent.updateMany({ accountId: fifth }, { $set: { status: 'onboarded' } });
      // A row stays in its account for good.
      await UserAgent.updateMany({ accountId: fifth }, { $set: { accountId: first } });
    });
    const statuses = accounts.map((accountId) =>
      runInAccount(accountId, () => UserAgent.find({ accountId }).lean()).then((rows) => rows.map((it) => it.status)),
    );
    expect(await Promise.all(statuses)).toEqual([['hired'], ['hired'], ['hired'], ['hired'], ['onboarded']]);
    await expect(
      dangerouslyRunInEveryAccount(() => UserAgent.create({ ...row(1), accountId: undefined })),
    ).rejects.toThrow('accountId');
  });

  test('lets a change name its own account, and ignores another named beside it', async () => {
    const accountId = nextNumber();
    const _id = nextNumber();
    await hire(accountId, _id);
    const change = (update: object) => runInAccount(accountId, () => UserAgent.updateOne({ _id }, update));
    expect(await change({ $set: { accountId, status: 'onboarded' } })).toMatchObject({ modifiedCount: 1 });
    expect(await change({ accountId, status: 'hired' })).toMatchObject({ modifiedCount: 1 });
    for (const both of [
      { $set: { accountId }, $setOnInsert: { accountId: accountId + 1 } },
      { accountId: accountId + 1, $set: { accountId } },
    ])
      await expect(change(both)).rejects.toThrow('A change named another account.');
    for (const unscoped of [[{ $set: { status: 'hired' } }], { $rename: { status: 'was' } }])
      await expect(
        runInAccount(accountId, () => UserAgent.updateOne({ _id }, unscoped as never, { updatePipeline: true })),
      ).rejects.toThrow('read and write in code');
  });

  test('inserts one row that is not in a list as a list of one', async () => {
    const row = { _id: nextNumber(), userId: 1, agentId: 'mdr' as const, status: 'hired' as const, tools: [] };
    const accountId = nextNumber();
    const insert = (of: number) =>
      runInAccount(accountId, () => UserAgent.insertMany({ ...row, accountId: of } as never));
    await expect(insert(accountId + 1)).rejects.toThrow('A document of another account was inserted.');
    await insert(accountId);
    expect(await runInAccount(accountId, () => UserAgent.countDocuments({}))).toBe(1);
  });

  test('refuses aggregations and counts over everything', async () => {
    await expect(runInAccount(1, () => UserAgent.aggregate([{ $match: {} }]).exec())).rejects.toThrow('not scoped');
    await expect(runInAccount(1, () => UserAgent.estimatedDocumentCount())).rejects.toThrow('not scoped');
    const removal = [{ deleteMany: { filter: {} } }];
    await expect(runInAccount(1, () => UserAgent.bulkWrite(removal))).rejects.toThrow('not scoped');
  });
});

describe('a chain', () => {
  const movement = (key: string) => ({ key, kind: 'grant' as const, amount: 1, note: 'test' });

  test('numbers without a gap, each key once, whatever arrives at once', async () => {
    const keys = Array.from({ length: 60 }, (_, index) => `k${index % 40}`);
    const rows = await runInAccount(7, () => Promise.all(keys.map((key) => ledger.append(7, movement(key)))));
    const bySeq = [...new Map(rows.map((row) => [row.key, row])).values()].sort((a, b) => a.seq - b.seq);
    expect(bySeq.map(({ seq }) => seq)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect(bySeq.at(-1)?.balanceAfter).toBe(40);
    const again = await runInAccount(7, () => ledger.append(7, movement('k0')));
    expect(again.seq).toBe(rows[0]?.seq);
  });
});

describe('files', () => {
  const file = (name: string, key: string, text: string): Parameters<typeof keepFile>[0] => ({
    accountId: 3,
    name,
    key,
    kind: 'export',
    type: 'text/plain',
    bytes: Buffer.from(text),
  });

  test('are stored once per key, and numbered if the name is taken', async () => {
    const kept = await runInAccount(3, async () => {
      const first = await keepFile(file('log.xlsx', 'a', 'one'));
      const same = await keepFile(file('log.xlsx', 'a', 'one'));
      const second = await keepFile(file('log.xlsx', 'b', 'two'));
      return { first, same, second, bytes: (await readFileBytes(second)).toString() };
    });
    expect(kept.same._id).toEqual(kept.first._id);
    expect(kept.second.name).toBe('log (2).xlsx');
    expect(kept.bytes).toBe('two');
  });

  test('with the same name are stored even as the 1,002nd, and ten at once', async () => {
    await runInAccount(3, async () => {
      const first = await keepFile(file('often.txt', 'often:1', 'x'));
      const { _id, ...row } = first;
      await StoredFile.insertMany(
        Array.from({ length: 1000 }, (_, index) => ({
          ...row,
          name: index < 999 ? `often (${index + 2}).txt` : 'often (x).txt',
          key: `often:${index + 2}`,
        })),
      );
      const kept = await Promise.all(
        Array.from({ length: 10 }, (_, index) => keepFile(file('often.txt', `late:${index}`, 'y'))),
      );
      expect(new Set(kept.map(({ name }) => name)).size).toBe(10);
      for (const { name } of kept) expect(name).toMatch(/^often \([0-9a-f]{24}\)\.txt$/);
    });
  });

  test('of ten writers with one key become one file', async () => {
    const rows = await runInAccount(3, () =>
      Promise.all(Array.from({ length: 10 }, () => keepFile(file('same.txt', 'race', 'x')))),
    );
    expect(new Set(rows.map(({ _id }) => String(_id))).size).toBe(1);
    expect(await runInAccount(3, () => StoredFile.countDocuments({ key: 'race' }))).toBe(1);
    const chunks = await mongoose.connection.db?.collection('files.files').countDocuments({ filename: 'same.txt' });
    expect(chunks).toBe(1);
  });
});
