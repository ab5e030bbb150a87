import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { startEmbeddedStore } from '../../models/store/embedded/index.ts';
import { cleanUp, newDirectory, WORKER_FILE } from './process.ts';

afterAll(cleanUp);

/** A process that has not ended by then is deadlocked. */
const MAX_EXIT_MS = 40_000;

test.each([
  ['normally', 'exit', 3],
  ['with an uncaught error', 'fault', 1],
])(
  'a process that ends %s in the middle of a write exits, and each part of the write is complete or absent',
  async (_by, how, status) => {
    for (const milliseconds of [120, 240, 360]) {
      const directory = newDirectory();
      const given = ['--import', 'tsx', 'tests/store/exiting.ts', WORKER_FILE, directory, String(milliseconds), how];
      const child = spawn(process.execPath, given, { stdio: 'ignore' });
      const late = setTimeout(() => child.kill('SIGKILL'), MAX_EXIT_MS);
      const [code, signal] = await once(child, 'exit');
      clearTimeout(late);
      expect({ milliseconds, code, signal }).toEqual({ milliseconds, code: status, signal: null });
      const store = await startEmbeddedStore({ directory, workerFile: WORKER_FILE });
      const client = await new MongoClient(store.uri).connect();
      // A large write is done in parts of a few milliseconds, in order: what is there is its beginning, with the entries
      // of its index and its count.
      const collection = client.db('t').collection<{ _id: number }>('c');
      const rows = (await collection.find({}).hint({ $natural: 1 }).toArray()).map(({ _id }) => _id);
      expect(rows).toEqual(Array.from({ length: rows.length }, (_, i) => i));
      const counts = [await collection.countDocuments({ _id: { $gte: 0 } }), await collection.estimatedDocumentCount()];
      expect(counts).toEqual([rows.length, rows.length]);
      await client.close();
      await store.close();
    }
  },
  300_000,
);
