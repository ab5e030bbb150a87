import { createHash } from 'node:crypto';
import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import { findKnowledge, type KnowledgeEntry } from '../knowledge/knowledge.ts';
import type { LogHazard } from '../reading/logModel.ts';
import { makeIdLookup } from '../reading/readHazards.ts';
import { chooseAddition, makeAdditions } from './additions.ts';
import type { JudgedTicket } from './coverage.ts';
import { draftValues } from './draftValues.ts';
import { findSimilarHazards, type HazardIndex } from './hazardMatching.ts';
import { rankKnowledge, ticketTerms } from './knowledgeRanking.ts';
import { nextIds } from './nextIds.ts';
import { isFarAhead, speaksFor } from './sureness.ts';

const MAX_CANDIDATES = 3;
const MAX_POSSIBLE = 5;

/** The same for the same knowledge base entry and tickets, in any order. */
export function proposalId(kbId: string, ticketKeys: string[]): string {
  const digest = createHash('sha256')
    .update([kbId, ...[...ticketKeys].sort()].join('\n'))
    .digest('hex');
  return `proposal-${digest.slice(0, 16)}`;
}

type Cluster = { entry: KnowledgeEntry; tickets: JudgedTicket[]; candidates: { kbId: string; score: number }[] };

/** Groups tickets by their closest entry, with the next best entries as candidates. */
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
      for (const { entry, score } of ranking.top) sums.set(entry.id, (sums.get(entry.id) ?? 0) + score);
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

/**
 * Whether the entry is a sure match: far ahead for all tickets together, and more than half of them speak for it.
 */
function isSureOf({ entry, tickets, candidates: [first, second] }: Cluster): boolean {
  return (
    first !== undefined &&
    isFarAhead(first.score, second?.score ?? 0) &&
    tickets.filter((ticket) => speaksFor(ticket, entry)).length * 2 > tickets.length
  );
}

/** Up to three candidates, filled up with the entries closest to the first one. */
function withNextBest(entry: KnowledgeEntry, candidates: Cluster['candidates']): Cluster['candidates'] {
  const there = new Set(candidates.map(({ kbId }) => kbId));
  const nearest =
    candidates.length >= MAX_CANDIDATES ? [] : rankKnowledge(ticketTerms(entry.title, entry.description)).top;
  const padding = nearest.flatMap(({ entry: { id } }) => (there.has(id) ? [] : [{ kbId: id, score: 0 }]));
  return [...candidates, ...padding].slice(0, MAX_CANDIDATES);
}

/** The hazards of the log that are close to the entry or possible for one of its tickets. */
function possibleHazards({ tickets }: Cluster, sameKind: readonly LogHazard[]): string[] {
  const ids = [...sameKind.map(({ id }) => id), ...tickets.flatMap(({ verdict }) => verdict.possibleHazardIds ?? [])];
  return [...new Set(ids)].slice(0, MAX_POSSIBLE);
}

/**
 * Proposes a hazard for each knowledge base entry that uncovered, relevant tickets point to. If the log may already
 * have such a hazard, it is still proposed, with that hazard listed: a possible match must not hide a risk.
 */
export function proposeHazards(tickets: JudgedTicket[], index: HazardIndex): NewHazard[] {
  const uncovered = tickets.filter(({ verdict }) => verdict.relevance === 'relevant' && verdict.coveredBy === null);
  const clusters = clusterTickets(uncovered)
    // A single ticket without a sure match is not enough for a proposal; it stays in the list of relevant tickets.
    .filter((cluster) => cluster.tickets.length > 1 || isSureOf(cluster))
    .map((cluster) => {
      const sameKind = findSimilarHazards(index, cluster.entry.id);
      return { ...cluster, sameKind, possible: possibleHazards(cluster, sameKind) };
    })
    .sort(
      (a, b) =>
        // Proposals without a similar hazard in the log come first.
        Number(a.possible.length > 0) - Number(b.possible.length > 0) ||
        b.entry.suggested.risk - a.entry.suggested.risk ||
        b.tickets.length - a.tickets.length ||
        a.entry.id.localeCompare(b.entry.id),
    );
  const findById = makeIdLookup(index.hazards);
  const proposals = clusters.map((cluster): Omit<NewHazard, 'proposedId'> => {
    const { entry, tickets: own, candidates, sameKind, possible } = cluster;
    const ranked = [...own].sort(
      (a, b) =>
        (b.ranking.top[0]?.score ?? 0) - (a.ranking.top[0]?.score ?? 0) || a.verdict.key.localeCompare(b.verdict.key),
    );
    const evidence = ranked.map(({ verdict }) => ({
      ticketKey: verdict.key,
      summary: verdict.summary,
      quote: verdict.quote,
    }));
    // Where the log gives one id to several hazards, nobody can tell which one is meant: nothing is added to them.
    const near = possible.flatMap((id) => {
      const named = findById(id);
      return named.length === 1 ? named : [];
    });
    const additions = makeAdditions(near, entry, evidence, own);
    const proposedAs = chooseAddition(additions, sameKind, own);
    const sure = isSureOf(cluster);
    const offered = sure ? candidates.slice(0, 1) : withNextBest(entry, candidates);
    const listed = offered.flatMap(({ kbId, score }) => {
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
      kbId: entry.id,
      category: entry.category,
      candidates: listed,
      sure,
      values: draftValues(entry, evidence),
      suggested: entry.suggested,
      evidence,
      possibleHazardIds: possible,
      ...(additions.length > 0 ? { additions } : {}),
      ...(proposedAs ? { proposedAs } : {}),
      status: 'Proposed – CSO review',
    };
  });
  return withIds(proposals, index.hazards);
}

/** Gives new hazards the next free ids, without gaps, and additions those after, in case one is turned into a hazard. */
function withIds(proposals: Omit<NewHazard, 'proposedId'>[], hazards: HazardIndex['hazards']): NewHazard[] {
  const taken = hazards.filter(({ hasId }) => hasId).flatMap(({ id, furtherIds = [] }) => [id, ...furtherIds]);
  const ids = nextIds(taken, proposals.length);
  const order = [...proposals].sort((a, b) => Number(Boolean(a.proposedAs)) - Number(Boolean(b.proposedAs)));
  return proposals.map((proposal) => ({ ...proposal, proposedId: ids[order.indexOf(proposal)] ?? '' }));
}
