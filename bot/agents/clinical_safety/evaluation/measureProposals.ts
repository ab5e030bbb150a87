import { judgeTickets } from '../tickets/coverage.ts';
import { indexHazards } from '../tickets/hazardMatching.ts';
import { proposeHazards } from '../tickets/proposals.ts';
import { type RelevanceModel, scoreTicket } from '../tickets/relevance.ts';
import { type Product, readProductHazards } from './products.ts';

/** Proposals of a product's tickets, counted against its labels. */
type ProposalFigures = {
  proposals: number;
  /** A proposal is right where its kind is a label of at least half of its tickets. */
  right: number;
  sure: number;
  sureAndRight: number;
  /** "WFL-04 is sure for GF-155". */
  misses: string[];
};

/** Proposes hazards for a product's tickets as an analysis does, and compares their kinds with the labels. */
export async function measureProposals(product: Product, model?: RelevanceModel): Promise<ProposalFigures> {
  const hazards = await readProductHazards(product);
  const scored = product.tickets.map((ticket) => scoreTicket(ticket, model));
  const index = indexHazards(hazards);
  const labelled = new Map(product.tickets.map(({ key, kbIds }) => [key, kbIds]));
  const figures: ProposalFigures = { proposals: 0, right: 0, sure: 0, sureAndRight: 0, misses: [] };
  for (const { kbId, sure, evidence } of proposeHazards(judgeTickets(scored, index, []), index)) {
    const keys = evidence.map(({ ticketKey }) => ticketKey);
    const isRight = keys.filter((key) => labelled.get(key)?.includes(kbId)).length * 2 >= keys.length;
    figures.proposals += 1;
    if (isRight) figures.right += 1;
    if (sure) figures.sure += 1;
    if (sure && isRight) figures.sureAndRight += 1;
    if (sure && !isRight) figures.misses.push(`${kbId} is sure for ${keys.join(', ')}`);
  }
  return figures;
}
