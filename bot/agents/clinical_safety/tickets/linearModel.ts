import type { Meaning } from './meaning.ts';

/** A logistic regression: a weight for each feature, by its name, and for each axis of a ticket's meaning. */
export type LinearModel<Name extends string> = { bias: number; weights: Record<Name, number>; meaning: number[] };

/** A model's likelihood, from 0 to 1. */
export function linearScore<Name extends string>(
  features: Record<Name, number>,
  meaning: Meaning,
  model: LinearModel<Name>,
): number {
  let sum = model.bias;
  for (const [name, weight] of Object.entries(model.weights) as [Name, number][]) sum += weight * features[name];
  for (const [axis, weight] of model.meaning.entries()) sum += weight * (meaning[axis] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}
