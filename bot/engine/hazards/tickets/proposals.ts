import { createHash } from 'node:crypto';
import type { NewHazard } from '../../../../models/contracts/hazards.ts';
import { findKnowledge, type KnowledgeEntry } from '../knowledge.ts';
import type { JudgedTicket } from './coverage.ts';
import { draftValues } from './draftValues.ts';
import { type HazardIndex, hazardsLike } from './hazardMatching.ts';
import { nextIds } from './nextIds.ts';

/** The best entry must lead the next one by so much to stand alone. */
const CLEAR_LEAD = 1.3;
const MOST_EVIDENCE = 25;
/** A single ticket that no entry fits well is left in the list of uncovered tickets; a draft out of it would be a guess. */
const LEAST_SCORE = 7.5;

/** Stable for the same knowledge-base entry and the same tickets, in whatever order they came. */
export function proposalId(kbId: string, ticketKeys: string[]): string {
  const digest = createHash('sha256')
    .update([kbId, ...[...ticketKeys].sort()].join('\n'))
    .digest('hex');
  return `proposal-${digest.slice(0, 16)}`;
}

/** One ticket that is only just relevant is no ground for a draft of its own either. */
const LEAST_RELEVANCE = 0.45;

/** Clearly relevant by its score, or made so by a person. */
function isClear({ score, relevance, verdict }: JudgedTicket): boolean {
  return score >= LEAST_RELEVANCE || relevance !== verdict.relevance;
}

type Cluster = { entry: KnowledgeEntry; tickets: JudgedTicket[]; candidates: { kbId: string; score: number }[] };

function clusterTickets(tickets: JudgedTicket[]): Cluster[] {
  const clusters = new Map<string, Cluster>();
  for (const ticket of tickets) {
    const entry = ticket.ranking.top[0]?.entry;
    if (!entry) continue;
    const cluster = clusters.get(entry.id) ?? { entry, tickets: [], candidates: [] };
    cluster.tickets.push(ticket);
    clusters.set(entry.id, cluster);
  }
  for (const cluster of clusters.values()) {
    const sums = new Map<string, number>();
    for (const { ranking } of cluster.tickets)
      for (const { entry, score } of ranking.top.slice(0, 3)) sums.set(entry.id, (sums.get(entry.id) ?? 0) + score);
    cluster.candidates = [...sums]
      .map(([kbId, sum]) => ({ kbId, score: Math.round((sum / cluster.tickets.length) * 100) / 100 }))
      .sort(
        (a, b) =>
          Number(b.kbId === cluster.entry.id) - Number(a.kbId === cluster.entry.id) ||
          b.score - a.score ||
          a.kbId.localeCompare(b.kbId),
      );
  }
  return [...clusters.values()];
}

/** A hazard is proposed for each kind of harm that relevant tickets point to, that covers none of them yet and that the log does not have (domain 4.1). */
export function proposeHazards(tickets: JudgedTicket[], index: HazardIndex): NewHazard[] {
  const uncovered = tickets.filter(({ verdict }) => verdict.relevance === 'relevant' && verdict.coveredBy === null);
  const clusters = clusterTickets(uncovered)
    .filter(
      ({ entry, candidates, tickets: own }) =>
        (candidates[0]?.score ?? 0) >= LEAST_SCORE &&
        (own.length > 1 || own.some(isClear)) &&
        hazardsLike(index, entry.id).length === 0,
    )
    .sort(
      (a, b) =>
        b.entry.suggested.risk - a.entry.suggested.risk ||
        b.tickets.length - a.tickets.length ||
        a.entry.id.localeCompare(b.entry.id),
    );
  const ids = nextIds(
    index.hazards.filter(({ hasId }) => hasId).map(({ id }) => id),
    clusters.length,
  );
  return clusters.map(({ entry, tickets: own, candidates }, at): NewHazard => {
    const ranked = [...own].sort(
      (a, b) =>
        (b.ranking.top[0]?.score ?? 0) - (a.ranking.top[0]?.score ?? 0) || a.verdict.key.localeCompare(b.verdict.key),
    );
    const evidence = ranked.map(({ verdict }) => ({
      ticketKey: verdict.key,
      summary: verdict.summary,
      quote: verdict.quote,
    }));
    const [first, second] = candidates;
    const sure = !second || (first !== undefined && first.score >= second.score * CLEAR_LEAD);
    const listed = candidates.slice(0, sure ? 1 : 3).flatMap(({ kbId, score }) => {
      const found = findKnowledge(kbId);
      return found
        ? [
            {
              kbId,
              title: found.title,
              category: found.category,
              score,
              values: draftValues(found, evidence),
              suggested: found.suggested,
            },
          ]
        : [];
    });
    return {
      id: proposalId(
        entry.id,
        evidence.map(({ ticketKey }) => ticketKey),
      ),
      proposedId: ids[at] ?? '',
      kbId: entry.id,
      category: entry.category,
      candidates: listed,
      sure,
      values: draftValues(entry, evidence),
      suggested: entry.suggested,
      evidence: evidence.slice(0, MOST_EVIDENCE),
      status: 'Proposed – CSO review',
    };
  });
}
