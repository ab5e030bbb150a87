import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { buildServer, buildWorkers } from '../build.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Builds the worker threads, and a server to kill, once, and starts one store for every test file; MONGODB_URI names a real server instead. */
export default async function globalSetup() {
  const server = join(root, '.cache/server');
  await Promise.all([
    buildWorkers(join(root, '.cache/workers')),
    buildWorkers(join(server, 'workers')),
    buildServer(server),
  ]);
  if (process.env.MONGODB_URI) {
    process.env.TEST_STORE_URI = process.env.MONGODB_URI;
    return;
  }
  const directory = mkdtempSync(join(tmpdir(), 'arc-tests-'));
  const worker = new Worker(join(root, '.cache/workers/store.js'), { workerData: { directory } });
  globalThis.__arcStore = { worker, directory };
  process.env.TEST_STORE_URI = await new Promise((resolve, reject) => {
    worker.once('message', (message) => (message.uri ? resolve(message.uri) : reject(new Error(message.error))));
    worker.once('error', reject);
  });
}
