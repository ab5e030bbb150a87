import { indexHazards, matchHazards, weighTerms } from '../tickets/hazardMatching.ts';
import { scoreTicket } from '../tickets/relevance.ts';
import { type Product, readProductHazards } from './products.ts';

/** How the hazards of a log are ranked for relevant tickets; each figure counts tickets. */
type MatchFigures = {
  /** Tickets that have a right hazard, and those where it stands in the first three. */
  paired: number;
  firstThree: number;
  /** Those of them whose right hazard is offered as a possible match. */
  possible: number;
  /** Tickets for which no hazard is right, and those that are offered none. */
  without: number;
  noneFirst: number;
  /** "FHN-12: FH-01 is not in FH-03, FH-08, FH-05". */
  misses: string[];
};

const LISTED = 3;

/** Ranks the hazards of a product's log for each ticket that a reader calls relevant. */
export async function measureMatches(product: Product): Promise<MatchFigures> {
  const hazards = await readProductHazards(product);
  const scored = product.tickets.map((ticket) => scoreTicket(ticket));
  const index = indexHazards(hazards);
  const weightOfTerm = weighTerms(scored);
  const figures: MatchFigures = { paired: 0, firstThree: 0, possible: 0, without: 0, noneFirst: 0, misses: [] };
  for (const [at, { key, relevant, hazardIds }] of product.tickets.entries()) {
    const ticket = scored[at];
    if (!relevant || !ticket) continue;
    const nearest = matchHazards(index, ticket, weightOfTerm, LISTED).map(({ at: place, isPossible }) => ({
      id: hazards[place]?.id ?? '',
      isPossible,
    }));
    const right = nearest.filter(({ id }) => hazardIds.includes(id));
    if (hazardIds.length === 0) {
      figures.without += 1;
      if (!nearest.some(({ isPossible }) => isPossible)) figures.noneFirst += 1;
      else figures.misses.push(`${key}: no hazard is right, and ${nearest[0]?.id} is offered`);
      continue;
    }
    figures.paired += 1;
    if (right.length > 0) figures.firstThree += 1;
    else figures.misses.push(`${key}: ${hazardIds.join(', ')} is not in ${nearest.map(({ id }) => id).join(', ')}`);
    if (right.some(({ isPossible }) => isPossible)) figures.possible += 1;
  }
  return figures;
}
