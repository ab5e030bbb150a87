import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { calculateObjectSize } from 'bson';
import { open } from 'lmdb';
import { type Collection, type Db, type Document, MongoClient } from 'mongodb';
import { buildWorkers } from '../../build.mjs';
import { startEmbeddedStore } from '../../models/store/embedded/index.ts';
import type { BenchRow } from './row.ts';
import { percentile } from './row.ts';

const WORKERS = join(process.cwd(), '.cache/workers');
const DOCUMENTS = 100_000;

/** Operations per second of a function called one at a time, for a fixed time. */
async function rate(run: (i: number) => Promise<unknown>, milliseconds = 1500): Promise<number> {
  for (let i = 0; i < 100; i++) await run(i);
  const started = performance.now();
  let n = 0;
  while (performance.now() - started < milliseconds) await run(n++);
  return (n / (performance.now() - started)) * 1000;
}

/** The best of three, in milliseconds. */
async function fastest(run: () => Promise<unknown> | unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i++) {
    const started = performance.now();
    await run();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

function watchDelay() {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  return delay;
}

async function fill(docs: Collection<Document>): Promise<void> {
  await docs.createIndex({ k: 1, d: 1 });
  await docs.createIndex({ u: 1 }, { unique: true });
  for (let i = 0; i < DOCUMENTS; i += 2000) {
    const batch = Array.from({ length: 2000 }, (_, j) => ({
      _id: (i + j) as never,
      k: (i + j) % 5000,
      d: i + j,
      u: `u${i + j}`,
      name: `n${j % 100}`,
      text: 'x'.repeat(300),
    }));
    await docs.insertMany(batch);
  }
}

/** Reads every value of the same data with lmdb alone. */
function rawScan(directory: string): () => void {
  const root = open({ path: join(directory, 'store.mdb'), noSubdir: true, readOnly: true, maxDbs: 8 } as never);
  const table = root.openDB({ name: 'docs', encoding: 'binary', keyEncoding: 'binary' });
  return () => {
    let bytes = 0;
    for (const { value } of table.getRange() as Iterable<{ value: Buffer }>) bytes += value.length;
    if (bytes === 0) throw new Error('nothing was read');
  };
}

async function examined(docs: Collection<Document>, filter: Document, options: Document): Promise<number> {
  return (await docs.find(filter, options).explain('executionStats')).executionStats.totalDocsExamined;
}

/** The bytes of the largest reply while a whole collection is read. */
async function largestReply(db: Db, name: string): Promise<{ largest: number; read: number }> {
  let reply = (await db.command({ find: name, filter: {}, batchSize: DOCUMENTS })).cursor;
  let largest = 0;
  let read = 0;
  for (let docs = reply.firstBatch; docs; docs = reply.nextBatch) {
    read += docs.length;
    largest = Math.max(
      largest,
      docs.reduce((sum: number, doc: Document) => sum + calculateObjectSize(doc), 0),
    );
    if (reply.id.toString() === '0') break;
    reply = (await db.command({ getMore: reply.id, collection: name })).cursor;
  }
  return { largest, read };
}

/**
 * Compares the embedded store with its lower bounds, the driver's ping and a raw scan of the same lmdb file, in one
 * run.
 */
export async function benchStore(): Promise<BenchRow[]> {
  await buildWorkers(WORKERS);
  const directory = mkdtempSync(join(tmpdir(), 'arc-bench-'));
  const store = await startEmbeddedStore({ directory, workerFile: join(WORKERS, 'store.js') });
  const client = await new MongoClient(store.uri, { maxPoolSize: 20 }).connect();
  const rows: BenchRow[] = [];
  const row = (name: string, value: string, limit: string, ok: boolean) =>
    rows.push({ name: `store: ${name}`, value, limit, ok });
  try {
    const db = client.db('bench');
    const docs = db.collection('docs');
    await fill(docs);
    const delays = [watchDelay()];

    const ping = await rate(() => db.command({ ping: 1 }));
    const findOne = await rate((i) => docs.findOne({ _id: (i % DOCUMENTS) as never }));
    const range = await rate((i) => docs.find({ k: i % 5000, d: { $gte: 10_000 } }).toArray());
    row(
      'findOne by _id, share of ping',
      `${(findOne / ping).toFixed(2)} (${findOne.toFixed(0)}/s of ${ping.toFixed(0)}/s)`,
      'at least 0.30',
      findOne / ping >= 0.3,
    );
    row(
      'equality and range by index, share of ping',
      `${(range / ping).toFixed(2)} (${range.toFixed(0)}/s)`,
      'at least 0.15',
      range / ping >= 0.15,
    );

    const count = await fastest(() => docs.countDocuments({ name: 'n5' }));
    // The raw scan blocks this thread itself, so the loop delay is not watched during it.
    delays[0]!.disable();
    const raw = await fastest(rawScan(directory));
    delays.push(watchDelay());
    row(
      'count by an unindexed filter of 100,000, to a raw scan',
      `${(count / raw).toFixed(2)} (${count.toFixed(0)} ms to ${raw.toFixed(0)} ms)`,
      'at most 2.50',
      count / raw <= 2.5,
    );

    const sorted = await examined(docs, { k: 7 }, { sort: { d: -1 }, limit: 5 });
    row('sort and limit by index, documents read for 5', String(sorted), 'at most 5', sorted <= 5);
    const either = await examined(docs, { $or: [{ u: 'u5' }, { k: 7, d: 7 }] }, {});
    row('$or of two indexes, documents read for 2', String(either), 'at most 2', either <= 2);

    const writes = async () => Number((await db.command({ serverStatus: 1 })).transactions.write);
    const before = await writes();
    for (let i = 0; i < 50; i++) await docs.findOneAndUpdate({ k: -1 }, { $set: { z: 1 } });
    const opened = (await writes()) - before;
    row('write transactions of 50 findAndModify that match nothing', String(opened), '0', opened === 0);

    const inserts = db.collection('inserts');
    const times: number[] = [];
    const one = await rate(async (n) => {
      const started = performance.now();
      await inserts.insertOne({ n, text: 'x'.repeat(300) });
      times.push(performance.now() - started);
    });
    const p50 = percentile(times, 0.5);
    row('insertOne, p50', `${p50.toFixed(2)} ms (${one.toFixed(0)}/s)`, 'at most 1.50 ms', p50 <= 1.5);

    // Concurrent writers can share the wait for the disk; without `j` there is almost nothing to share.
    const journaled = db.collection('inserts', { writeConcern: { w: 1, j: true } });
    const insert = (n: number) => journaled.insertOne({ n, text: 'x'.repeat(300) });
    const alone = await rate(insert);
    const together = await Promise.all(Array.from({ length: 16 }, () => rate(insert)));
    const sixteen = together.reduce((sum, item) => sum + item, 0);
    row(
      'insertOne on disk (j) from 16 writers, to one',
      `${(sixteen / alone).toFixed(1)} (${sixteen.toFixed(0)}/s to ${alone.toFixed(0)}/s)`,
      'at least 5.0',
      sixteen / alone >= 5,
    );

    const { largest, read } = await largestReply(db, 'docs');
    row(
      'largest reply while 100,000 documents are read',
      `${(largest / 1024).toFixed(0)} kB of ${read} documents`,
      'at most 1024 kB',
      largest <= 1024 * 1024 && read === DOCUMENTS,
    );
    const p99 = Math.max(...delays.map((delay) => delay.percentile(99))) / 1e6;
    const worst = Math.max(...delays.map((delay) => delay.max)) / 1e6;
    row('delay of the main thread, p99', `${p99.toFixed(0)} ms`, 'under 50 ms', p99 < 50);
    row('delay of the main thread, worst', `${worst.toFixed(0)} ms`, 'at most 250 ms', worst <= 250);
    return rows;
  } finally {
    await client.close();
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
