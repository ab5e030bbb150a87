import { parentPort, workerData } from 'node:worker_threads';
import { hostStore } from './host.ts';

const { directory } = workerData as { directory: string };
const port = parentPort!;

hostStore(directory).then(
  (host) => {
    port.on('message', async (message: { close?: true }) => {
      if (!message.close) return;
      await host.close();
      process.exit(0);
    });
    port.postMessage({ uri: host.uri });
  },
  (error: Error) => port.postMessage({ error: error.message }),
);
