/** The runner's own process does next to nothing, so a tick that is this late means that the machine stood still. */
const MIN_MS = 15_000;
const TICK_MS = 1000;

/**
 * Watches for moments in which the whole machine stood still, e.g. because its host paused it. Whatever a test waited
 * for then, it had no time to come.
 * @param now milliseconds of a clock that goes on while the machine stands still
 * @returns `check`, which is called by a timer; `since`: milliseconds of standstill that ended after a moment
 */
export function watchStandstill(now = () => performance.now()) {
  let last = now();
  const pauses = [];
  const check = () => {
    const at = now();
    if (at - last >= MIN_MS) pauses.push({ end: at, length: at - last });
    last = at;
  };
  const timer = setInterval(check, TICK_MS);
  timer.unref();
  return {
    check,
    since: (moment) => pauses.filter(({ end }) => end >= moment).reduce((sum, { length }) => sum + length, 0),
    stop: () => clearInterval(timer),
  };
}

/** Whether a file has to run once more: it did not pass, and the machine stood still meanwhile. */
export const isToRepeat = ({ numFailingTests, testExecError }, stoodStill) =>
  stoodStill > 0 && (numFailingTests > 0 || Boolean(testExecError));
