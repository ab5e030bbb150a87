import type { Worker } from 'node:worker_threads';
import { AppError } from '../../../models/contracts/errors.ts';
import { startWorker, type WorkerName } from '../../../models/workers.ts';
import { FileError } from './fileError.ts';
import type { ThreadProgress, ThreadReply } from './serveThread.ts';

/** Concurrent threads, at most one for each company; time limit in milliseconds and memory in megabytes of each. */
const THREADS = { count: 2, milliseconds: 20_000, megabytes: 512 };

const running = new Set<number>();
const waiting: { accountId: number; start: () => void }[] = [];

function startNext(): void {
  while (running.size < THREADS.count) {
    const at = waiting.findIndex(({ accountId }) => !running.has(accountId));
    const [next] = at === -1 ? [] : waiting.splice(at, 1);
    if (!next) return;
    running.add(next.accountId);
    next.start();
  }
}

const cancelled = () => new AppError('cancelled');

function takeTurn(accountId: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.reject(cancelled());
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiting.splice(waiting.indexOf(place), 1);
      reject(cancelled());
    };
    const place = {
      accountId,
      start() {
        signal?.removeEventListener('abort', leave);
        resolve();
      },
    };
    signal?.addEventListener('abort', leave);
    waiting.push(place);
    startNext();
  });
}

const tooSlow = () =>
  new FileError('too_slow', 'This took too long and was stopped. Split the document and send the parts.');
const failed = () =>
  new FileError('unreadable', 'This document can’t be processed. Save it again, or split it, and send it once more.');

function answerOf<Output>(
  worker: Worker,
  { signal, onProgress }: Pick<Job, 'signal' | 'onProgress'>,
  milliseconds: number,
): Promise<Output> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(tooSlow()), milliseconds);
    const stop = () => reject(cancelled());
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
    worker.on('message', (reply: ThreadReply) => {
      if ('progress' in reply) return onProgress?.(reply.progress);
      clearTimeout(timer);
      if ('output' in reply) resolve(reply.output as Output);
      else reject(reply.error ? new FileError(reply.error.code, reply.error.message) : failed());
    });
    for (const event of ['error', 'exit'])
      worker.on(event, () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
        reject(failed());
      });
  });
}

type Job = {
  accountId: number;
  input: unknown;
  /** Ends the work, also while it waits for its turn. */
  signal?: AbortSignal;
  onProgress?: (progress: ThreadProgress) => void;
};

/**
 * Works on a document in a thread of its own, so that a hostile document does not hold up others. Companies take turns.
 * @param milliseconds after which the work is stopped
 * @throws FileError as the work throws it; too_slow, unreadable; AppError cancelled, by the signal
 */
export async function runInThread<Output>(
  name: WorkerName,
  { accountId, input, ...job }: Job,
  milliseconds = THREADS.milliseconds,
): Promise<Output> {
  await takeTurn(accountId, job.signal);
  try {
    const worker = startWorker(name, {
      workerData: input,
      resourceLimits: { maxOldGenerationSizeMb: THREADS.megabytes },
    });
    return await answerOf<Output>(worker, job, milliseconds).finally(() => worker.terminate());
  } finally {
    running.delete(accountId);
    startNext();
  }
}
