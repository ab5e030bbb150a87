import type { Coverage, TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { PossibleMatch } from '../../../../models/contracts/clinical_safety/matches.ts';
import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import type { KnowledgeEntry } from '../knowledge/knowledge.ts';
import type { LogHazard } from '../reading/logModel.ts';
import type { MatchDecision } from '../worker/jobs.ts';
import { type Decided, makeDecisionLookup } from './decidedMatches.ts';
import { type HazardIndex, matchHazards, type TermWeight, weighTerms } from './hazardMatching.ts';
import { makeLinkLookup } from './links.ts';
import { digestTicket, findEvidence, makeHazardReader } from './matchEvidence.ts';
import { MATCH_THRESHOLD } from './possibleMatches.ts';
import { chooseQuote, type Piece, readPieces } from './quote.ts';
import { RELEVANCE_MODEL, type ScoredTicket } from './relevance.ts';
import { termsOf } from './words.ts';

export type JudgedTicket = ScoredTicket & { verdict: TicketVerdict };

/** Most hazards that a person can choose from, the possible ones included. */
const MAX_OFFERED = 20;

/**
 * Judges every ticket's relevance and coverage. A person's decision and a link count; a match by nearness is only
 * possible, and one that a person ruled out is not named again. A ticket without words of harm that is near a hazard of
 * the log is unsure.
 */
export function judgeTickets(
  scored: ScoredTicket[],
  index: HazardIndex,
  decisions: readonly MatchDecision[],
  onEach: (done: number) => void = () => {},
): JudgedTicket[] {
  const { hazards } = index;
  const readHazard = makeHazardReader();
  const findLinked = makeLinkLookup(hazards);
  const findDecided = makeDecisionLookup(decisions, hazards, readHazard);
  const weightOfTerm = weighTerms(scored);
  const entryTerms = new Map<string, ReadonlySet<string>>();
  const wordsOf = (entry: KnowledgeEntry | undefined): ReadonlySet<string> => {
    if (!entry) return new Set();
    const { id, title, description, causes, keywords } = entry;
    const entryWords = entryTerms.get(id) ?? new Set(termsOf([title, description, ...causes, ...keywords].join(' ')));
    entryTerms.set(entry.id, entryWords);
    return entryWords;
  };
  return scored.map((ticket, at) => {
    onEach(at);
    const { ticket: record, ranking, score } = ticket;
    const decided = findDecided(record);
    const linked = findLinked(ticket);
    const concernsHazard =
      linked.length > 0 || decided.covering.length > 0 || [...decided.stale.values()].some(({ covers }) => covers);
    // Words of no harm may still ask to weaken a control: near a hazard of the log, nobody can be sure of that.
    const isNear =
      ticket.relevance === 'not' &&
      matchHazards(index, ticket, weightOfTerm).some(({ at: place, isPossible }) => {
        const hazard = hazards[place];
        return isPossible && hazard !== undefined && !decided.ruledOut.has(hazard);
      });
    const verdict: TicketVerdict = {
      key: record.key,
      summary: record.summary,
      relevance: concernsHazard ? 'relevant' : isNear ? 'unsure' : ticket.relevance,
      score,
      kbIds: ranking.top.slice(0, 3).map(({ entry }) => entry.id),
      hazardIds: [],
      coveredBy: null,
      quote: '',
    };
    if (verdict.relevance === 'not') return { ...ticket, verdict };
    const pieces = readPieces(record);
    verdict.quote = chooseQuote(pieces, wordsOf(ranking.top[0]?.entry));
    const covering = [...new Set([...decided.covering, ...linked])];
    if (covering.length > 0) {
      const coveredBy = decided.covering.length > 0 ? 'person' : 'link';
      return { ...ticket, verdict: { ...verdict, hazardIds: idsOf(covering), coveredBy } };
    }
    return {
      ...ticket,
      verdict: { ...verdict, ...findPossible(ticket, index, weightOfTerm, decided, pieces, readHazard) },
    };
  });
}

const idsOf = (hazards: readonly LogHazard[]) => [...new Set(hazards.map(({ id }) => id))];

type Possible = Pick<TicketVerdict, 'possibleHazardIds' | 'possible' | 'others' | 'digest'>;

/** The hazards that may cover a ticket, those of decisions that no longer hold first, and the next nearest ones. */
function findPossible(
  ticket: ScoredTicket,
  index: HazardIndex,
  weightOfTerm: TermWeight,
  { ruledOut, stale }: Decided,
  pieces: readonly Piece[],
  readHazard: ReturnType<typeof makeHazardReader>,
): Possible {
  const near = matchHazards(index, ticket, weightOfTerm, MAX_OFFERED).flatMap(({ at, score, isPossible }) => {
    const hazard = index.hazards[at];
    return hazard ? [{ hazard, score, isPossible }] : [];
  });
  const scoreOf = new Map(near.map(({ hazard, score }) => [hazard, score]));
  const again = [...stale].filter(([, { covers }]) => covers).map(([hazard]) => hazard);
  const nearest = near
    .filter(({ hazard, isPossible }) => isPossible && !ruledOut.has(hazard))
    .map(({ hazard }) => hazard);
  const chosen = [...new Set([...again, ...nearest])];
  if (chosen.length === 0) return { possibleHazardIds: [] };
  const possible = chosen.map((hazard): PossibleMatch => {
    const words = readHazard(hazard);
    const before = stale.get(hazard);
    return {
      hazardId: hazard.id,
      hazardName: hazard.name,
      score: scoreOf.get(hazard) ?? 0,
      ...findEvidence(pieces, words),
      hazardDigest: words.digest,
      ...(before ? { before } : {}),
    };
  });
  // In a short log the list is filled up, so that any hazard can be chosen.
  const next = [...near.map(({ hazard }) => hazard), ...index.hazards.slice(0, MAX_OFFERED)];
  const others = idsOf(next)
    .filter((id) => !chosen.some((one) => one.id === id))
    .slice(0, Math.max(0, MAX_OFFERED - chosen.length));
  return { possibleHazardIds: idsOf(chosen), possible, others, digest: digestTicket(ticket.ticket) };
}

/** Whole per cent: 100 only for all of them, null where there are none. */
function percentOf(part: number, whole: number): number | null {
  if (whole === 0) return null;
  return part === whole ? 100 : Math.min(99, Math.round((100 * part) / whole));
}

/** The relevant tickets that nothing covers and no proposal names, in order. */
export function ticketsWithoutKind(
  tickets: readonly TicketVerdict[],
  proposals: readonly Pick<NewHazard, 'evidence'>[],
): TicketVerdict[] {
  const proposed = new Set(proposals.flatMap(({ evidence }) => evidence.map(({ ticketKey }) => ticketKey)));
  return tickets.filter(
    ({ relevance, coveredBy, key }) => relevance === 'relevant' && coveredBy === null && !proposed.has(key),
  );
}

/** Counts coverage. The score is null, never 100, where nothing is relevant (docs/clinical-safety.md, section 4). */
export function countCoverage(
  tickets: readonly TicketVerdict[],
  proposals: readonly Pick<NewHazard, 'evidence'>[],
): { coverage: Coverage; coverageScore: number | null } {
  const relevant = tickets.filter(({ relevance }) => relevance === 'relevant');
  const covered = relevant.filter(({ coveredBy }) => coveredBy !== null);
  const possible = relevant.filter(
    ({ coveredBy, possibleHazardIds }) => coveredBy === null && (possibleHazardIds?.length ?? 0) > 0,
  );
  return {
    coverage: {
      covered: covered.length,
      possible: possible.length,
      none: relevant.length - covered.length - possible.length,
      relevant: relevant.length,
      unsure: tickets.filter(({ relevance }) => relevance === 'unsure').length,
      unproposed: ticketsWithoutKind(tickets, proposals).length,
      threshold: MATCH_THRESHOLD,
      relevanceThreshold: RELEVANCE_MODEL.threshold,
      unsureThreshold: RELEVANCE_MODEL.unsure,
    },
    coverageScore: percentOf(covered.length, relevant.length),
  };
}
