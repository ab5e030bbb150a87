import { dirname } from 'node:path';

/** Assumed seconds of a test file that was never measured. */
const DEFAULT_SECONDS = 4;

/** How close a test file is to the change: 0 if it changed itself, 1 if the product changed in its room, else 2. */
function distanceOf(test: string, changed: readonly string[]): number {
  if (changed.includes(test)) return 0;
  const room = dirname(test).replace(/^tests\//, '');
  const sources = changed.filter((path) => !path.startsWith('tests/'));
  return sources.some((path) => dirname(path) === room || dirname(path).endsWith(`/${room}`)) ? 1 : 2;
}

/**
 * Chooses which related tests to run before a push: the nearest to the change first, the shortest among those, until
 * the time is used up.
 * @param related test files that the change can affect, from the root
 * @param changed every changed file, from the root
 * @param seconds duration of each file's last run
 * @param budget seconds of work over all lanes
 */
export function chooseTests(
  related: readonly string[],
  changed: readonly string[],
  seconds: Readonly<Record<string, number>>,
  budget: number,
): { run: string[]; left: string[] } {
  const takes = (test: string) => seconds[test] ?? DEFAULT_SECONDS;
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
