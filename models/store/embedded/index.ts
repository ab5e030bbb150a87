import { Worker } from 'node:worker_threads';

export type EmbeddedStore = {
  /** A mongodb:// URI without database name. */
  uri: string;
  /** This process serves the directory; otherwise it is a client of the process that does. */
  owner: boolean;
  close(): Promise<void>;
  backup(file: string): Promise<void>;
};

export async function startEmbeddedStore(options: { directory: string; workerFile: string }): Promise<EmbeddedStore> {
  const worker = new Worker(options.workerFile, { workerData: { directory: options.directory } });
  const uri = await new Promise<string>((resolve, reject) => {
    worker.once('message', (message: { uri?: string; error?: string }) =>
      message.uri ? resolve(message.uri) : reject(new Error(message.error)),
    );
    worker.once('error', reject);
  });
  return {
    uri,
    owner: true,
    close: () =>
      new Promise((resolve) => {
        worker.once('exit', () => resolve());
        worker.postMessage({ close: true });
      }),
    backup: async () => {
      throw new Error('not yet');
    },
  };
}
