import { environmentOf, isAlone } from './kinds.mjs';

/** What a file is expected to take: what it took last, else by its size. */
const weightOf = ({ duration, context, path }) => duration ?? context.hasteFS?.getSize(path) ?? 1;

/**
 * Deals out test files, the longest first: those that need a process to themselves, then those of one environment after
 * the other, so that as few processes as possible load the product. What needs no environment comes last, when any
 * process can take it.
 */
export function deal(tests) {
  const waiting = tests.map((test) => ({
    test,
    environment: environmentOf(test.path),
    alone: isAlone(test.path),
    weight: weightOf(test),
  }));
  const open = new Map();

  /** The environment with most left to do, first among those that no process has. */
  function nextEnvironment() {
    const left = new Map();
    for (const { environment, weight } of waiting) left.set(environment, (left.get(environment) ?? 0) + weight);
    const rank = (name) => (name === 'plain' ? 2 : 0) + (open.get(name) ? 1 : 0);
    return [...left].sort(([one, more], [other, less]) => rank(one) - rank(other) || less - more)[0]?.[0];
  }

  /** The next file for a process of an environment, or for none. */
  return function next(standing) {
    const find = (fits) => {
      const at = waiting.findIndex(fits);
      return at < 0 ? undefined : waiting.splice(at, 1)[0];
    };
    const alone = standing === undefined && find((one) => one.alone);
    if (alone) return alone;
    const same = find((one) => !one.alone && one.environment === standing);
    if (same) return same;
    if (standing !== undefined) open.set(standing, (open.get(standing) ?? 1) - 1);
    const environment = nextEnvironment();
    if (environment === undefined) return undefined;
    open.set(environment, (open.get(environment) ?? 0) + 1);
    return find((one) => one.environment === environment);
  };
}
