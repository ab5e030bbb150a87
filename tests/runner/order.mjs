import { environmentOf, isAlone } from './kinds.mjs';

/** Expected duration of a file: its last one if known, else its size. */
const weightOf = ({ duration, context, path }) => duration ?? context.hasteFS?.getSize(path) ?? 1;

/**
 * Schedules test files, the longest first: those that need a process of their own, then those of one environment after
 * the other, so that as few processes as possible load the product. Files without an environment come last, because any
 * process can run them.
 */
export function deal(tests) {
  const waiting = tests.map((test) => ({
    test,
    environment: environmentOf(test.path),
    alone: isAlone(test.path),
    weight: weightOf(test),
  }));
  const open = new Map();

  /** The environment with most work left, preferring those that no process has yet. */
  function nextEnvironment() {
    const left = new Map();
    for (const { environment, weight } of waiting) left.set(environment, (left.get(environment) ?? 0) + weight);
    const rank = (name) => (name === 'plain' ? 2 : 0) + (open.get(name) ? 1 : 0);
    return [...left].sort(([one, more], [other, less]) => rank(one) - rank(other) || less - more)[0]?.[0];
  }

  /** The next file for a process with the given environment, or for a new process. */
  return function next(current) {
    const find = (fits) => {
      const at = waiting.findIndex(fits);
      return at < 0 ? undefined : waiting.splice(at, 1)[0];
    };
    const alone = current === undefined && find((one) => one.alone);
    if (alone) return alone;
    const same = find((one) => !one.alone && one.environment === current);
    if (same) return same;
    if (current !== undefined) open.set(current, (open.get(current) ?? 1) - 1);
    const environment = nextEnvironment();
    if (environment === undefined) return undefined;
    open.set(environment, (open.get(environment) ?? 0) + 1);
    return find((one) => one.environment === environment);
  };
}
