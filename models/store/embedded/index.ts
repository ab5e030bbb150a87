import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { closeWriteGate, makeWriteGate } from './ownership/writeGate.ts';

type EmbeddedStore = {
  /** A mongodb:// URI without database name; it stays the same when another process takes over. */
  uri: string;
  /** Whether this process serves the directory; otherwise it is a client of the process that does. */
  readonly owner: boolean;
  close(): Promise<void>;
};

type News = { uri?: string; owner?: boolean; error?: string; failed?: string };

const MAX_PAUSE = 5_000;

/**
 * Serves the store of a directory from a worker thread, or becomes a client of the process that already does. The
 * worker is started again when it ends unexpectedly. Throws when the store cannot be opened.
 */
export async function startEmbeddedStore(options: {
  directory: string;
  workerFile: string;
  /** Called when taking the directory over from an ended process failed; it is retried. */
  onFailure?: (message: string) => void;
}): Promise<EmbeddedStore> {
  const token = randomBytes(8).toString('hex');
  let owner = false;
  let closing = false;
  let crashes = 0;
  let worker: Worker;
  let exited: Promise<void>;

  const start = async (): Promise<string> => {
    const gate = makeWriteGate();
    const started = new Worker(options.workerFile, { workerData: { directory: options.directory, token, gate } });
    const onExit = () => closeWriteGate(gate);
    process.once('exit', onExit);
    started.once('exit', () => process.off('exit', onExit));
    worker = started;
    exited = new Promise((resolve) => started.once('exit', () => resolve()));
    const uri = await new Promise<string>((resolve, reject) => {
      started.on('message', (news: News) => {
        if (news.owner !== undefined) owner = news.owner;
        if (news.uri) resolve(news.uri);
        if (news.error) reject(new Error(news.error));
        if (news.failed) options.onFailure?.(news.failed);
      });
      started.on('error', reject);
      started.once('exit', (code) => reject(new Error(`the store's worker ended with ${code}`)));
    });
    crashes = 0;
    started.unref();
    started.once('exit', restart);
    return uri;
  };

  const restart = async (): Promise<void> => {
    if (closing) return;
    await wait(Math.min(MAX_PAUSE, 50 * 2 ** crashes++), undefined, { ref: false });
    if (!closing) await start().catch(restart);
  };

  const uri = await start();
  return {
    uri,
    get owner() {
      return owner;
    },
    close() {
      closing = true;
      worker.ref();
      worker.postMessage('close');
      return exited;
    },
  };
}
