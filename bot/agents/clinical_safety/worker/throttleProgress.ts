import type { Progress } from './jobs.ts';

/** The least time between two messages of a step: `end` applies to the message that ends the step. */
export const PROGRESS_EVERY_MS = { during: 60, end: 30 };

/**
 * Reports progress, but drops messages that follow the last one too soon. The first message of a step is always sent.
 */
export function throttleProgress(
  send: (progress: Progress) => void,
  now: () => number = () => performance.now(),
): (progress: Progress) => void {
  let last: { step: string; at: number } | null = null;
  return (progress) => {
    const at = now();
    const every = progress.done < progress.total ? PROGRESS_EVERY_MS.during : PROGRESS_EVERY_MS.end;
    if (last?.step === progress.step && at - last.at < every) return;
    last = { step: progress.step, at };
    send(progress);
  };
}
