import { LIMITS } from '../../models/contracts/limits.ts';

export type Toast = {
  id: number;
  title: string;
  message?: string;
  tone: 'plain' | 'done' | 'error' | 'waiting';
  action?: { label: string; run: () => void };
  milliseconds: number;
};

let current: Toast | null = null;
let next = 1;
const listeners = new Set<() => void>();

function set(toast: Toast | null): void {
  current = toast;
  for (const listener of listeners) listener();
}

/** Shows a toast and replaces the current one; five seconds unless told otherwise. */
export function showToast(toast: Omit<Toast, 'id' | 'milliseconds'> & { milliseconds?: number }): void {
  set({ milliseconds: LIMITS.toastMilliseconds, ...toast, id: next++ });
}

/** Shows a toast about a failure. */
export function showFailure(title: string, message: string): void {
  showToast({ title, message, tone: 'error' });
}

/** Closes the toast. */
export function closeToast(): void {
  set(null);
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
