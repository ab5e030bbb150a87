import { useState } from 'react';
import { plainTextOf } from './call.ts';
import { showFailure } from './toasts.ts';

/**
 * Runs changes that may fail, with a notice that says why.
 * @returns whether one is running, and the function that runs one
 */
export function useAttempt(): [busy: boolean, attempt: (work: () => Promise<unknown>) => Promise<void>] {
  const [busy, setBusy] = useState(false);
  const attempt = async (work: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      showFailure('Not changed', plainTextOf(error, 'Nothing was changed. Please try again.'));
    }
    setBusy(false);
  };
  return [busy, attempt];
}
