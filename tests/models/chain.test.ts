/** @environment store */
import { expect, jest, test } from '@jest/globals';
import mongoose from 'mongoose';
import { type ChainRow, makeChain } from '../../models/store/appendOnly.ts';
import { runInAccount } from '../../models/store/context.ts';
import { entity } from '../../models/store/entity.ts';
import { announce } from '../../models/store/revisions.ts';
import { connectTestStore } from '../factories/account.ts';

type Entry = { word: string };
type LinkRow = ChainRow & Entry & { sum: string };
const Link = entity<LinkRow>({
  name: 'SampleLink',
  collection: 'sampleLinks',
  scope: 'customer',
  fields: { seq: Number, key: String, word: String, sum: String },
  indexes: [
    [{ accountId: 1, seq: 1 }, { unique: true }],
    [{ accountId: 1, key: 1 }, { unique: true }],
    [{ accountId: 1, word: 1 }, { unique: true }],
  ],
});

connectTestStore();

let accounts = 0;
/** A chain of words in its own account. Each row has all words so far, with at most `most` characters. */
function makeWords(accountId = ++accounts, most = Number.POSITIVE_INFINITY, whenWritten = async () => {}) {
  const batches: number[] = [];
  let looked = 0;
  const chain = makeChain<Entry, LinkRow>(
    Link as never,
    (before, { word }) => {
      looked += 1;
      if ((before?.seq ?? 0) >= most || word === 'refused')
        throw new Error(`No ${word} after ${before?.sum ?? 'none'}`);
      return { word, sum: `${before?.sum ?? ''}${word}` };
    },
    async (rows) => {
      batches.push(rows.length);
      await whenWritten();
      if (rows.some(({ word }) => word === 'untold')) throw new Error('nobody was told');
    },
  );
  return {
    accountId,
    batches,
    looked: () => looked,
    append: (word: string, key = word) => runInAccount(accountId, () => chain.append(accountId, { word, key })),
    head: () => runInAccount(accountId, () => chain.head(accountId)),
    rows: () =>
      runInAccount(accountId, () => Link.find({}).sort({ seq: 1 }).lean()).then((rows) =>
        rows.map(({ seq, sum }) => `${seq} ${sum}`),
      ),
  };
}
const outcome = (work: Promise<LinkRow>) =>
  work.then(
    ({ seq, sum }) => `${seq} ${sum}`,
    (error: Error) => error.message,
  );

test('entries that arrive during a write are written together next, each key once', async () => {
  const { append, batches, rows, head } = makeWords();
  expect(await head()).toBeNull();
  const words = ['a', 'b', 'c', 'b', 'a'];
  expect(await Promise.all(words.map((word) => outcome(append(word))))).toEqual([
    '1 a',
    '2 ab',
    '3 abc',
    '2 ab',
    '1 a',
  ]);
  expect(batches.filter((size) => size > 0)).toEqual([1, 2]);
  expect(await rows()).toEqual(['1 a', '2 ab', '3 abc']);
  expect(await head()).toMatchObject({ seq: 3 });
  // Later, too, and two in one write.
  await Promise.all(['x', 'y', 'z'].map((word) => append(word)));
  expect(batches.filter((size) => size > 0)).toEqual([1, 2, 1, 2]);
  expect((await rows()).slice(3)).toEqual(['4 abcx', '5 abcxy', '6 abcxyz']);
  expect(await outcome(append('a'))).toBe('1 a');
  expect(await outcome(append('d'))).toBe('7 abcxyzd');
});

test('a refused entry does not affect the others', async () => {
  const { append, rows } = makeWords();
  const words = ['a', 'refused', 'b', 'refused'];
  expect(await Promise.all(words.map((word) => outcome(append(word))))).toEqual([
    '1 a',
    'No refused after ab',
    '2 ab',
    'No refused after ab',
  ]);
  expect(await outcome(append('refused', 'alone'))).toBe('No refused after ab');
  expect(await rows()).toEqual(['1 a', '2 ab']);
});

test('an existing entry is not refused, and a failure after its row was written undoes nothing', async () => {
  const { append, rows } = makeWords(undefined, 2);
  expect([await outcome(append('a')), await outcome(append('untold'))]).toEqual(['1 a', '2 auntold']);
  const late = ['c', 'a'].map((word) => outcome(append(word)));
  expect(await Promise.all(late)).toEqual(['No c after auntold', '1 a']);
  expect(await rows()).toEqual(['1 a', '2 auntold']);
});

test('two processes that append at once number without a gap, and the loser takes the next number', async () => {
  const here = makeWords();
  const elsewhere = makeWords(here.accountId);
  const words = (from: string) => Array.from({ length: 15 }, (_, index) => `${from}${index},`);
  for (const word of ['x,', 'y,']) await Promise.all([here.append(`h${word}`), elsewhere.append(`e${word}`)]);
  await Promise.all([
    ...words('h').map((word) => here.append(word)),
    ...words('e').map((word) => elsewhere.append(word)),
    // And one that both have.
    here.append('same'),
    elsewhere.append('same'),
  ]);
  const rows = await here.rows();
  expect(rows.map((row) => Number(row.split(' ')[0]))).toEqual(Array.from({ length: 35 }, (_, index) => index + 1));
  for (const [index, row] of rows.slice(1).entries()) expect(row).toContain(String(rows[index]?.split(' ')[1]));
});

test('a refusal based on a stale row is reconsidered', async () => {
  const here = makeWords(undefined, 2);
  await here.append('a');
  const elsewhere = makeWords(here.accountId);
  await elsewhere.append('b');
  // The cached row says that there is room, so the write fails, and the next attempt refuses.
  expect(await outcome(here.append('c'))).toBe('No c after ab');
  await runInAccount(here.accountId, () => Link.deleteMany({ seq: 2 }));
  // The cached row says that there is none, although there is.
  expect(await outcome(here.append('d'))).toBe('2 ad');
});

test('another process’s row is the head after its change notice, and one’s own change keeps the cache', async () => {
  const here = makeWords();
  await here.append('a');
  await makeWords(here.accountId).append('b');
  announce(here.accountId, ['account']);
  announce(here.accountId + 1000, ['account'], false);
  expect(await here.head()).toMatchObject({ seq: 1 });
  announce(here.accountId, ['account'], false);
  expect(await here.head()).toMatchObject({ seq: 2 });
});

test('an entry refused in a failed write is refused based on the stored row', async () => {
  const { append, rows } = makeWords(accounts + 1, undefined, async () => {
    if (elsewhere.batches.length === 0) await elsewhere.append('b');
  });
  const elsewhere = makeWords();
  // The first one is written alone, and the others together after it, when another process has written.
  expect(await Promise.all(['a', 'c', 'refused'].map((word) => outcome(append(word))))).toEqual([
    '1 a',
    '3 abc',
    'No refused after abc',
  ]);
  expect(await rows()).toEqual(['1 a', '2 ab', '3 abc']);
});

test('a store error other than a taken number is reported at once', async () => {
  const { append, rows, looked } = makeWords();
  const failure = new Error('gone');
  const insertOne = jest.spyOn(mongoose.mongo.Collection.prototype, 'insertOne').mockRejectedValueOnce(failure);
  expect(await outcome(append('a'))).toBe('gone');
  insertOne.mockRestore();
  expect([looked(), await rows()]).toEqual([1, []]);
});

test('a row that can’t be written for another reason is given up after 22 attempts, and the chain continues', async () => {
  const { append, rows, looked } = makeWords();
  await append('a');
  expect(await outcome(append('a', 'another key'))).toContain('E11000');
  expect(looked()).toBe(1 + 22);
  expect(await outcome(append('b'))).toBe('2 ab');
  expect(await rows()).toEqual(['1 a', '2 ab']);
});
