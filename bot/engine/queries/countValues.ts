import { keyOf } from './evaluate.ts';

export type Counted = { shown: string; count: number };

/** The values of rows in their order, as they are first written, with how many rows have each; blank ones left out. */
export function countValues(values: Iterable<string | null>): Counted[] {
  const counts = new Map<string, Counted>();
  for (const value of values) {
    const shown = value?.trim();
    if (!shown) continue;
    const counted = counts.get(keyOf(shown)) ?? { shown, count: 0 };
    counted.count += 1;
    counts.set(keyOf(shown), counted);
  }
  return [...counts.values()];
}

const MAX_QUOTED = 8;

/** "“Open” (3), “Closed” (1)", eight values at most. */
export function quoteCounts(counted: readonly Counted[]): string {
  const quoted = counted.slice(0, MAX_QUOTED).map(({ shown, count }) => `“${shown}” (${count})`);
  return `${quoted.join(', ')}${counted.length > MAX_QUOTED ? ' …' : ''}`;
}
