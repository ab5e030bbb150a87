/** A row of the bench's table. */
export type BenchRow = { name: string; value: string; limit: string; ok: boolean };

/** The value below which a share of the sample lies, e.g. 0.95. */
export function percentile(sample: readonly number[], share: number): number {
  const sorted = [...sample].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
