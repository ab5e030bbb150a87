import type { RunProgress } from '../../models/contracts/chat.ts';

/*
 * What the live line says about work that goes on. It comes many times a second, so it is kept beside the reads: a
 * change of a read while it is under way would throw its answer away.
 */
let runs: ReadonlyMap<string, RunProgress> = new Map();
const listeners = new Set<() => void>();

function set(next: ReadonlyMap<string, RunProgress>): void {
  runs = next;
  for (const listener of listeners) listener();
}

/** Keeps the newest state of a piece of work. Tells whether it is over. */
export function showProgress(progress: RunProgress): boolean {
  set(new Map(runs).set(progress.runId, progress));
  return isOver(progress);
}

/** Forgets all of it: the line is down, and what is read is newer. */
export function forgetProgress(): void {
  if (runs.size > 0) set(new Map());
}

const isOver = (run: RunProgress) => ['completed', 'failed', 'cancelled'].includes(run.status);

/** The work that was read, each piece as the live line last told it; what is over is left out. */
export function withProgress(read: readonly RunProgress[], live: ReadonlyMap<string, RunProgress>): RunProgress[] {
  const newest = new Map(read.map((run) => [run.runId, run]));
  for (const run of live.values()) newest.set(run.runId, run);
  return [...newest.values()].filter((run) => !isOver(run));
}

/** For React: the state as it stands. */
export const currentProgress = () => runs;

/** For React: told of every change; gives back how to stop. */
export function subscribeToProgress(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
