import { parentPort, workerData } from 'node:worker_threads';
import { FileError } from './fileError.ts';

export type ThreadProgress = { label: string; done: number; total: number };

/** A thread's messages: its progress, then its output or its error; null for an error without a text for people. */
export type ThreadReply =
  | { progress: ThreadProgress }
  | { output: unknown }
  | { error: { code: string; message: string } | null };

/** Does the work of a thread, once: the entry point of a worker calls it. */
export async function serveThread<Input, Output>(
  work: (input: Input, report: (progress: ThreadProgress) => void) => Output | Promise<Output>,
): Promise<void> {
  const say = (reply: ThreadReply) => parentPort?.postMessage(reply);
  const reply = await Promise.resolve()
    .then(
      async (): Promise<ThreadReply> => ({
        output: await work(workerData as Input, (progress) => say({ progress })),
      }),
    )
    .catch(
      (error: unknown): ThreadReply => ({
        error: error instanceof FileError ? { code: error.code, message: error.message } : null,
      }),
    );
  say(reply);
}
