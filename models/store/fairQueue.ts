import { runInBackground } from '../background.ts';

/** A piece of work that waits for a free place in this process. */
type Task = {
  /** Work that waits or runs here already is not queued a second time. */
  key: string;
  accountId: number;
  /** Lower goes first, whatever the account. */
  lane: number;
  /** Tasks of one group run one after the other, in the order in which they were added; null: unordered. */
  group: string | null;
  /** Runs with no other task beside it, because it may end the process. */
  isAlone: boolean;
  run(): Promise<void>;
};
type Queued = Task & { done: Promise<void>; finish(): void };

/** How long a task runs alone: a longer one has not ended the process, and the others go on. */
const ALONE_MS = 1000;

/**
 * Runs tasks, at most so many at once. Accounts take turns, and one account has at most half of the places, so that one
 * that floods waits for itself.
 * @param most tasks at once in this process
 * @returns adds a task; the promise resolves once it has run. A task that throws ends like any other
 */
export function makeFairQueue(most: number): (task: Task) => Promise<void> {
  const mostOfAccount = Math.max(1, most >> 1);
  /** What waits, by account; the account whose turn it is comes first. */
  const waiting = new Map<number, Queued[]>();
  const known = new Map<string, Queued>();
  const running = new Set<Queued>();
  let alone: Queued | null = null;

  const canRun = (task: Queued) => {
    let ofAccount = 0;
    for (const other of running) {
      if (task.group !== null && other.group === task.group) return false;
      if (other.accountId === task.accountId) ofAccount += 1;
    }
    return ofAccount < mostOfAccount;
  };

  /** The first task of an account that may run now; of a group, only the one at its head. */
  function firstOf(tasks: readonly Queued[]): Queued | undefined {
    const passed = new Set<string>();
    let found: Queued | undefined;
    for (const task of tasks) {
      const isBehind = task.group !== null && passed.has(task.group);
      if (task.group !== null) passed.add(task.group);
      if (!isBehind && (!found || task.lane < found.lane) && canRun(task)) found = task;
    }
    return found;
  }

  function findNext(): Queued | undefined {
    let next: Queued | undefined;
    for (const tasks of waiting.values()) {
      const first = firstOf(tasks);
      if (first && (!next || first.lane < next.lane || (first.isAlone && !next.isAlone))) next = first;
    }
    return next;
  }

  function take(task: Queued): void {
    const left = (waiting.get(task.accountId) ?? []).filter((other) => other !== task);
    // Taken out and put back at the end: it is the next account's turn.
    waiting.delete(task.accountId);
    if (left.length > 0) waiting.set(task.accountId, left);
  }

  function fill(): void {
    while (!alone && running.size < most) {
      const next = findNext();
      if (!next || (next.isAlone && running.size > 0)) return;
      take(next);
      runInBackground('queued work', begin(next));
    }
  }

  async function begin(task: Queued): Promise<void> {
    running.add(task);
    const release = () => {
      if (alone !== task) return;
      alone = null;
      fill();
    };
    if (task.isAlone) alone = task;
    const timer = task.isAlone ? setTimeout(release, ALONE_MS) : undefined;
    try {
      await task.run();
    } catch {
      // Its own error: what it did wrong is logged where it is known.
    }
    clearTimeout(timer);
    running.delete(task);
    known.delete(task.key);
    if (alone === task) alone = null;
    task.finish();
    fill();
  }

  return (task) => {
    const standing = known.get(task.key);
    if (standing) return standing.done;
    let finish = () => {};
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const queued: Queued = { ...task, done, finish };
    known.set(task.key, queued);
    waiting.set(task.accountId, [...(waiting.get(task.accountId) ?? []), queued]);
    fill();
    return done;
  };
}
