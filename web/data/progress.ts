import type { RunProgress } from '../../models/contracts/chat.ts';

/*
 * Progress of running work from the socket. It arrives many times a second, so it is kept apart from the SWR cache:
 * changing a cached read during its request would discard the response.
 */
let runs: ReadonlyMap<string, RunProgress> = new Map();
const listeners = new Set<() => void>();

function set(next: ReadonlyMap<string, RunProgress>): void {
  runs = next;
  for (const listener of listeners) listener();
}

/** Keeps the newest state of a run. @returns whether the run is over */
export function showProgress(progress: RunProgress): boolean {
  set(new Map(runs).set(progress.runId, progress));
  return isOver(progress);
}

/** Forgets all progress: without the socket, reads are newer. */
export function forgetProgress(): void {
  if (runs.size > 0) set(new Map());
}

const isOver = (run: RunProgress) => ['completed', 'failed', 'cancelled'].includes(run.status);

/** The runs of a conversation that were read, updated with live progress; without runs that are over. */
export function withProgress(
  conversation: string,
  read: readonly RunProgress[],
  live: ReadonlyMap<string, RunProgress>,
): RunProgress[] {
  const newest = new Map(read.map((run) => [run.runId, run]));
  for (const run of live.values()) if (run.conversation === conversation) newest.set(run.runId, run);
  return [...newest.values()].filter((run) => !isOver(run));
}

/** For `useSyncExternalStore`: the current state. */
export const currentProgress = () => runs;

/** For `useSyncExternalStore`. @returns a function that unsubscribes */
export function subscribeToProgress(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
