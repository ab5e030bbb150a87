import { KNOWLEDGE } from '../knowledge.ts';
import type { LogHazard } from '../reading/logModel.ts';
import { type KnowledgeRanking, queryOf, rankKnowledge, ticketTerms } from './knowledgeRanking.ts';
import { addScoresAndHits, best, buildIndex, type RankingIndex } from './ranking.ts';
import type { ScoredTicket } from './relevance.ts';
import { termsOf } from './words.ts';

/** How much each part of a hazard weighs (domain 4.2). */
const WEIGHTS = { name: 2, description: 1, causes: 1, impact: 0.5, controls: 0.4 };
/** Words from so many hazards on tell none of them apart. */
const MOST_TERMS = 60;
/** What a common knowledge-base entry adds to a match. */
const AGREEMENT = 1.4;

/** From here on a ticket counts as covered. Rather a miss than a false "covered", which would hide a risk. */
export const MATCH_THRESHOLD = 2.6;

export type MatchedHazard = { hazard: LogHazard; kbIds: string[]; score: number };

export type HazardIndex = {
  hazards: LogHazard[];
  rankings: KnowledgeRanking[];
  index: RankingIndex;
  scores: Float32Array;
  hits: Uint8Array;
  /** Hazards by each of their nearest entries, with how near they are. */
  byEntry: Map<string, { at: number; nearness: number }[]>;
};

/** Indexes the customer's hazards. The knowledge base is indexed beside them, so that common words weigh little in a short log too. */
export function indexHazards(hazards: LogHazard[], onEach: (done: number) => void = () => {}): HazardIndex {
  const texts = hazards.map((hazard) => ({
    name: hazard.name,
    description: hazard.description,
    causes: hazard.causes.map(({ text }) => text).join('\n'),
    impact: hazard.clinicalImpact,
    controls: hazard.controls
      .map(({ text }) => text)
      .join('\n')
      .slice(0, 4000),
  }));
  const documents = texts.map((text) => [
    { terms: termsOf(text.name), weight: WEIGHTS.name },
    { terms: termsOf(text.description), weight: WEIGHTS.description },
    { terms: termsOf(text.causes), weight: WEIGHTS.causes },
    { terms: termsOf(text.impact), weight: WEIGHTS.impact },
    { terms: termsOf(text.controls), weight: WEIGHTS.controls },
  ]);
  const background = KNOWLEDGE.map((entry) => [
    {
      terms: termsOf(`${entry.title} ${entry.description} ${entry.clinicalImpact} ${entry.keywords.join(' ')}`),
      weight: 1,
    },
  ]);
  const rankings = texts.map((text, at) => {
    onEach(at);
    return rankKnowledge(ticketTerms(text.name, `${text.description}\n${text.causes}`), 3);
  });
  const byEntry: HazardIndex['byEntry'] = new Map();
  for (const [at, { top }] of rankings.entries())
    for (const { entry, score } of top) {
      const nearness = Math.min(1, score / 8) * (score / (top[0]?.score ?? score));
      if (nearness < 0.35) continue;
      const list = byEntry.get(entry.id) ?? [];
      list.push({ at, nearness });
      byEntry.set(entry.id, list);
    }
  return {
    hazards,
    rankings,
    index: buildIndex([...documents, ...background]),
    scores: new Float32Array(documents.length + background.length),
    hits: new Uint8Array(documents.length + background.length),
    byEntry,
  };
}

/** How telling each word is among the tickets of a run: what stands in every tenth ticket is the product's own name or trade. */
export type TermTelling = (term: string) => number;

export function tellingTerms(tickets: Pick<ScoredTicket, 'terms'>[]): TermTelling {
  const frequencies = new Map<string, number>();
  for (const { terms } of tickets)
    for (const term of new Set([...terms.summary, ...terms.description]))
      frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  const most = Math.log(1 + Math.max(20, tickets.length));
  return (term) => Math.max(0.15, 1 - Math.max(0, Math.log(frequencies.get(term) ?? 1)) / most);
}

/** A match by words alone, with no knowledge-base entry in common, has to be better by this factor. */
const WORDS_ALONE = 1.35;

/** Hazards nearest to a ticket, best first: by at least two telling words, and by pointing to the same knowledge-base entry. */
export function matchHazards(
  { hazards, index, scores, hits, byEntry }: HazardIndex,
  { terms, ranking }: Pick<ScoredTicket, 'terms' | 'ranking'>,
  telling: TermTelling,
  count = 3,
): { at: number; score: number }[] {
  scores.fill(0);
  hits.fill(0);
  const query = [...queryOf(terms)]
    .slice(0, MOST_TERMS)
    .map(([term, weight]): [string, number] => [term, weight * telling(term)]);
  const size = query.reduce((sum, [, weight]) => sum + weight, 0);
  const norm = 1 / Math.sqrt(Math.max(3, size));
  addScoresAndHits(
    index,
    query.map(([term, weight]): [string, number] => [term, weight * norm]),
    scores,
    hits,
  );
  const own = scores.subarray(0, hazards.length);
  const nearest = best(own, 40);
  own.fill(0);
  for (const { at, score } of nearest) own[at] = (hits[at] ?? 0) >= 2 ? score / WORDS_ALONE : 0;
  for (const { entry, score } of ranking.top.slice(0, 3)) {
    const certainty = Math.min(1, score / 8) * (score / (ranking.top[0]?.score ?? score));
    for (const { at, nearness } of byEntry.get(entry.id) ?? []) {
      const words = own[at] ?? 0;
      if (words > 0)
        own[at] = words + Math.min(words * (WORDS_ALONE - 1), 1) * nearness + AGREEMENT * certainty * nearness;
    }
  }
  return best(own, count).map(({ at, score }) => ({ at, score: Math.round(score * 100) / 100 }));
}

/** From here on a hazard of the log is the same as an entry of the knowledge base. */
const SAME_AS_ENTRY = 0.75;

/** Hazards of the log that already say what a knowledge-base entry says. */
export function hazardsLike({ hazards, byEntry, rankings }: HazardIndex, kbId: string): LogHazard[] {
  return (byEntry.get(kbId) ?? [])
    .filter(({ at, nearness }) => nearness >= SAME_AS_ENTRY && rankings[at]?.top[0]?.entry.id === kbId)
    .flatMap(({ at }) => hazards[at] ?? []);
}
