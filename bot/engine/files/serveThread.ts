import { parentPort } from 'node:worker_threads';
import { FileError } from './fileError.ts';

export type ThreadProgress = { label: string; done: number; total: number };

/** A thread's messages: its progress, then its output or its error; null for an error without a text for people. */
export type ThreadReply =
  | { progress: ThreadProgress }
  | { output: unknown }
  | { error: { code: string; message: string } | null };

/** Does the jobs of a thread, each a message, one after the other: the entry point of a worker calls it. */
export function serveThread<Input, Output>(
  work: (input: Input, report: (progress: ThreadProgress) => void) => Output | Promise<Output>,
): void {
  const say = (reply: ThreadReply) => parentPort?.postMessage(reply);
  const answer = async (input: Input): Promise<ThreadReply> => ({
    output: await work(input, (progress) => say({ progress })),
  });
  const refuse = (error: unknown): ThreadReply => ({
    error: error instanceof FileError ? { code: error.code, message: error.message } : null,
  });
  parentPort?.on('message', (input: Input) => answer(input).catch(refuse).then(say));
}
