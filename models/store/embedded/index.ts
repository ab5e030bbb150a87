import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

export type EmbeddedStore = {
  /** A mongodb:// URI without database name; it stays the same when another process takes over. */
  uri: string;
  /** Whether this process serves the directory; otherwise it is a client of the process that does. */
  readonly owner: boolean;
  close(): Promise<void>;
  /** Writes a consistent copy to a file while the store is in use. */
  backup(file: string): Promise<void>;
  /** Replaces all data by a copy that `backup` wrote. */
  restore(file: string): Promise<void>;
};

type News = { uri?: string; owner?: boolean; error?: string; id?: number; done?: true; failed?: string };

const MAX_PAUSE = 5_000;

/**
 * Serves the store of a directory from a worker thread, or becomes a client of the process that already does. The
 * worker is started again when it ends unexpectedly. Throws when the store cannot be opened.
 */
export async function startEmbeddedStore(options: { directory: string; workerFile: string }): Promise<EmbeddedStore> {
  const token = randomBytes(8).toString('hex');
  const asked = new Map<number, (failed?: string) => void>();
  let owner = false;
  let closing = false;
  let crashes = 0;
  let nextId = 1;
  let worker: Worker;

  const start = (): Promise<string> => {
    worker = new Worker(options.workerFile, { workerData: { directory: options.directory, token } });
    const started = worker;
    const uri = new Promise<string>((resolve, reject) => {
      started.on('message', (news: News) => {
        if (news.owner !== undefined) owner = news.owner;
        if (news.uri) resolve(news.uri);
        if (news.error) reject(new Error(news.error));
        if (news.id !== undefined) asked.get(news.id)?.(news.failed);
      });
      started.on('error', reject);
      started.once('exit', (code) => reject(new Error(`the store's worker ended with ${code}`)));
    });
    uri.then(
      () => {
        crashes = 0;
        started.unref();
        started.once('exit', restart);
      },
      () => undefined,
    );
    return uri;
  };

  const restart = async (): Promise<void> => {
    for (const answer of asked.values()) answer('the store was started again');
    while (!closing) {
      await wait(Math.min(MAX_PAUSE, 50 * 2 ** crashes++), undefined, { ref: false });
      if (closing) return;
      const again = await start().then(
        () => true,
        () => false,
      );
      if (again) return;
    }
  };

  const ask = (what: { backup: string } | { restore: string }): Promise<void> =>
    new Promise((resolve, reject) => {
      const id = nextId++;
      asked.set(id, (failed) => {
        asked.delete(id);
        if (failed) reject(new Error(failed));
        else resolve();
      });
      worker.postMessage({ ...what, id });
    });

  const uri = await start();
  return {
    uri,
    get owner() {
      return owner;
    },
    close() {
      closing = true;
      return new Promise((resolve) => {
        worker.ref();
        worker.once('exit', () => resolve());
        worker.postMessage({ close: true });
      });
    },
    backup: (file) => ask({ backup: file }),
    restore: (file) => ask({ restore: file }),
  };
}
