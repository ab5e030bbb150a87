// The worker thread that serves the store. Gets {directory, token?}; posts {uri, owner} or {error}.
import { parentPort, workerData } from 'node:worker_threads';
import { backupStore, restoreStore } from './copies.ts';
import { hostStore } from './ownership/host.ts';

type Ask = { close?: true; backup?: string; restore?: string; id?: number };

const port = parentPort!;
const options = workerData as { directory: string; token?: string };

async function main(): Promise<void> {
  const host = await hostStore({ ...options, onOwner: () => port.postMessage({ owner: true }) });
  const answer = (id: number | undefined, work: Promise<void>) =>
    work.then(
      () => port.postMessage({ id, done: true }),
      (error: Error) => port.postMessage({ id, failed: error.message }),
    );
  port.on('message', (ask: Ask) => {
    if (ask.backup) answer(ask.id, backupStore(host, ask.backup));
    if (ask.restore) answer(ask.id, restoreStore(host, ask.restore));
    if (ask.close) host.close().finally(() => process.exit(0));
  });
  port.postMessage({ uri: host.uri, owner: host.owner() });
}

main().catch((error: Error) => port.postMessage({ error: error.message }));
