import { afterAll, describe, expect, test } from '@jest/globals';
import { type Document, MongoClient } from 'mongodb';
import { disk } from '../factories/disk.ts';
import { cleanUp, type Event, newDirectory, serveHere, startProcess } from './process.ts';

/** Four in the suite; `npm run chaos` runs more. */
const KILLS = Number(process.env.DURABILITY_KILLS ?? 4);

afterAll(cleanUp);

type Known = { v: number; state: 'there' | 'gone' | 'perhaps' };

/** What must exist after a kill, from the output of the writing process. Only its last, unacknowledged step is open. */
function learn(known: Map<string, Known>, events: Event[]): void {
  const open = new Map<string, string>();
  for (const { kind, _id } of events) {
    if (!_id) continue;
    const item = known.get(_id) ?? { v: 0, state: 'perhaps' };
    known.set(_id, item);
    open.set(_id, kind);
    if (kind === 'insert') item.state = 'there';
    if (kind === 'update') item.v = 1;
    if (kind === 'delete') item.state = 'gone';
  }
  for (const [_id, kind] of open) {
    const item = known.get(_id)!;
    if (kind === 'tryUpdate') item.v = -1;
    if (kind === 'tryDelete') item.state = 'perhaps';
  }
}

async function compare(directory: string, known: Map<string, Known>): Promise<void> {
  const served = await serveHere(directory);
  const client = await new MongoClient(served.uri).connect();
  const collection = client.db('durable').collection<Document & { _id: string }>('docs');
  const docs = new Map((await collection.find({}).toArray()).map((doc) => [doc._id, doc]));
  for (const [_id, item] of known) {
    const doc = docs.get(_id);
    if (item.state === 'there' && !doc) throw new Error(`${_id} was acknowledged and is lost`);
    if (item.state === 'gone' && doc) throw new Error(`${_id} was deleted and is back`);
    if (doc && item.v >= 0 && doc.v !== item.v) throw new Error(`${_id} has v ${doc.v}, acknowledged was ${item.v}`);
    if (doc && (doc.v === 1) !== (doc.k === 9)) throw new Error(`${_id} is half updated`);
    item.state = doc ? 'there' : 'gone';
    if (doc) item.v = doc.v;
  }
  expect(docs.size).toBe([...known.values()].filter((item) => item.state === 'there').length);
  expect(await collection.estimatedDocumentCount()).toBe(docs.size);
  for (const { name } of await collection.indexes()) {
    expect(
      await collection
        .find({})
        .hint(name!)
        .toArray()
        .then((found) => found.length),
    ).toBe(docs.size);
  }
  for (const k of [0, 1, 2, 3, 4, 9]) {
    expect(await collection.countDocuments({ k })).toBe([...docs.values()].filter((doc) => doc.k === k).length);
  }
  // What one command creates or drops exists completely or not at all, and each existing index has every document.
  const filled = client.db('durable').collection('filled');
  const names = (await filled.indexes().catch(() => [])).map(({ name }) => String(name)).filter((it) => it !== '_id_');
  expect([[], ['family_a', 'family_b', 'family_c']]).toContainEqual(names);
  const size = await filled.estimatedDocumentCount();
  expect([0, 400]).toContain(size);
  for (const hint of names) expect(await filled.find({}).hint(hint).toArray()).toHaveLength(size);
  if (names.length > 0) expect(await filled.countDocuments({ b: { $gte: -399 } })).toBe(400);
  const other = client.db('durable').collection('other');
  expect(await other.countDocuments({})).toBe(await other.estimatedDocumentCount());
  expect((await other.countDocuments({})) % 50).toBe(0);
  await client.close();
  await served.close();
}

describe('a killed process', () => {
  test(
    `loses nothing that was acknowledged, ${KILLS} times`,
    async () => {
      const directory = newDirectory(disk());
      const known = new Map<string, Known>();
      let seed = 11;
      let next = startProcess(directory, 'write', 1);
      for (let round = 0; round < KILLS; round++) {
        const child = next;
        next = startProcess(directory, 'write', round + 2);
        child.process.send('go');
        seed = (seed * 1103515245 + 12345) % 2147483648;
        const after = 3 + (seed % 120);
        // Killed after a random number of acknowledged inserts, at any point of its writers.
        await child.when(
          (event) =>
            event.kind === 'failed' ||
            (event.kind === 'insert' && child.events.filter((item) => item.kind === 'insert').length >= after),
        );
        await child.kill();
        expect(child.events.filter((event) => event.kind === 'failed' || event.kind === 'error')).toEqual([]);
        learn(known, child.events);
        // Writes acknowledged before an earlier kill must also survive the later ones.
        if (round % 2 === 1) await compare(directory, known);
      }
      await next.kill();
      expect(known.size).toBeGreaterThan(10 * KILLS);
    },
    KILLS * 30_000 + 60_000,
  );
});

describe('expiry', () => {
  test('a TTL index is persisted and its dates are found', async () => {
    const served = await serveHere(newDirectory());
    const client = await new MongoClient(served.uri).connect();
    const collection = client.db('ttl').collection('docs');
    await collection.createIndex({ at: 1 }, { expireAfterSeconds: 10 });
    await collection.insertMany([
      { at: new Date(Date.now() - 60_000) },
      { at: new Date() },
      { at: 'text' },
      {},
      { at: [new Date(), new Date(0)] },
    ]);
    // The store checks once a minute, or at once on request.
    await client.db('admin').command({ expireNow: 1 });
    expect(await collection.countDocuments({})).toBe(3);
    await client.close();
    await served.close();
  });
});
