import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import { type Keeper, makeKeeper } from './keeper.ts';

const keepers = new Map<number, Keeper>();
const listeners = new Set<() => void>();
const notify = () => {
  for (const listener of listeners) listener();
};

/** The keeper of a review's decisions: one per question until the page is reloaded. */
export function keeperOf(interrupt: Interrupt): Keeper {
  const standing = keepers.get(interrupt.id);
  if (standing) return standing;
  const made = makeKeeper(interrupt, notify);
  keepers.set(interrupt.id, made);
  return made;
}

/** For `useSyncExternalStore`: calls back on any change in any review. */
export function onReviews(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Number of decisions in all reviews that could not be sent yet. */
export function countWaiting(): number {
  let sum = 0;
  for (const keeper of keepers.values()) {
    const { trouble, unsent } = keeper.current();
    if (trouble) sum += unsent;
  }
  return sum;
}

/** Whether some decisions are unsent because the server can't be reached. */
export function isAnyOffline(): boolean {
  return [...keepers.values()].some((keeper) => keeper.current().trouble === 'offline');
}

let shownReviews = 0;

/** Whether a review is shown, whose own bar says what waits. */
export const isReviewShown = (): boolean => shownReviews > 0;

/** Notes that a review is shown. @returns a function that notes that it is no longer */
export function noteReviewShown(): () => void {
  shownReviews += 1;
  notify();
  return () => {
    shownReviews -= 1;
    notify();
  };
}

/** Whether every unsent decision outlives a reload. */
export function areAllOnDevice(): boolean {
  return [...keepers.values()].every((keeper) => keeper.current().isOnDevice);
}

/** Sends all unsent decisions now. */
export function retryAll(): void {
  for (const keeper of keepers.values()) if (keeper.current().unsent > 0) void keeper.save();
}

function warn(event: BeforeUnloadEvent): void {
  if (countWaiting() > 0) event.preventDefault();
}

function leaveAll(): void {
  for (const keeper of keepers.values()) keeper.leave();
}

window.addEventListener('online', retryAll);
window.addEventListener('beforeunload', warn);
window.addEventListener('pagehide', leaveAll);
