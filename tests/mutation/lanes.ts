import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EXTRA_FILES } from './checkout.ts';
import type { Project } from './project.ts';

type Answer = {
  testExecError?: { message: string };
  failureMessage: string | null;
  testResults: { status: string; fullName: string }[];
  memory: number;
};
type Lane = {
  pid: number;
  ended: Promise<unknown>;
  run(file: string, given: object): Promise<Answer>;
  close(): Promise<void>;
};
/** Why a run failed; `test` is the full name of the first failed test. */
export type Wrong = { how: 'failed' | 'hung' | 'ended'; title: string; test?: string };
/** How a mutant was noticed, and by which test file. */
export type Verdict = Wrong & { file: string };
export type Given = {
  milliseconds: number;
  /** The number of the active mutant; none if left out. */
  mutant?: number;
  /** The full names of the tests to run; all if left out. */
  only?: string[];
  endsAtFailure?: boolean;
  /** The file that records which mutants are reached. */
  notes?: string;
};
/** A process that runs test files. */
export type Opened = {
  isOpen: () => boolean;
  /** Test files that it has run. */
  runs: () => number;
  /** Bytes that it held after its last file. */
  memory: () => number;
  /** Runs a test file. @returns the failure or `null`; after a hang or a crash the process is closed */
  run(test: string, given: Given): Promise<Wrong | null>;
  /** Lets the process clean up, and ends it. */
  close(): Promise<void>;
  kill(): Promise<void>;
};

const TEST_TIMEOUT_MS = 30_000;
const MAX_CLOSE_MS = 5000;
const running = new Set<number>();

/** Kills a process and the processes that it started: each lane leads its own process group. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
process.once('exit', () => running.forEach(killGroup));

/** Waits for a promise, but not longer than this. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((done) => {
    timer = setTimeout(() => done('late'), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function wrongOf({ testExecError, failureMessage, testResults }: Answer): Wrong | null {
  const failed = testResults.find(({ status }) => status === 'failed')?.fullName;
  const title = failed ?? testExecError?.message ?? failureMessage;
  if (title) return { how: 'failed', title: title.trim().slice(0, 300), test: failed };
  const anyRan = testResults.some(({ status }) => status === 'passed');
  return anyRan ? null : { how: 'failed', title: 'No test was run.' };
}

/** Opens lanes in a copy of the checkout. */
export async function openLanes(project: Project, copy: string) {
  const { openLane } = await import(pathToFileURL(join(project.runner(copy), 'lane.mjs')).href);
  const { environmentOf, isAlone } = await import(pathToFileURL(join(project.runner(copy), 'kinds.mjs')).href);
  const settings = { setupFiles: project.setupFiles.map((file) => join(copy, file)), rootDir: copy };

  function open(environment: object = {}): Opened {
    const lane: Lane = openLane({ testTimeout: TEST_TIMEOUT_MS }, settings, {
      // Tests that measure time allow for the cost of the switches.
      environment: { SOURCES_SLOWER: '4', ...environment },
      watcher: join(copy, EXTRA_FILES.watcher),
      execArgv: ['--import', join(copy, EXTRA_FILES.plain), '--disable-warning=ExperimentalWarning'],
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    let isOpen = true;
    let runs = 0;
    let memory = 0;
    running.add(lane.pid);
    const ended = lane.ended.then(() => {
      isOpen = false;
      running.delete(lane.pid);
    });
    const kill = async () => {
      isOpen = false;
      killGroup(lane.pid);
      await ended;
    };
    return {
      isOpen: () => isOpen,
      runs: () => runs,
      memory: () => memory,
      async run(test, { milliseconds, ...given }) {
        try {
          runs += 1;
          const answer = await within(milliseconds, lane.run(join(copy, test), given));
          if (answer !== 'late') {
            memory = answer.memory;
            return wrongOf(answer);
          }
          await kill();
          return { how: 'hung', title: `It takes more than ${(milliseconds / 1000).toFixed(1)} s.` };
        } catch (error) {
          await kill();
          return { how: 'ended', title: (error as Error).message };
        }
      },
      async close() {
        isOpen = false;
        await within(
          MAX_CLOSE_MS,
          lane.close().catch(() => undefined),
        );
        await kill();
      },
      kill,
    };
  }

  return {
    open,
    /** The environment that a test file shares a process with, or none. */
    companyOf: (test: string): string =>
      isAlone(join(copy, test)) ? test : `environment ${environmentOf(join(copy, test))}`,
    isAlone: (test: string): boolean => isAlone(join(copy, test)),
  };
}
export type Lanes = Awaited<ReturnType<typeof openLanes>>;
