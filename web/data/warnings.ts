import { codeOf, textOf } from './call.ts';

/** A change that the server warned of, while the person decides. */
type Warning = { text: string; goOn(): void; cancel(): void };

let waiting: Warning | null = null;
const listeners = new Set<() => void>();
function set(next: Warning | null): void {
  waiting = next;
  for (const listener of listeners) listener();
}

/**
 * Makes a change that the server may warn of. The warning is shown, and the change is made again with `confirm` where
 * the person goes on.
 * @param work the change
 * @returns false where the person does not go on: then nothing was changed
 */
export async function withWarning<Done>(work: (confirm: { confirm?: true }) => Promise<Done>): Promise<Done | false> {
  try {
    return await work({});
  } catch (error) {
    if (codeOf(error) !== 'few_signers') throw error;
    waiting?.cancel();
    const goesOn = await new Promise<boolean>((resolve) => {
      const close = (answer: boolean) => {
        set(null);
        resolve(answer);
      };
      set({ text: textOf(error, ''), goOn: () => close(true), cancel: () => close(false) });
    });
    return goesOn && work({ confirm: true });
  }
}

/** The warning that is shown, for `useSyncExternalStore`. */
export const warningStore = {
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  current: () => waiting,
};
