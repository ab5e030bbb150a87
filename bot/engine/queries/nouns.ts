import type { Nouns } from './entity.ts';

const OF_CONDITION = new Set(
  'no without with have has had lack lacks lacking missing than least most after before'.split(' '),
);

/** The nouns in a question that name what is asked for, by their place. */
const placesOf = (nouns: readonly string[], line: string) =>
  nouns.flatMap((noun) => {
    const at = ` ${line} `.indexOf(` ${noun} `);
    // "No controls" and "with tickets" are conditions on something else.
    // "Do we have valves" asks for them; "without any leaks" is a condition.
    const before = line
      .slice(0, Math.max(at, 0))
      .trim()
      .replace(/(?: |^)any$/, '');
    const isCondition =
      OF_CONDITION.has(before.split(' ').at(-1) ?? '') && !/\b(?:do|did) (?:we|you|i) have$/.test(before);
    return at < 0 || isCondition ? [] : [{ at, length: noun.length }];
  });

/** All nouns that name a kind of row. */
export const allNouns = ({ one, many, names = [] }: Nouns): string[] => [one, many, ...names];

/**
 * The one of several that a question names first; of two at one place, the one with the longer noun.
 * @returns null where it names none
 */
export function nearestOf<One>(
  all: readonly One[],
  line: string,
  nounsOf: (one: One) => readonly string[],
): One | null {
  const named = all.flatMap((one) => placesOf(nounsOf(one), line).map((place) => ({ one, ...place })));
  named.sort((one, other) => one.at - other.at || other.length - one.length);
  return named[0]?.one ?? null;
}
