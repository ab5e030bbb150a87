// The worker thread that serves the store. Gets {directory, token?, gate?}; posts {uri, owner} or {error}, and {owner}
// when it takes the directory over, {failed} when that did not work and is tried again; the message 'close' ends it.
import { parentPort, workerData } from 'node:worker_threads';
import { hostStore } from './ownership/host.ts';
import { setWriteGate, type WriteGate } from './ownership/writeGate.ts';

const port = parentPort!;
const { gate, ...options } = workerData as { directory: string; token?: string; gate?: WriteGate };
setWriteGate(gate);

hostStore({
  ...options,
  onOwner: () => port.postMessage({ owner: true }),
  onFailure: ({ message }) => port.postMessage({ failed: message }),
}).then(
  (host) => {
    port.once('message', () => host.close().finally(() => process.exit(0)));
    port.postMessage({ uri: host.uri, owner: host.owner() });
  },
  (error: Error) => port.postMessage({ error: error.message }),
);
