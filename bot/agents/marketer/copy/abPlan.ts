/** What a test of two variants needs. */
export type TestPlan = {
  /** Visitors for each variant; null where the baseline or the difference was not given, or they leave no room. */
  visitors: number | null;
  baseline: number | null;
  difference: number | null;
};

/** Two-sided error of 5% and power of 80%. */
const Z = 1.959964 + 0.841621;

/**
 * Visitors that each variant needs, by the usual formula for two shares.
 * @param baseline the share that does it today, from 0 to 1
 * @param difference the smallest difference worth finding, as a share
 */
export function planTest(baseline: number | null, difference: number | null): TestPlan {
  const raised = (baseline ?? 0) + (difference ?? 0);
  if (baseline === null || difference === null || raised >= 1) return { visitors: null, baseline, difference };
  const spread = baseline * (1 - baseline) + raised * (1 - raised);
  return { visitors: Math.ceil((Z ** 2 * spread) / difference ** 2), baseline, difference };
}
