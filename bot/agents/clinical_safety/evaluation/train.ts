import { rankKnowledge, ticketTerms } from '../tickets/knowledgeRanking.ts';
import type { LinearModel } from '../tickets/linearModel.ts';
import { meaningOf } from '../tickets/meaning.ts';
import { OFFICE_FEATURES, type OfficeFeatureName, type OfficeModel, officeFeatures } from '../tickets/officeWork.ts';
import type { RelevanceModel } from '../tickets/relevance.ts';
import { FEATURES, type FeatureName, relevanceFeatures } from '../tickets/relevanceFeatures.ts';
import type { LabelledTicket } from './labelled.ts';

const STEPS = 4000;
const RATE = 0.3;
/** Regularisation: keeps weights near zero, so that a small set is not memorised. */
const REGULARISATION = { relevance: 0.01, office: 0.003 };

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

/** Tickets of which a step takes as many at once, as a processor adds several sums in the time of one. */
const AT_ONCE = 4;

type Rows = {
  /** The signs and the meaning of the tickets, one after the other; empty tickets at the end make whole groups. */
  values: Float64Array;
  width: number;
  /** 1 for a ticket of the kind that is sought, 0 for any other. */
  targets: Float64Array;
  /** How much each ticket counts; nothing for an empty one. */
  shares: Float64Array;
};

function featuresOf({ summary, description }: LabelledTicket): Record<FeatureName | OfficeFeatureName, number> {
  const terms = ticketTerms(summary, description);
  return { ...relevanceFeatures(terms, rankKnowledge(terms), { summary, description }), ...officeFeatures(terms) };
}

function rowsOf(
  tickets: readonly LabelledTicket[],
  names: readonly (FeatureName | OfficeFeatureName)[],
  isTarget: (ticket: LabelledTicket) => boolean,
): Rows {
  const rows = tickets.map((ticket) => {
    const features = featuresOf(ticket);
    const meaning = meaningOf(`${ticket.summary}. ${ticket.description}`);
    return [...names.map((name) => features[name]), ...[...meaning].map((axis) => MEANING * axis)];
  });
  const width = rows[0]?.length ?? 0;
  const length = Math.ceil(rows.length / AT_ONCE) * AT_ONCE;
  const it = { values: new Float64Array(length * width), width };
  for (const [at, row] of rows.entries()) it.values.set(row, at * width);
  const positive = tickets.filter(isTarget).length;
  const shareOf = (target: boolean) => rows.length / (2 * (target ? positive : rows.length - positive));
  const [targets, shares] = [new Float64Array(length), new Float64Array(length)];
  targets.set(tickets.map((ticket) => Number(isTarget(ticket))));
  shares.set(tickets.map((ticket) => shareOf(isTarget(ticket))));
  return { ...it, targets, shares };
}

/** Logistic regression by gradient descent from zero: the same tickets always give the same weights. */
function regress<Name extends FeatureName | OfficeFeatureName>(
  tickets: readonly LabelledTicket[],
  names: readonly Name[],
  isTarget: (ticket: LabelledTicket) => boolean,
  regularisation: number,
): LinearModel<Name> {
  const { values, width, targets, shares } = rowsOf(tickets, names, isTarget);
  const weights = new Float64Array(width);
  const slope = new Float64Array(width);
  let bias = 0;
  const missOf = (row: number, sum: number) => (1 / (1 + Math.exp(-sum)) - targets[row]!) * shares[row]!;
  for (let step = 0; step < STEPS; step += 1) {
    slope.fill(0);
    let biasSlope = 0;
    for (let row = 0; row < targets.length; row += AT_ONCE) {
      const first = row * width;
      const [second, third, fourth] = [first + width, first + 2 * width, first + 3 * width];
      let [one, two, three, four] = [bias, bias, bias, bias];
      for (let at = 0; at < width; at += 1) {
        const weight = weights[at]!;
        one += values[first + at]! * weight;
        two += values[second + at]! * weight;
        three += values[third + at]! * weight;
        four += values[fourth + at]! * weight;
      }
      one = missOf(row, one);
      two = missOf(row + 1, two);
      three = missOf(row + 2, three);
      four = missOf(row + 3, four);
      // In the order of the tickets: in another one, the last digits of a sum differ.
      biasSlope = biasSlope + one + two + three + four;
      for (let at = 0; at < width; at += 1)
        slope[at] =
          slope[at]! +
          one * values[first + at]! +
          two * values[second + at]! +
          three * values[third + at]! +
          four * values[fourth + at]!;
    }
    bias -= (RATE * biasSlope) / tickets.length;
    for (let at = 0; at < width; at += 1)
      weights[at]! -= RATE * (slope[at]! / tickets.length + regularisation * weights[at]!);
  }
  const rounded = (value = 0) => Math.round(value * 1000) / 1000;
  const named = Object.fromEntries(names.map((name, at) => [name, rounded(weights[at])]));
  return {
    bias: rounded(bias),
    weights: named as Record<Name, number>,
    meaning: [...weights.subarray(names.length)].map((weight) => rounded(MEANING * weight)),
  };
}

/** Fits what tells tickets that concern safety from others. */
export function train(tickets: readonly LabelledTicket[]): RelevanceModel {
  const fitted = regress(tickets, FEATURES, ({ relevant }) => relevant, REGULARISATION.relevance);
  return { ...fitted, threshold: THRESHOLD, unsure: UNSURE };
}

/**
 * Fits what tells tickets of an office from all others.
 * @param tickets of products, relevant or not
 * @param office tickets in the words of an office; those that concern safety are none of an office
 */
export function trainOffice(tickets: readonly LabelledTicket[], office: readonly LabelledTicket[]): OfficeModel {
  const own = new Set(office.filter(({ relevant }) => !relevant));
  const names = [...FEATURES, ...OFFICE_FEATURES];
  return regress([...tickets, ...office], names, (ticket) => own.has(ticket), REGULARISATION.office);
}
