import { rankKnowledge, ticketTerms } from '../tickets/knowledgeRanking.ts';
import { meaningOf } from '../tickets/meaning.ts';
import type { RelevanceModel } from '../tickets/relevance.ts';
import { FEATURES, type FeatureName, relevanceFeatures } from '../tickets/relevanceFeatures.ts';
import type { LabelledTicket } from './labelled.ts';

const STEPS = 4000;
const RATE = 0.3;
/** Regularisation: keeps weights near zero, so that a small set is not memorised. */
const REGULARISATION = 0.01;

/** What a ticket is about, beside its signs: an axis of its meaning is small, and would be regularised away. */
const MEANING = 2;

/**
 * Missing a relevant ticket hides a risk, so the threshold is low. Chosen by scoring each product with the weights of
 * the others (docs/evaluation.md): from 0.35 to 0.40 every set keeps its bars. A quantile of the training set itself
 * moved between 0.35 and 0.45 with each set that was added.
 */
const THRESHOLD = 0.37;
/** A ticket below the threshold is listed as unsure down to this score. */
const UNSURE = 0.2;

/** Logistic regression by gradient descent from zero: the same tickets always give the same weights. */
export function train(tickets: readonly LabelledTicket[]): RelevanceModel {
  const rows = tickets.map(({ summary, description, relevant }) => {
    const terms = ticketTerms(summary, description);
    const features = relevanceFeatures(terms, rankKnowledge(terms), { summary, description });
    const meaning = meaningOf(`${summary}. ${description}`);
    return {
      values: Float64Array.of(...FEATURES.map((name) => features[name]), ...[...meaning].map((axis) => MEANING * axis)),
      target: relevant ? 1 : 0,
    };
  });
  const positive = rows.filter(({ target }) => target === 1).length;
  const shares = { 1: rows.length / (2 * positive), 0: rows.length / (2 * (rows.length - positive)) };
  const weights = new Float64Array(rows[0]?.values.length ?? 0);
  const slope = new Float64Array(weights.length);
  let bias = 0;
  const scoreOf = (values: Float64Array) => {
    let sum = bias;
    for (let at = 0; at < weights.length; at += 1) sum += values[at]! * weights[at]!;
    return 1 / (1 + Math.exp(-sum));
  };
  for (let step = 0; step < STEPS; step += 1) {
    slope.fill(0);
    let biasSlope = 0;
    for (const { values, target } of rows) {
      const miss = (scoreOf(values) - target) * (target === 1 ? shares[1] : shares[0]);
      biasSlope += miss;
      for (let at = 0; at < weights.length; at += 1) slope[at]! += miss * values[at]!;
    }
    bias -= (RATE * biasSlope) / rows.length;
    for (let at = 0; at < weights.length; at += 1)
      weights[at]! -= RATE * (slope[at]! / rows.length + REGULARISATION * weights[at]!);
  }
  const rounded = (value = 0) => Math.round(value * 1000) / 1000;
  const named = Object.fromEntries(FEATURES.map((name, at) => [name, rounded(weights[at])]));
  return {
    bias: rounded(bias),
    weights: named as Record<FeatureName, number>,
    meaning: [...weights.subarray(FEATURES.length)].map((weight) => rounded(MEANING * weight)),
    threshold: THRESHOLD,
    unsure: UNSURE,
  };
}
