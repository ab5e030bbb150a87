/** A hazard of a made-up log: what a reader of the file finds in it. */
export type TrueHazard = {
  id: string;
  name: string;
  causes: string[];
  effect: string;
  severity: string;
  likelihood: string;
  risk: number;
  residualSeverity: string;
  residualLikelihood: string;
  residualRisk: number;
  controls: string;
};

/** A scale of ratings, each from the least to the most. */
export type TrueScale = {
  severities: readonly string[];
  likelihoods: readonly string[];
  riskOf(severity: number, likelihood: number): number;
};

const NHS: readonly (readonly number[])[] = [
  [1, 1, 2, 2, 3],
  [1, 2, 2, 3, 4],
  [2, 2, 3, 3, 4],
  [2, 3, 3, 4, 5],
  [3, 4, 4, 5, 5],
];
const NUMBERS = ['1', '2', '3', '4', '5'];

export const NHS_SCALE: TrueScale = {
  severities: ['Minor', 'Significant', 'Considerable', 'Major', 'Catastrophic'],
  likelihoods: ['Very low', 'Low', 'Medium', 'High', 'Very high'],
  riskOf: (severity, likelihood) => NHS[likelihood]?.[severity] ?? 0,
};
export const PRODUCT_SCALE: TrueScale = {
  severities: NUMBERS,
  likelihoods: NUMBERS,
  riskOf: (severity, likelihood) => (severity + 1) * (likelihood + 1),
};
/** A company's own matrix of numbers, which is no product. */
export const OWN_SCALE: TrueScale = {
  severities: NUMBERS,
  likelihoods: NUMBERS,
  riskOf: (severity, likelihood) => Math.min(4, 1 + Math.floor((severity + likelihood) / 2)),
};

/** Numbers from 0 to below 1 that are the same for the same seed (mulberry32). */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const WHAT = ['Result', 'Dose', 'Allergy', 'Letter', 'Referral', 'Alert', 'Patient record', 'Appointment'];
const HOW = ['is shown late', 'is lost', 'is that of another patient', 'is wrong', 'is shown twice', 'is hidden'];
const CAUSES = [
  'A queue is full',
  'A service is down',
  'Two clicks at once',
  'A message is out of order',
  'A field is cut off',
];
const EFFECTS = [
  'Treatment is delayed',
  'The wrong treatment is given',
  'A patient gets a wrong dose',
  'An illness is missed',
];
const CONTROLS = ['The page warns', 'The service retries', 'Two people check', 'Staff are trained'];

/**
 * The hazards of a log, all different, with risks as the scale gives them and residual ratings that are lower.
 * @param seed the same gives the same hazards
 */
export function makeTrueHazards(seed: number, count: number, scale: TrueScale): TrueHazard[] {
  const random = makeRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const names = WHAT.flatMap((what) => HOW.map((how) => `${what} ${how}`))
    .map((name) => ({ name, order: random() }))
    .sort((one, other) => one.order - other.order);
  return Array.from({ length: count }, (_, at) => {
    const severity = Math.floor(random() * 5);
    const likelihood = Math.floor(random() * 5);
    const lower = Math.floor(random() * (likelihood + 1));
    return {
      id: `HZ-${String(at + 1).padStart(2, '0')}`,
      name: names[at]?.name ?? `Hazard ${at + 1}`,
      causes: random() < 0.5 ? [pick(CAUSES)] : [...new Set([pick(CAUSES), pick(CAUSES)])],
      effect: pick(EFFECTS),
      severity: scale.severities[severity] ?? '',
      likelihood: scale.likelihoods[likelihood] ?? '',
      risk: scale.riskOf(severity, likelihood),
      residualSeverity: scale.severities[severity] ?? '',
      residualLikelihood: scale.likelihoods[lower] ?? '',
      residualRisk: scale.riskOf(severity, lower),
      controls: pick(CONTROLS),
    };
  });
}
