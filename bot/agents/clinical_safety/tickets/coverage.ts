import type { Coverage, TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import type { LogHazard } from '../reading/logModel.ts';
import { sameId } from '../reading/readHazards.ts';
import type { TicketDecision } from '../worker/jobs.ts';
import { type HazardIndex, MATCH_THRESHOLD, matchHazards, weighTerms } from './hazardMatching.ts';
import { quoteFrom } from './quote.ts';
import { RELEVANCE_MODEL, type ScoredTicket } from './relevance.ts';
import { termsOf } from './words.ts';

export type JudgedTicket = ScoredTicket & { verdict: TicketVerdict };

/** Matches a possible hazard id in a text. It starts at the start of a word, which keeps the search fast. */
const ID_LIKE = /(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9]{0,30}-?\d{1,6}/g;

/**
 * Makes a lookup of the hazards linked to a ticket: the hazard names the ticket's key, or the ticket the hazard's id.
 */
function makeLinkLookup(hazards: LogHazard[]): (scored: ScoredTicket) => LogHazard[] {
  const byTicket = new Map<string, LogHazard[]>();
  const byId = new Map<string, LogHazard>();
  for (const hazard of hazards) {
    for (const key of hazard.ticketKeys)
      byTicket.set(key.toUpperCase(), [...(byTicket.get(key.toUpperCase()) ?? []), hazard]);
    // "12" or "H1" can occur in any text by chance; "NRL01" or "HAZ-12" hardly can.
    if (hazard.hasId && /[A-Za-z]/.test(hazard.id) && /\d/.test(hazard.id) && hazard.id.length >= 4)
      byId.set(sameId(hazard.id), hazard);
  }
  return ({ ticket }) => {
    const linked = new Set(byTicket.get(ticket.key.toUpperCase()) ?? []);
    if (byId.size > 0)
      for (const [word] of `${ticket.summary} ${ticket.description}`.matchAll(ID_LIKE)) {
        const hazard = byId.get(sameId(word));
        if (hazard && sameId(word) !== sameId(ticket.key)) linked.add(hazard);
      }
    return [...linked];
  };
}

/**
 * Judges every ticket's relevance and coverage. A person's decision counts first, then a link; a match by words is only
 * possible.
 */
export function judgeTickets(
  scored: ScoredTicket[],
  index: HazardIndex,
  decisions: TicketDecision[],
  onEach: (done: number) => void = () => {},
): JudgedTicket[] {
  const { hazards } = index;
  const findLinked = makeLinkLookup(hazards);
  const decided = new Map(decisions.map((decision) => [decision.ticketKey.toUpperCase(), decision]));
  const ids = new Map(hazards.map((hazard) => [sameId(hazard.id), hazard.id]));
  const weightOfTerm = weighTerms(scored);
  const entryTerms = new Map<string, Set<string>>();
  return scored.map((ticket, at) => {
    onEach(at);
    const { ticket: record, ranking, score } = ticket;
    const decision = decided.get(record.key.toUpperCase());
    const linked = findLinked(ticket);
    let { relevance } = ticket;
    if (linked.length > 0) relevance = 'relevant';
    if (decision?.relevant !== undefined) relevance = decision.relevant ? 'relevant' : 'not';
    const verdict: TicketVerdict = {
      key: record.key,
      summary: record.summary,
      relevance,
      score,
      kbIds: ranking.top.slice(0, 3).map(({ entry }) => entry.id),
      hazardIds: [],
      coveredBy: null,
      quote: '',
    };
    if (relevance === 'not') return { ...ticket, verdict };
    const [nearest] = ranking.top;
    if (nearest) {
      const { entry } = nearest;
      const entryWords =
        entryTerms.get(entry.id) ??
        new Set(termsOf([entry.title, entry.description, ...entry.causes, ...entry.keywords].join(' ')));
      entryTerms.set(entry.id, entryWords);
      verdict.quote = quoteFrom(record, entryWords);
    } else verdict.quote = quoteFrom(record, new Set());
    if (decision && decision.relevant === undefined) {
      const id = decision.hazardId === null ? undefined : ids.get(sameId(decision.hazardId));
      if (id) Object.assign(verdict, { hazardIds: [id], coveredBy: 'person' });
      if (id || decision.hazardId === null) return { ...ticket, verdict };
    } else if (decision?.hazardId) {
      const id = ids.get(sameId(decision.hazardId));
      if (id) return { ...ticket, verdict: { ...verdict, hazardIds: [id], coveredBy: 'person' } };
    }
    if (linked.length > 0)
      return { ...ticket, verdict: { ...verdict, hazardIds: linked.map(({ id }) => id), coveredBy: 'link' } };
    const matches = matchHazards(index, ticket, weightOfTerm).filter((match) => match.score >= MATCH_THRESHOLD);
    return {
      ...ticket,
      verdict: { ...verdict, possibleHazardIds: matches.flatMap((match) => hazards[match.at]?.id ?? []) },
    };
  });
}

/** Whole per cent: 100 only for all of them, null where there are none. */
function percentOf(part: number, whole: number): number | null {
  if (whole === 0) return null;
  return part === whole ? 100 : Math.min(99, Math.round((100 * part) / whole));
}

/** Counts coverage. The score is null, never 100, where nothing is relevant (docs/clinical-safety.md, section 4). */
export function countCoverage(
  tickets: JudgedTicket[],
  proposals: NewHazard[],
): { coverage: Coverage; coverageScore: number | null } {
  const relevant = tickets.filter(({ verdict }) => verdict.relevance === 'relevant');
  const covered = relevant.filter(({ verdict }) => verdict.coveredBy !== null);
  const possible = relevant.filter(
    ({ verdict }) => verdict.coveredBy === null && (verdict.possibleHazardIds?.length ?? 0) > 0,
  );
  const proposed = new Set(proposals.flatMap(({ evidence }) => evidence.map(({ ticketKey }) => ticketKey)));
  return {
    coverage: {
      covered: covered.length,
      possible: possible.length,
      none: relevant.length - covered.length - possible.length,
      relevant: relevant.length,
      unsure: tickets.filter(({ verdict }) => verdict.relevance === 'unsure').length,
      unproposed: relevant.filter(({ verdict }) => verdict.coveredBy === null && !proposed.has(verdict.key)).length,
      threshold: MATCH_THRESHOLD,
      relevanceThreshold: RELEVANCE_MODEL.threshold,
      unsureThreshold: RELEVANCE_MODEL.unsure,
    },
    coverageScore: percentOf(covered.length, relevant.length),
  };
}
