import { dirname } from 'node:path';

/** Seconds that a file of tests takes for which no run has been measured yet. */
const UNKNOWN = 4;

/** How near a file of tests is to what changed: itself changed, of a room where the product changed, another. */
function distanceOf(test: string, changed: readonly string[]): number {
  if (changed.includes(test)) return 0;
  const room = dirname(test).replace(/^tests\//, '');
  const sources = changed.filter((path) => !path.startsWith('tests/'));
  return sources.some((path) => dirname(path) === room || dirname(path).endsWith(`/${room}`)) ? 1 : 2;
}

/**
 * Which related tests to run before a push: the nearest to the change first, of those the shortest, until the time is
 * used up.
 * @param related files of tests that the change can reach, from the root
 * @param changed every file that changed, from the root
 * @param seconds what each file took when it was last run
 * @param budget seconds of work, of all lanes together
 */
export function chooseTests(
  related: readonly string[],
  changed: readonly string[],
  seconds: Readonly<Record<string, number>>,
  budget: number,
): { run: string[]; left: string[] } {
  const takes = (test: string) => seconds[test] ?? UNKNOWN;
  const sorted = [...related].sort(
    (one, other) =>
      distanceOf(one, changed) - distanceOf(other, changed) || takes(one) - takes(other) || one.localeCompare(other),
  );
  const run: string[] = [];
  const left: string[] = [];
  let used = 0;
  for (const test of sorted) {
    const fits = used + takes(test) <= budget;
    (fits ? run : left).push(test);
    if (fits) used += takes(test);
  }
  return { run, left };
}
