import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deserialize } from 'bson';
import { doc } from '../../models/store/embedded/bson/value.ts';
import { writeDoc } from '../../models/store/embedded/bson/write.ts';
import { prepare } from '../../models/store/embedded/catalogue/records.ts';
import { answer } from '../../models/store/embedded/commands/index.ts';
import { LAYOUT } from '../../models/store/embedded/storage/digest.ts';
import { inspect } from '../../models/store/embedded/storage/inspect.ts';
import { continueUpgrade } from '../../models/store/embedded/storage/upgrade.ts';
import { type OpenStore, openStore } from '../../models/store/embedded/store.ts';
import { cleanUp, newDirectory, until } from './process.ts';

afterAll(cleanUp);

const NAMES = ['a', 'b', 'c'];
const COUNT = 60;
const DATA_DAMAGED = 77001;

const fileOf = (directory: string) => join(directory, 'store.mdb');
/** Every so many documents one is too large for a page. */
const textOf = (id: number) => `document ${id} `.repeat(id % 20 === 0 ? 600 : 20);
const documentOf = (id: number) => ({ _id: id, u: `u${id}`, text: textOf(id) });

type Reply = { docs?: Record<string, unknown>[]; code?: number; errmsg?: string } & Record<string, unknown>;

async function ask(store: OpenStore, fields: Record<string, unknown>, list: Buffer[] = []): Promise<Reply> {
  const body = doc(fields);
  const request = { id: 1, legacy: false, silent: false, name: Object.keys(fields)[0]!, db: 't', body };
  const documents = () => [];
  const reply = await answer({ ...request, list: () => list, documents }, store, { id: 1, authenticated: true });
  if (!Buffer.isBuffer(reply)) return deserialize(writeDoc(reply)) as Reply;
  return { docs: deserialize(reply.subarray(21)).cursor.firstBatch };
}

const insert = (store: OpenStore, name: string, id: number) =>
  ask(store, { insert: name }, [writeDoc(doc(documentOf(id)))]);

/** A closed store with three collections. */
async function filled(): Promise<string> {
  const directory = newDirectory();
  const store = await openStore(directory);
  await store.queue.run(() => {
    for (const name of NAMES) {
      const collection = store.catalogue.ensure(`t.${name}`);
      store.catalogue.createIndex(collection, doc({ key: { u: 1 }, unique: true }));
      for (let id = 0; id < COUNT; id++)
        store.catalogue.records.insert(collection, prepare(writeDoc(doc(documentOf(id)))));
    }
  });
  await store.close();
  return directory;
}

let original: Buffer;
beforeAll(async () => {
  original = readFileSync(fileOf(await filled()));
});

/** A directory with a copy of the store, changed. */
function changed(change: (bytes: Buffer) => void): string {
  const directory = newDirectory();
  const bytes = Buffer.from(original);
  change(bytes);
  writeFileSync(fileOf(directory), bytes);
  return directory;
}

function randomFrom(seed: number): (n: number) => number {
  let state = Math.imul(seed + 1, 2654435761) >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** Reads all there is in several ways. @returns how many reads were right, and refused; anything else fails */
async function readAll(store: OpenStore) {
  const counts = { right: 0, refused: 0 };
  const judge = (reply: Reply, expected: unknown[]) => {
    if (reply.code === DATA_DAMAGED) {
      expect(reply).toMatchObject({
        codeName: 'DataDamaged',
        errmsg: expect.stringMatching(/^Data of t\.[abc] is dam/),
      });
      counts.refused++;
      return;
    }
    expect(reply.docs).toEqual(expected);
    counts.right++;
  };
  for (const find of NAMES) {
    for (let id = 0; id < COUNT; id++) {
      judge(await ask(store, { find, filter: { _id: id } }), [documentOf(id)]);
      judge(await ask(store, { find, filter: { u: `u${id}` } }), [documentOf(id)]);
    }
    const ids = Array.from({ length: COUNT }, (_, id) => ({ _id: id }));
    const projection = { _id: 1 };
    judge(await ask(store, { find, projection, batchSize: 1000 }), ids);
    judge(await ask(store, { find, projection, sort: { _id: 1 }, batchSize: 1000 }), ids);
  }
  return counts;
}

describe('a flipped bit', () => {
  test('anywhere in the file leaves every read right, or refused by name', async () => {
    const seen = { unopened: 0, refused: 0, unharmed: 0 };
    for (let seed = 0; seed < 60; seed++) {
      const random = randomFrom(seed);
      const directory = changed((bytes) => {
        for (let flips = 1 + (seed % 3); flips > 0; flips--) {
          // Every tenth hits the two root pages, which are a small part of the file.
          const at = random(seed % 10 === 0 ? 400 : bytes.length) + (seed % 20 === 0 ? 4096 : 0);
          if (at < bytes.length) bytes[at]! ^= 1 << random(8);
        }
      });
      const store = await openStore(directory).catch((error: Error) => {
        // The version of the format and the size of the map are lmdb's own to check.
        expect(error.message).toMatch(/^The data file .* is damaged \(|memory/);
        seen.unopened++;
      });
      if (!store) continue;
      const { refused } = await readAll(store);
      if (refused > 0) seen.refused++;
      else seen.unharmed++;
      // What is written afterwards does not make it worse.
      for (const name of NAMES) {
        const { code, n, writeErrors = [] } = await insert(store, name, 1000);
        const [error] = writeErrors as { code: number }[];
        if (code !== DATA_DAMAGED) expect([n, error?.code]).toEqual(error ? [0, DATA_DAMAGED] : [1, undefined]);
        await ask(store, { findAndModify: name, query: { _id: 1000 }, remove: true });
      }
      await store.close();
      const again = await openStore(directory);
      expect((await readAll(again)).refused).toBe(refused);
      await again.close();
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  }, 240_000);

  test('in a document refuses that document; the others are found, and writes go on', async () => {
    const directory = changed((bytes) => {
      const at = bytes.indexOf('document 7 document 7');
      bytes[at]! ^= 1;
    });
    const store = await openStore(directory);
    const damaged = NAMES.filter((name) => store.catalogue.find(`t.${name}`));
    expect(damaged).toEqual(NAMES);
    const [hit] = (
      await Promise.all(
        NAMES.map(async (name) => ({ name, reply: await ask(store, { find: name, filter: { _id: 7 } }) })),
      )
    ).filter(({ reply }) => reply.code !== undefined);
    expect(hit?.reply).toMatchObject({
      ok: 0,
      code: DATA_DAMAGED,
      codeName: 'DataDamaged',
      errmsg: expect.stringMatching(
        new RegExp(`^Data of t\\.${hit?.name} is damaged on the disk\\. .*npm run restore`),
      ),
    });
    const name = hit!.name;
    expect(await ask(store, { find: name, filter: { _id: 8 } })).toEqual({ docs: [documentOf(8)] });
    expect(await insert(store, name, 1000)).toMatchObject({ n: 1 });
    expect(await ask(store, { find: name, filter: { text: 'nothing' } })).toMatchObject({ code: DATA_DAMAGED });
    expect(await ask(store, { findAndModify: name, query: { _id: 7 }, remove: true })).toMatchObject({
      code: DATA_DAMAGED,
    });
    expect(await ask(store, { validate: name })).toMatchObject({
      valid: false,
      nrecords: COUNT + 1,
      nInvalidDocuments: 1,
      keysPerIndex: { _id_: COUNT + 1, u_1: COUNT + 1 },
      errors: ['document 8 is damaged'],
    });
    for (const other of NAMES.filter((one) => one !== name))
      expect(await ask(store, { validate: other })).toMatchObject({
        valid: true,
        nrecords: COUNT,
        nIndexes: 2,
        errors: [],
      });
    await store.close();
  });

  test('in an index refuses its collection, because documents may not be found; the others go on', async () => {
    const directory = changed((bytes) => {
      // The number of the record at the end of the key.
      for (let at = bytes.indexOf('u55\0\x01'); at >= 0; at = bytes.indexOf('u55\0\x01', at + 1)) bytes[at + 10]! ^= 1;
    });
    const store = await openStore(directory);
    const replies = await Promise.all(NAMES.map((name) => ask(store, { find: name, filter: { u: 'u55' } })));
    expect(replies.map(({ code }) => code)).toEqual(NAMES.map(() => DATA_DAMAGED));
    expect(await ask(store, { validate: 'a' })).toMatchObject({
      valid: false,
      errors: ['document 56 is missing in index u_1'],
    });
    expect(await insert(store, 'd', 1)).toMatchObject({ n: 1 });
    expect(await ask(store, { find: 'd' })).toEqual({ docs: [documentOf(1)] });
    await store.close();
  });
});

test('a walk compares indexes and counts with the documents, and does not see what is written meanwhile', async () => {
  const store = await openStore(await filled());
  const walking = ask(store, { validate: 'a' });
  await insert(store, 'a', 1000);
  expect(await walking).toMatchObject({ valid: true, nrecords: COUNT });
  const { engine, catalogue, queue } = store;
  const { number, indexes } = catalogue.find('t.a')!;
  const keysOf = (table: 'docs' | 'entries', of: number) => {
    const start = Buffer.alloc(4);
    start.writeUInt32BE(of);
    const end = Buffer.alloc(4);
    end.writeUInt32BE(of + 1);
    return engine[table].keys({ start, end });
  };
  await queue.run(() => {
    engine.entries.remove(keysOf('entries', indexes[1]!.number)[3]!);
    engine.docs.remove(keysOf('docs', number)[0]!);
  });
  expect(await ask(store, { validate: 'a' })).toMatchObject({
    valid: false,
    errors: [
      expect.stringMatching(/^document \d+ is missing in index u_1$/),
      'index _id_ has 1 entries of no document',
      `${COUNT + 1} documents are expected, ${COUNT} were found`,
    ],
  });
  expect(await ask(store, { validate: 'none' })).toMatchObject({ code: 26 });
  await store.close();
});

describe('a file from before there were digests', () => {
  const old = () => {
    const directory = newDirectory();
    writeFileSync(fileOf(directory), gunzipSync(readFileSync('tests/fixtures/data-0.1.0/store/store.mdb.gz')));
    return directory;
  };
  const contents = async (store: OpenStore) => {
    const all = store.catalogue.list().map(async ({ ns, count }) => {
      const [, ...name] = ns.split('.');
      const body = { find: name.join('.'), batchSize: 100_000 };
      return { ns, count, docs: JSON.stringify((await askIn(store, ns, body)).docs) };
    });
    return Promise.all(all);
  };
  const askIn = (store: OpenStore, ns: string, body: Record<string, unknown>) => {
    const inDatabase = { ...store, catalogue: store.catalogue };
    return ask({ ...inDatabase, catalogue: withDatabase(store, ns) } as never, body);
  };
  /** The commands of these tests ask the database `t`. */
  const withDatabase = (store: OpenStore, ns: string) => ({ find: () => store.catalogue.find(ns) });

  test('opens, goes on, and gets its digests in the background, whenever it is closed', async () => {
    const directory = old();
    const first = await openStore(directory);
    expect(first.engine.layout).toBe(LAYOUT.upgrading);
    const before = await contents(first);
    expect(before.length).toBeGreaterThan(20);
    // A part of it, and then what a killed process would leave.
    await first.queue.run(() => continueUpgrade(first.engine, 100));
    const copy = newDirectory();
    await first.engine.flushed();
    copyFileSync(fileOf(directory), fileOf(copy));
    await first.close();
    expect(inspect(fileOf(copy))).toEqual([]);
    const second = await openStore(copy);
    expect(await contents(second)).toEqual(before);
    await until(() => second.engine.layout === LAYOUT.sealed);
    expect(await contents(second)).toEqual(before);
    await second.close();
    expect(inspect(fileOf(copy))).toEqual([]);
    const third = await openStore(copy);
    expect(third.engine.layout).toBe(LAYOUT.sealed);
    expect(await contents(third)).toEqual(before);
    await third.close();
  }, 60_000);

  test('has a new file none of', async () => {
    const store = await openStore(newDirectory());
    expect(store.engine.layout).toBe(LAYOUT.sealed);
    await store.close();
  });
});
