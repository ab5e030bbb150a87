import { parentPort, workerData } from 'node:worker_threads';
import { FileError } from './fileError.ts';

/** What a thread answers: its output, or why it has none; null for a fault that says nothing to people. */
export type ThreadReply = { output: unknown } | { error: { code: string; message: string } | null };

/** Does the work of a thread, once: the entry point of a worker calls it. */
export async function serveThread<Input, Output>(work: (input: Input) => Output): Promise<void> {
  const reply = await Promise.resolve()
    .then((): ThreadReply => ({ output: work(workerData as Input) }))
    .catch(
      (error: unknown): ThreadReply => ({
        error: error instanceof FileError ? { code: error.code, message: error.message } : null,
      }),
    );
  parentPort?.postMessage(reply);
}
