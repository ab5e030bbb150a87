import { runInBackground } from '../../../models/background.ts';

/** Most turns handled concurrently: more would not finish sooner and would delay storing new messages. */
const MAX_SLOTS = 8;
/** Storing a turn takes a few milliseconds; where it takes this long, slots are reduced until it is faster again. */
const BUSY_MS = 40;
/** A slot is freed after this time: longer work waits for something else, e.g. a platform or a long analysis. */
const MAX_HOLD_MS = 1000;
/** Beyond this queue length turns are left to the sweeper, which reads them from the store. */
const MAX_WAITING = 1000;

const waiting: (() => void)[] = [];
let slots = MAX_SLOTS;
let taken = 0;

function fill(): void {
  while (taken < slots) {
    const begin = waiting.shift();
    if (!begin) return;
    taken += 1;
    setImmediate(begin);
  }
}

/** Adjusts the number of slots to the time that storing a turn took: storing goes before handling. */
export function adjustSlots(milliseconds: number): void {
  slots = milliseconds > BUSY_MS ? Math.max(1, slots >> 1) : Math.min(MAX_SLOTS, slots + 1);
}

/**
 * Runs work when a slot is free, so that a burst is stored and acknowledged first and handled afterwards. The slot is
 * freed when the work is done, or after a second.
 * @returns false where the queue is full; the work is then not run
 */
export function runWhenSlotFree(work: () => Promise<void>): boolean {
  if (waiting.length >= MAX_WAITING) return false;
  waiting.push(() => {
    let held = true;
    const release = () => {
      if (!held) return;
      held = false;
      taken -= 1;
      fill();
    };
    const timer = setTimeout(release, MAX_HOLD_MS);
    const done = work().finally(() => {
      clearTimeout(timer);
      release();
    });
    runInBackground('work in a slot', done);
  });
  fill();
  return true;
}
