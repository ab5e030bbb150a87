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

/** Shows a toast in the place of the one before: one at a time, five seconds unless told. */
export function showToast(toast: Omit<Toast, 'id' | 'milliseconds'> & { milliseconds?: number }): void {
  set({ milliseconds: LIMITS.toastMilliseconds, ...toast, id: next++ });
}

/** A toast for something that did not work. */
export function showFailure(title: string, message: string): void {
  showToast({ title, message, tone: 'error' });
}

/** Closes the toast. */
export function closeToast(): void {
  set(null);
}

/** For the toaster: the toast that is shown. */
export const toastStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  current: () => current,
};
