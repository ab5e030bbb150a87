import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { buildWorkers } from '../build.mjs';
import { buildProcesses } from './runner/processes.mjs';
import { makeScratch } from './runner/scratch.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/**
 * Builds the threads and processes that tests start, creates the directory for everything that tests write, and starts
 * one store for all test files. MONGODB_URI names a real server to use instead.
 */
export default async function globalSetup() {
  await Promise.all([buildWorkers(join(root, '.cache/workers')), buildProcesses(join(root, '.cache/server'))]);
  const directory = makeScratch();
  globalThis.__arcDirectory = directory;
  process.env.TEST_DIRECTORY = directory;
  if (process.env.MONGODB_URI) {
    process.env.TEST_STORE_URI = process.env.MONGODB_URI;
    return;
  }
  const kept = join(directory, 'store');
  mkdirSync(kept);
  const worker = new Worker(join(root, '.cache/workers/store.js'), { workerData: { directory: kept } });
  globalThis.__arcStore = worker;
  process.env.TEST_STORE_URI = await new Promise((resolve, reject) => {
    worker.once('message', (message) => (message.uri ? resolve(message.uri) : reject(new Error(message.error))));
    worker.once('error', reject);
  });
}
