import { type RelevanceModel, scoreTicket } from '../tickets/relevance.ts';
import { hasSureKind } from '../tickets/sureness.ts';
import type { LabelledTicket } from './labelled.ts';

/** Counts of tickets. */
type Counts = {
  tickets: number;
  /** Relevant by label and by score. */
  found: number;
  /** Tickets with a knowledge-base entry; those with one of theirs in the first place, and among the first three. */
  labelled: number;
  firstOf: number;
  firstThreeOf: number;
  unsure: number;
  /** Tickets called relevant whose nearest entry is sure enough to be proposed alone; those that readers agree with. */
  sure: number;
  sureAndRight: number;
  /** "CHT-904 (0.175)": relevant and not found, and found and not relevant. */
  missed: string[];
  wrong: string[];
};

/** The counts and their shares, from 0 to 1. */
export type Figures = Counts & {
  precision: number;
  recall: number;
  first: number;
  firstThree: number;
  sureRight: number;
};

const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole);

function withShares(counts: Counts): Figures {
  const { found, missed, wrong, labelled, firstOf, firstThreeOf, sure, sureAndRight } = counts;
  return {
    ...counts,
    precision: share(found, found + wrong.length),
    recall: share(found, found + missed.length),
    first: share(firstOf, labelled),
    firstThree: share(firstThreeOf, labelled),
    sureRight: share(sureAndRight, sure),
  };
}

/** Precision and recall of "relevant", and how often a labelled knowledge-base entry is among the first three. */
export function measure(tickets: readonly LabelledTicket[], model?: RelevanceModel): Figures {
  const counts: Counts = {
    ...{ tickets: tickets.length, found: 0, labelled: 0, firstOf: 0, firstThreeOf: 0 },
    ...{ unsure: 0, sure: 0, sureAndRight: 0, missed: [], wrong: [] },
  };
  for (const ticket of tickets) {
    const scored = scoreTicket(ticket, model);
    const { relevance, ranking, score } = scored;
    if (relevance === 'unsure') counts.unsure += 1;
    if (relevance === 'relevant' && ticket.relevant) counts.found += 1;
    else if (relevance === 'relevant') counts.wrong.push(`${ticket.key} (${score})`);
    else if (ticket.relevant) counts.missed.push(`${ticket.key} (${score})`);
    if (relevance === 'relevant' && hasSureKind(scored)) {
      counts.sure += 1;
      if (ticket.kbIds.includes(ranking.top[0]?.entry.id ?? '')) counts.sureAndRight += 1;
    }
    if (ticket.kbIds.length === 0) continue;
    counts.labelled += 1;
    const at = ranking.top.findIndex(({ entry }) => ticket.kbIds.includes(entry.id));
    if (at === 0) counts.firstOf += 1;
    if (at >= 0 && at < 3) counts.firstThreeOf += 1;
  }
  return withShares(counts);
}

const SUMMED = ['tickets', 'found', 'labelled', 'firstOf', 'firstThreeOf', 'unsure', 'sure', 'sureAndRight'] as const;

/** Several sets as one: each ticket counts the same. */
export function pool(parts: readonly Figures[]): Figures {
  const sums = Object.fromEntries(SUMMED.map((kind) => [kind, parts.reduce((sum, part) => sum + part[kind], 0)]));
  return withShares({
    ...(sums as Pick<Counts, (typeof SUMMED)[number]>),
    missed: parts.flatMap(({ missed }) => missed),
    wrong: parts.flatMap(({ wrong }) => wrong),
  });
}

/** The products of a set, by the letters of its tickets' keys. */
export function byProduct(tickets: readonly LabelledTicket[]): { product: string; tickets: LabelledTicket[] }[] {
  const productOf = ({ key }: LabelledTicket) => key.replace(/-?\d+$/, '');
  return [...new Set(tickets.map(productOf))].map((product) => ({
    product,
    tickets: tickets.filter((ticket) => productOf(ticket) === product),
  }));
}
