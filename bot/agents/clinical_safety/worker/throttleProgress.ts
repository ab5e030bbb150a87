import type { Progress } from './jobs.ts';

/** Between two messages of one step lie so many milliseconds; before the message that ends the step, fewer. */
export const PROGRESS_EVERY_MS = { during: 60, end: 30 };

/** Reports progress, without what comes too soon after the last message. The first message of a step always goes out. */
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
