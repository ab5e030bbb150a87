import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';

/** The worker as built by globalSetup. */
export const WORKER_FILE = join(process.cwd(), '.cache/workers/store.js');

export type Event = { kind: string; uri?: string; owner?: boolean; _id?: string; error?: string };

/** A process that serves a directory, or stands by for it. */
export type Serving = {
  process: ChildProcess;
  events: Event[];
  when(test: (event: Event) => boolean): Promise<Event>;
  kill(): Promise<void>;
  close(): Promise<void>;
};

const children = new Set<ChildProcess>();
const directories = new Set<string>();

/** A directory that is removed after the test file: in memory if there is room, unless specified. */
export function newDirectory(place = tmpdir()): string {
  const directory = mkdtempSync(join(place, 'arc-store-test-'));
  directories.add(directory);
  return directory;
}

/** Ends every process and removes every directory that a test file left. */
export function cleanUp(): void {
  for (const child of children) child.kill('SIGKILL');
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
}

export function startProcess(directory: string, mode = 'serve', seed = 1): Serving {
  const child = fork(join(process.cwd(), 'tests/store/child.mjs'), [WORKER_FILE, directory, mode, String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    execArgv: [],
  });
  children.add(child);
  const events: Event[] = [];
  const waiting = new Set<() => void>();
  const lines = createInterface({ input: child.stdout! });
  lines.on('line', (line) => {
    events.push(JSON.parse(line));
    for (const look of waiting) look();
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const drained = new Promise<void>((resolve) => lines.once('close', () => resolve()));
  return {
    process: child,
    events,
    when: (test) =>
      new Promise((resolve) => {
        const look = () => {
          const found = events.find(test);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    async kill() {
      child.kill('SIGKILL');
      await Promise.all([exited, drained]);
      children.delete(child);
    },
    async close() {
      child.send('close');
      await exited;
      children.delete(child);
    },
  };
}

/** Waits until a check holds, every 20 ms; the test's own timeout ends it. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Serves a directory from a worker thread of this process; resolves with its URI and a function to close it. */
export async function serveHere(directory: string): Promise<{ uri: string; close(): Promise<void> }> {
  const worker = new Worker(WORKER_FILE, { workerData: { directory } });
  const uri = await new Promise<string>((resolve, reject) => {
    worker.once('message', (message) => (message.uri ? resolve(message.uri) : reject(new Error(message.error))));
    worker.once('error', reject);
  });
  return {
    uri,
    close: () =>
      new Promise((resolve) => {
        worker.once('exit', () => resolve());
        worker.postMessage({ close: true });
      }),
  };
}
