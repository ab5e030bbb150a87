import { BUCKETS, type Features } from './messageFeatures.ts';

/** A trained classifier as it is stored: one column per class, quantised. */
export type StoredWeights = {
  /** SHA-256 of the labelled messages and settings that it was trained with, in hex. */
  digest: string;
  classes: string[];
  /** Logits are divided by it, so that the probabilities are those found on messages kept for calibration. */
  temperature: number;
  bias: number[];
  /** Value of one step of each class's weights. */
  steps: number[];
  /** Signed bytes in base64: for each bucket, then each axis of meaning, one per class. */
  weights: string;
};

/** A classifier ready for use. */
type Classifier = Omit<StoredWeights, 'weights'> & { weights: Int8Array };

/** A class with its probability. */
export type Ranked = { name: string; probability: number };

/** Unpacks stored weights. @throws Error where they do not fit their classes */
export function openClassifier({ weights, ...stored }: StoredWeights): Classifier {
  const bytes = new Int8Array(Buffer.from(weights, 'base64'));
  const rows = bytes.length / stored.classes.length;
  if (!Number.isInteger(rows) || rows < BUCKETS) throw new Error('The weights do not fit the classes.');
  return { ...stored, weights: bytes };
}

/**
 * The probability of each class for a message, the likeliest first.
 * @param meaning further signs, one per axis
 */
export function classify(
  { classes, bias, steps, weights, temperature }: Classifier,
  features: Features,
  meaning: ArrayLike<number>,
): Ranked[] {
  const sums = new Float64Array(classes.length);
  const add = (row: number, value: number) => {
    const start = row * classes.length;
    for (let at = 0; at < sums.length; at += 1) sums[at] = sums[at]! + weights[start + at]! * value;
  };
  for (const [at, bucket] of features.buckets.entries()) add(bucket, features.values[at] ?? 0);
  for (let axis = 0; axis < meaning.length; axis += 1) add(BUCKETS + axis, meaning[axis] ?? 0);
  const logits = classes.map((_, at) => ((bias[at] ?? 0) + sums[at]! * (steps[at] ?? 0)) / temperature);
  const highest = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - highest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return classes
    .map((name, at) => ({ name, probability: powers[at]! / total }))
    .sort((one, other) => other.probability - one.probability);
}
