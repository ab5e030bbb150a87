import type { Worker } from 'node:worker_threads';
import { runInBackground } from '../../../models/background.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { countEvent } from '../../../models/metrics.ts';
import { carriesOn } from '../../../models/store/carriesOn.ts';
import { startWorker, type WorkerName } from '../../../models/workers.ts';
import { onWorkers } from '../handover/handover.ts';
import { FileError } from './fileError.ts';
import type { ThreadProgress, ThreadReply } from './serveThread.ts';

/**
 * Concurrent threads, at most one for each company; time limit in milliseconds and memory in megabytes of each; and the
 * milliseconds for which one without work is kept, of which there are as many at most.
 */
const THREADS = { count: 2, milliseconds: 20_000, megabytes: 512, idleMilliseconds: 60_000 };

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

/** A thread without work: starting one takes longer than most jobs. */
type Idle = { name: WorkerName; worker: Worker; timer: NodeJS.Timeout };
/** Those that have waited longest come first. */
const idle: Idle[] = [];

/** Takes an idle thread out of the list, which then neither ends nor is given to another job. */
function leave(worker: Worker): void {
  const at = idle.findIndex((one) => one.worker === worker);
  if (at === -1) return;
  clearTimeout(idle[at]?.timer);
  idle.splice(at, 1);
}

function end(worker: Worker): void {
  leave(worker);
  runInBackground('the end of a thread', worker.terminate());
}

function startThread(name: WorkerName): Worker {
  const worker = startWorker(name, { resourceLimits: { maxOldGenerationSizeMb: THREADS.megabytes } });
  // One that fails while it is idle fails no job. Its exit follows.
  worker.on('error', () => undefined);
  worker.on('exit', () => leave(worker));
  return worker;
}

function takeThread(name: WorkerName): Worker {
  const worker = idle.find((one) => one.name === name)?.worker;
  if (!worker) return startThread(name);
  leave(worker);
  worker.ref();
  return worker;
}

function keepThread(name: WorkerName, worker: Worker): void {
  worker.unref();
  idle.push({ name, worker, timer: setTimeout(() => end(worker), THREADS.idleMilliseconds).unref() });
  if (idle.length > THREADS.count && idle[0]) end(idle[0].worker);
}

function answerOf<Output>(
  worker: Worker,
  { input, signal, onProgress }: Pick<Job, 'input' | 'signal' | 'onProgress'>,
  milliseconds: number,
): Promise<Output> {
  const ended = new AbortController();
  const answer = new Promise<Output>((resolve, reject) => {
    const timer = setTimeout(() => reject(tooSlow()), milliseconds);
    const stop = () => reject(cancelled());
    const fail = () => reject(failed());
    const hear = (reply: ThreadReply) => {
      if ('progress' in reply) return onProgress?.(reply.progress);
      if ('output' in reply) resolve(reply.output as Output);
      else reject(reply.error ? new FileError(reply.error.code, reply.error.message) : failed());
    };
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
    worker.on('message', hear).on('error', fail).on('exit', fail);
    ended.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      worker.off('message', hear).off('error', fail).off('exit', fail);
    });
    worker.postMessage(input);
  });
  return answer.finally(() => ended.abort());
}

type Job = {
  accountId: number;
  input: unknown;
  /** Ends the work, also while it waits for its turn. */
  signal?: AbortSignal;
  onProgress?: (progress: ThreadProgress) => void;
};

async function workIn<Output>(
  worker: Worker,
  name: WorkerName,
  job: Omit<Job, 'accountId'>,
  milliseconds: number,
): Promise<Output> {
  try {
    const output = await answerOf<Output>(worker, job, milliseconds);
    keepThread(name, worker);
    return output;
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

/** What a thread is given in another process; progress and the signal stay here. */
type HandedJob = { name: WorkerName; input: unknown; milliseconds: number };

/** Time that a job of a web process may wait for its turn. */
const MAX_TURN_MS = 30_000;

const handToWorker = onWorkers<HandedJob, unknown>({
  name: 'thread',
  waitMs: ({ milliseconds }) => milliseconds + MAX_TURN_MS,
  run: ({ name, input, milliseconds }, accountId) => runHere(name, { accountId: accountId ?? 0, input }, milliseconds),
  own: {
    is: (error) => error instanceof FileError,
    make: (code, message) => new FileError(code, message),
  },
});

/**
 * Works on a document in a thread that has no other work, so that a hostile document does not hold up others. A thread
 * whose work came to an end is given the next document of its kind; any other is ended. Companies take turns. For a web
 * process a worker does it, without progress.
 * @param milliseconds after which the work is stopped
 * @throws FileError as the work throws it; too_slow, unreadable; AppError cancelled, by the signal, and
 *   workers_unavailable
 */
export async function runInThread<Output>(
  name: WorkerName,
  job: Job,
  milliseconds = THREADS.milliseconds,
): Promise<Output> {
  if (carriesOn) return runHere<Output>(name, job, milliseconds);
  const { accountId, input, signal } = job;
  return (await handToWorker({ name, input, milliseconds }, accountId, signal)) as Output;
}

async function runHere<Output>(name: WorkerName, { accountId, ...job }: Job, milliseconds: number): Promise<Output> {
  countEvent('document_jobs', [name]);
  await takeTurn(accountId, job.signal);
  try {
    return await workIn(takeThread(name), name, job, milliseconds);
  } finally {
    running.delete(accountId);
    startNext();
  }
}
