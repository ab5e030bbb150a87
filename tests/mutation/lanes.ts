import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ADDED } from './checkout.ts';
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
/** What was wrong with a run; `test` is the full name of the first test that failed. */
export type Wrong = { how: 'failed' | 'hung' | 'ended'; title: string; test?: string };
/** What noticed a mutant, in which test file. */
export type Verdict = Wrong & { file: string };
export type Given = {
  milliseconds: number;
  /** The number of the mutant that is on; none where it is left out. */
  mutant?: number;
  /** The full names of the tests to run; all where it is left out. */
  only?: string[];
  endsAtFailure?: boolean;
  /** The file for what is reached. */
  notes?: string;
};
/** A process that runs test files. */
export type Opened = {
  isOpen: () => boolean;
  /** Files that it has run. */
  runs: () => number;
  /** Bytes that it held after its last file. */
  memory: () => number;
  /** Runs a test file. @returns what was wrong, or null; what hung or ended the process has closed it */
  run(test: string, given: Given): Promise<Wrong | null>;
  /** Lets it clear up, and ends it. */
  close(): Promise<void>;
  kill(): Promise<void>;
};

const TEST_TIMEOUT = 30_000;
const CLOSING_MILLISECONDS = 5000;
const running = new Set<number>();

/** Ends a process with the processes that it started: each lane leads a group of its own. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
process.once('exit', () => running.forEach(killGroup));

/** The first of a promise and the end of a time. */
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
    const lane: Lane = openLane({ testTimeout: TEST_TIMEOUT }, settings, {
      // Tests that measure allow for the switches.
      environment: { SOURCES_SLOWER: '4', ...environment },
      watcher: join(copy, ADDED.watcher),
      execArgv: ['--import', join(copy, ADDED.plain), '--disable-warning=ExperimentalWarning'],
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
          CLOSING_MILLISECONDS,
          lane.close().catch(() => undefined),
        );
        await kill();
      },
      kill,
    };
  }

  return {
    open,
    /** What a test file shares a process with: an environment, or nothing else. */
    companyOf: (test: string): string =>
      isAlone(join(copy, test)) ? test : `environment ${environmentOf(join(copy, test))}`,
    isAlone: (test: string): boolean => isAlone(join(copy, test)),
  };
}
export type Lanes = Awaited<ReturnType<typeof openLanes>>;
