import { LIMITS } from '../../models/contracts/limits.ts';

export type Toast = {
  id: number;
  title: string;
  message?: string;
  /** `waiting` is an announcement that nobody here asked for; every other tone answers what the person just did. */
  tone: 'plain' | 'done' | 'error' | 'waiting';
  /** The interrupt that an announcement speaks of. */
  interruptId?: number;
  action?: { label: string; run: () => void };
  milliseconds: number;
};

let current: Toast | null = null;
/** The newest announcement that arrived while the person was being answered. */
let held: Toast | null = null;
let next = 1;
const listeners = new Set<() => void>();

function set(toast: Toast | null): void {
  current = toast;
  for (const listener of listeners) listener();
}

/**
 * Shows a toast and replaces the current one; five seconds unless told otherwise. An announcement does not push away
 * the answer to what a person just did: it is shown when that one closes.
 */
export function showToast(toast: Omit<Toast, 'id' | 'milliseconds'> & { milliseconds?: number }): void {
  const shown: Toast = { milliseconds: LIMITS.toastMilliseconds, ...toast, id: next++ };
  if (shown.tone === 'waiting' && current && current.tone !== 'waiting') held = shown;
  else set(shown);
}

/** Shows a toast about a failure. */
export function showFailure(title: string, message: string): void {
  showToast({ title, message, tone: 'error' });
}

/** Closes the toast, and shows the announcement that waited for it. */
export function closeToast(): void {
  const waited = held;
  held = null;
  set(waited);
}

/** Takes back the announcement of a question that is answered. */
export function withdrawToast(interruptId: number): void {
  if (held?.interruptId === interruptId) held = null;
  if (current?.interruptId === interruptId) closeToast();
}

/** The current toast, for `useSyncExternalStore`. */
export const toastStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  current: () => current,
};
