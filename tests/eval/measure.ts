import { type RelevanceModel, scoreTicket } from '../../bot/engine/hazards/tickets/relevance.ts';
import type { LabelledTicket } from './labelled.ts';

export type Figures = {
  tickets: number;
  precision: number;
  recall: number;
  unsure: number;
  firstThree: number;
  first: number;
  missed: string[];
  wrong: string[];
};

/** Precision and recall of "relevant", and how often a labelled knowledge-base entry is among the first three. */
export function measure(tickets: LabelledTicket[], model?: RelevanceModel): Figures {
  let truePositive = 0;
  let unsure = 0;
  let first = 0;
  let firstThree = 0;
  let labelled = 0;
  const missed: string[] = [];
  const wrong: string[] = [];
  for (const ticket of tickets) {
    const { relevance, ranking, score } = scoreTicket(ticket, model);
    if (relevance === 'unsure') unsure += 1;
    if (relevance === 'relevant' && ticket.relevant) truePositive += 1;
    else if (relevance === 'relevant') wrong.push(`${ticket.key} (${score})`);
    else if (ticket.relevant) missed.push(`${ticket.key} (${score})`);
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
    missed,
    wrong,
  };
}

/** Every fifth ticket, five times over. */
export function folds(tickets: LabelledTicket[]): { held: LabelledTicket[]; rest: LabelledTicket[] }[] {
  return Array.from({ length: 5 }, (_, fold) => ({
    held: tickets.filter((_ticket, at) => at % 5 === fold),
    rest: tickets.filter((_ticket, at) => at % 5 !== fold),
  }));
}
