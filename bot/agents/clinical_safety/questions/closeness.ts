/**
 * What stands beside an option: that it is the closest of several. Scores are no figures for people: they compare words
 * within one analysis alone.
 * @param scores of all options of the row
 * @returns null for the others, and where two are equally close
 */
export const closenessOf = (score: number, scores: readonly number[]): string | null =>
  scores.length > 1 && scores.filter((other) => other >= score).length === 1 ? 'closest' : null;
