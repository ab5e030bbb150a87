import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { startEmbeddedStore } from '../../models/store/embedded/index.ts';
import { cleanUp, newDirectory, WORKER_FILE } from './process.ts';

afterAll(cleanUp);

/** A process that has not ended by then waits for itself. */
const HANGS_AFTER_MS = 40_000;

test.each([
  ['by itself', 'exit', 3],
  ['by a fault that nobody catches', 'fault', 1],
])(
  'a process that ends %s in the middle of a write ends, and each part of the write is whole or not there',
  async (_by, how, status) => {
    for (const milliseconds of [120, 240, 360]) {
      const directory = newDirectory();
      const given = ['--import', 'tsx', 'tests/store/exiting.ts', WORKER_FILE, directory, String(milliseconds), how];
      const child = spawn(process.execPath, given, { stdio: 'ignore' });
      const late = setTimeout(() => child.kill('SIGKILL'), HANGS_AFTER_MS);
      const [code, signal] = await once(child, 'exit');
      clearTimeout(late);
      expect({ milliseconds, code, signal }).toEqual({ milliseconds, code: status, signal: null });
      const store = await startEmbeddedStore({ directory, workerFile: WORKER_FILE });
      const client = await new MongoClient(store.uri).connect();
      // The store takes a large write in parts of a thousand rows, each whole.
      expect((await client.db('t').collection('c').countDocuments({})) % 1000).toBe(0);
      await client.close();
      await store.close();
    }
  },
  300_000,
);
