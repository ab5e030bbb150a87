/** Milliseconds of the processor that the work below takes on a quiet machine of two cores at 2.5 GHz. */
const QUIET_MS = 100;
const STEPS = 300_000;

/**
 * How many times slower the processor is now than on a quiet machine, at least 1: processor time grows too where others
 * use the same cores. Bounds of processor time are raised by it.
 */
export function slownessNow(): number {
  const { user: before } = process.cpuUsage();
  let text = '';
  for (let step = 0; step < STEPS; step += 1) text = `${text.slice(-20)}${step}`.replace(/(\d)\1\1$/, '');
  return Math.max(1, (process.cpuUsage().user - before) / 1000 / QUIET_MS);
}
