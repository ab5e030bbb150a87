import { type RelevanceModel, scoreTicket } from '../tickets/relevance.ts';
import { isSure } from '../tickets/sureness.ts';
import type { LabelledTicket } from './labelled.ts';

export type Figures = {
  tickets: number;
  precision: number;
  recall: number;
  unsure: number;
  firstThree: number;
  first: number;
  /**
   * Tickets called relevant whose nearest entry is sure enough to be proposed alone, and the share of them that readers
   * agree with.
   */
  sure: number;
  sureRight: number;
  missed: string[];
  wrong: string[];
};

/** Precision and recall of "relevant", and how often a labelled knowledge-base entry is among the first three. */
export function measure(tickets: readonly LabelledTicket[], model?: RelevanceModel): Figures {
  let truePositive = 0;
  let unsure = 0;
  let first = 0;
  let firstThree = 0;
  let labelled = 0;
  let sure = 0;
  let sureRight = 0;
  const missed: string[] = [];
  const wrong: string[] = [];
  for (const ticket of tickets) {
    const scored = scoreTicket(ticket, model);
    const { relevance, ranking, score } = scored;
    if (relevance === 'unsure') unsure += 1;
    if (relevance === 'relevant' && ticket.relevant) truePositive += 1;
    else if (relevance === 'relevant') wrong.push(`${ticket.key} (${score})`);
    else if (ticket.relevant) missed.push(`${ticket.key} (${score})`);
    if (relevance === 'relevant' && isSure(scored)) {
      sure += 1;
      if (ticket.kbIds.includes(ranking.top[0]?.entry.id ?? '')) sureRight += 1;
    }
    if (ticket.kbIds.length === 0) continue;
    labelled += 1;
    const at = ranking.top.findIndex(({ entry }) => ticket.kbIds.includes(entry.id));
    if (at === 0) first += 1;
    if (at >= 0 && at < 3) firstThree += 1;
  }
  const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole);
  return {
    tickets: tickets.length,
    precision: share(truePositive, truePositive + wrong.length),
    recall: share(truePositive, truePositive + missed.length),
    unsure,
    first: share(first, labelled),
    firstThree: share(firstThree, labelled),
    sure,
    sureRight: share(sureRight, sure),
    missed,
    wrong,
  };
}

/** Splits the tickets into five folds: every fifth ticket is held out once. */
export function folds(tickets: readonly LabelledTicket[]): { held: LabelledTicket[]; rest: LabelledTicket[] }[] {
  return Array.from({ length: 5 }, (_, fold) => ({
    held: tickets.filter((_ticket, at) => at % 5 === fold),
    rest: tickets.filter((_ticket, at) => at % 5 !== fold),
  }));
}
