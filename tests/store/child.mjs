// Serves a directory in its own process, for tests that kill it. Arguments: worker file, directory, mode.
// It writes one line per event to its output at once, so that everything before a kill can be read.
import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

const [workerFile, directory, mode, seed = '1'] = process.argv.slice(2);
const say = (event) => writeSync(1, `${JSON.stringify(event)}\n`);

// A writing process is prepared while the previous one still works, and starts on request.
if (mode === 'write') {
  await import('mongodb');
  await new Promise((resolve) => process.once('message', resolve));
}

const worker = new Worker(workerFile, { workerData: { directory } });
worker.on('message', (message) => {
  if (message.uri) say({ kind: 'ready', uri: message.uri, owner: message.owner });
  else if (message.owner) say({ kind: 'owner' });
  else if (message.error) say({ kind: 'error', error: message.error });
  else if (message.failed) say({ kind: 'failed', error: message.failed });
});
const uri = await new Promise((resolve) => worker.once('message', (message) => resolve(message.uri)));

let state = Number(seed);
const random = (n) => {
  state = (state * 1103515245 + 12345) % 2147483648;
  return Math.floor((state / 2147483648) * n);
};

/** Inserts, updates, deletes and changes indexes from several writers endlessly, and prints what was acknowledged. */
async function write() {
  const { MongoClient } = await import('mongodb');
  const client = await new MongoClient(uri).connect();
  const collection = client.db('durable').collection('docs');
  const options = { writeConcern: { w: 1, j: random(2) === 0 } };
  const started = Date.now() * 1000 + random(1000);
  const writer = async (number) => {
    for (let i = 0; ; i++) {
      const _id = `${started}-${number}-${i}`;
      say({ kind: 'try', _id });
      await collection.insertOne({ _id, k: i % 5, v: 0 }, options);
      say({ kind: 'insert', _id });
      if (i % 3 === 0) {
        say({ kind: 'tryUpdate', _id });
        await collection.updateOne({ _id }, { $set: { v: 1, k: 9 } }, options);
        say({ kind: 'update', _id });
      }
      if (i % 7 === 6) {
        say({ kind: 'tryDelete', _id });
        await collection.deleteOne({ _id }, options);
        say({ kind: 'delete', _id });
      }
    }
  };
  const builder = async () => {
    const other = client.db('durable').collection('other');
    for (;;) {
      await collection.createIndex({ k: 1, v: 1 }, { name: 'later' });
      await other.insertMany(Array.from({ length: 50 }, (_, i) => ({ i })));
      await other.createIndex({ i: 1 });
      await collection.dropIndex('later');
      await other.drop();
    }
  };
  // Several indexes in one command, over enough documents that a kill hits their building.
  const family = async () => {
    const filled = client.db('durable').collection('filled');
    if ((await filled.countDocuments({})) === 0)
      await filled.insertMany(Array.from({ length: 400 }, (_, i) => ({ a: i, b: [i, -i], c: `${i % 7}` })));
    for (;;) {
      await filled.createIndexes([
        { key: { a: 1 }, name: 'family_a', unique: true },
        { key: { b: 1 }, name: 'family_b' },
        { key: { c: 1, a: -1 }, name: 'family_c' },
      ]);
      await filled
        .createIndexes([
          { key: { c: 1 }, name: 'never' },
          { key: { c: 1 }, unique: true, name: 'refused' },
        ])
        .then(
          () => say({ kind: 'failed', error: 'a unique index over equal values was made' }),
          () => undefined,
        );
      await filled.dropIndexes();
    }
  };
  await Promise.all([writer(0), writer(1), writer(2), builder(), family()]);
}

if (mode === 'write') write().catch((error) => say({ kind: 'failed', error: error.message }));
process.on('message', (message) => {
  if (message === 'close') worker.postMessage({ close: true });
});
worker.on('exit', () => process.exit(0));
