import { runInBackground } from '../../../models/background.ts';

/** How many turns are begun side by side: more would not end sooner, and would keep the next message from being stored. */
const MOST_PLACES = 8;
/** Storing one turn takes a few milliseconds; where it takes this long, fewer are worked on until it is faster again. */
const BUSY_MILLISECONDS = 40;
/** Who holds a place longer waits for something else than this process: a platform, a long analysis. */
const HELD_MILLISECONDS = 1000;
/** What is longer than this is left to the sweeper, which reads it from the store. */
const MOST_WAITING = 1000;

const waiting: (() => void)[] = [];
let places = MOST_PLACES;
let taken = 0;

function fill(): void {
  while (taken < places) {
    const begin = waiting.shift();
    if (!begin) return;
    taken += 1;
    setImmediate(begin);
  }
}

/** Told how long it took to store a turn: storing, which is acknowledged, goes before working. */
export function noteStored(milliseconds: number): void {
  places = milliseconds > BUSY_MILLISECONDS ? Math.max(1, places >> 1) : Math.min(MOST_PLACES, places + 1);
}

/**
 * Does work when there is a place for it, so that what arrives in a burst is acknowledged first and worked on after. A
 * place is given back when the work is done, or after a second.
 * @returns false where too much waits already: the work is not done
 */
export function whenThereIsPlace(work: () => Promise<void>): boolean {
  if (waiting.length >= MOST_WAITING) return false;
  waiting.push(() => {
    let held = true;
    const giveBack = () => {
      if (!held) return;
      held = false;
      taken -= 1;
      fill();
    };
    const timer = setTimeout(giveBack, HELD_MILLISECONDS);
    const done = work().finally(() => {
      clearTimeout(timer);
      giveBack();
    });
    runInBackground('work in a place', done);
  });
  fill();
  return true;
}
