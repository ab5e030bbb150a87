/** The lowest score of a possible match. It never counts as covered: only a person or a link can confirm that. */
export const MATCH_THRESHOLD = 2.5;
/**
 * A possible match must score this much more than any other hazard that is not like it. A ticket about something that
 * the log does not have is about as near to several hazards; chosen on the products that were tuned with
 * (docs/evaluation.md).
 */
const MIN_LEAD = 1.5;
/** Most possible matches of a ticket. */
const MAX_POSSIBLE = 3;

/**
 * A hazard compared with a ticket, by its place in the log. `score` decides whether it is possible: by meaning, and by
 * words where it shares at least two. `nearness` also counts a single shared word: it orders hazards, but is too little
 * to call one possible.
 */
export type RankedMatch = { at: number; score: number; nearness: number };

export const toHundredths = (value: number): number => Math.round(value * 100) / 100;

/** The hazard that leads over all others by its score, with those that are like it; none where no hazard leads. */
export function choosePossible(
  ranked: readonly RankedMatch[],
  areAlike: (one: RankedMatch, other: RankedMatch) => boolean,
): RankedMatch[] {
  const [best, ...others] = [...ranked].sort((a, b) => b.score - a.score || a.at - b.at);
  if (!best || best.score < MATCH_THRESHOLD) return [];
  const rivals = others.filter(({ score }) => toHundredths(best.score - score) < MIN_LEAD);
  if (!rivals.every((rival) => areAlike(best, rival))) return [];
  return [best, ...rivals.filter(({ score }) => score >= MATCH_THRESHOLD)].slice(0, MAX_POSSIBLE);
}
