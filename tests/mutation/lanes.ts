import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Project } from './project.ts';

type Answer = {
  failedTest?: string;
  failureMessage?: string | null;
  numFailingTests?: number;
  testExecError?: { message: string };
  testResults?: unknown[];
};
type Lane = { pid: number; ended: Promise<unknown>; run(file: string): Promise<Answer> };
export type Verdict = { test: string; how: 'failed' | 'hung' | 'ended'; title: string };

const TEST_TIMEOUT = 30_000;
const running = new Set<number>();

/** Ends a process with the processes that it started: each lane leads a group of its own. */
function kill(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
process.once('exit', () => running.forEach(kill));

/** Opens lanes in a copy of the checkout. */
export async function openLanes(project: Project, copy: string) {
  const { openLane } = await import(pathToFileURL(join(project.runner(copy), 'lane.mjs')).href);
  const settings = { setupFiles: project.setupFiles.map((file) => join(copy, file)), rootDir: copy };

  /**
   * Runs one test file in a process of its own.
   * @returns what was wrong, or null; the caller says how long it may take
   */
  async function runFile(
    test: string,
    { environment, milliseconds, endsAtFailure }: { environment: object; milliseconds: number; endsAtFailure: boolean },
  ): Promise<Verdict | null> {
    const lane: Lane = openLane({ testTimeout: TEST_TIMEOUT }, settings, {
      environment,
      endsAtFailure,
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    running.add(lane.pid);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Answer>((_, fail) => {
      timer = setTimeout(() => fail(new Error('hung')), milliseconds);
    });
    try {
      const answer = await Promise.race([lane.run(join(copy, test)), late]);
      const title = answer.failedTest ?? answer.testExecError?.message ?? answer.failureMessage;
      if (title) return { test, how: 'failed', title: title.trim().slice(0, 300) };
      return answer.testResults?.length ? null : { test, how: 'failed', title: 'No test was declared.' };
    } catch (error) {
      const { message } = error as Error;
      return { test, how: message === 'hung' ? 'hung' : 'ended', title: message };
    } finally {
      clearTimeout(timer);
      kill(lane.pid);
      await lane.ended;
      running.delete(lane.pid);
    }
  }
  return { runFile };
}
export type Lanes = Awaited<ReturnType<typeof openLanes>>;

/** Does work for each item, some at once. */
export async function inLanes<T>(count: number, items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const lane = async () => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: count }, lane));
}
