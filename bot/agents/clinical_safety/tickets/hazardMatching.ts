import { KNOWLEDGE } from '../knowledge/knowledge.ts';
import type { LogHazard } from '../reading/logModel.ts';
import { type KnowledgeRanking, queryOf, rankKnowledge } from './knowledgeRanking.ts';
import { addScoresAndHits, best, buildIndex, type RankingIndex } from './ranking.ts';
import type { ScoredTicket } from './relevance.ts';
import { termsOf } from './words.ts';

/** How much each part of a hazard weighs (docs/clinical-safety.md, 5). */
const WEIGHTS = { name: 2, description: 1, causes: 1, impact: 0.5, controls: 0.4 };
/** Words from so many hazards on tell none of them apart. */
const MOST_TERMS = 60;
const MOST_RANKED = 160;
/** What a common knowledge-base entry adds to a match. */
const AGREEMENT = 1.4;

/** From here on a hazard is a possible match. It is never counted as covered: words alone can't tell, a person can. */
export const MATCH_THRESHOLD = 3.2;

const LEAST_NEARNESS = 0.35;

export type HazardIndex = {
  hazards: LogHazard[];
  rankings: KnowledgeRanking[];
  index: RankingIndex;
  scores: Float32Array;
  hits: Uint8Array;
  /** For each hazard the entries that it is near to, and how near. */
  nearnesses: Map<string, number>[];
};

/** Indexes the customer's hazards. The knowledge base is indexed beside them, so that common words weigh little in a short log too. */
export function indexHazards(hazards: LogHazard[], onEach: (done: number) => void = () => {}): HazardIndex {
  const texts = hazards.map((hazard) => ({
    name: termsOf(hazard.name),
    description: termsOf(hazard.description),
    causes: termsOf(hazard.causes.map(({ text }) => text).join('\n')),
    impact: termsOf(hazard.clinicalImpact),
    controls: termsOf(
      hazard.controls
        .map(({ text }) => text)
        .join('\n')
        .slice(0, 4000),
    ),
  }));
  const documents = texts.map((text) => [
    { terms: text.name, weight: WEIGHTS.name },
    { terms: text.description, weight: WEIGHTS.description },
    { terms: text.causes, weight: WEIGHTS.causes },
    { terms: text.impact, weight: WEIGHTS.impact },
    { terms: text.controls, weight: WEIGHTS.controls },
  ]);
  const background = KNOWLEDGE.map((entry) => [
    {
      terms: termsOf(`${entry.title} ${entry.description} ${entry.clinicalImpact} ${entry.keywords.join(' ')}`),
      weight: 1,
    },
  ]);
  const rankings = texts.map((text, at) => {
    onEach(at);
    return rankKnowledge(
      { summary: text.name, description: [...text.description, ...text.causes].slice(0, MOST_RANKED) },
      3,
    );
  });
  const nearnesses = rankings.map(({ top }) => {
    const near = new Map<string, number>();
    for (const { entry, score } of top) {
      const nearness = Math.min(1, score / 8) * (score / (top[0]?.score ?? score));
      if (nearness >= LEAST_NEARNESS) near.set(entry.id, nearness);
    }
    return near;
  });
  return {
    hazards,
    rankings,
    index: buildIndex([...documents, ...background]),
    scores: new Float32Array(documents.length + background.length),
    hits: new Uint8Array(documents.length + background.length),
    nearnesses,
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
/** Below this no entry in common can lift a match over the threshold. */
const LEAST_WORDS = 0.8;
const NEAREST = 40;

/** Hazards nearest to a ticket, best first: by at least two telling words, and by pointing to the same knowledge-base entry. */
export function matchHazards(
  { hazards, index, scores, hits, nearnesses }: HazardIndex,
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
  const certainties = ranking.top.slice(0, 3).map(({ entry, score }) => ({
    id: entry.id,
    certainty: Math.min(1, score / 8) * (score / (ranking.top[0]?.score ?? score)),
  }));
  const matches: { at: number; score: number }[] = [];
  for (const { at, score: words } of best(scores.subarray(0, hazards.length), NEAREST, LEAST_WORDS)) {
    if ((hits[at] ?? 0) < 2) continue;
    let score = words / WORDS_ALONE;
    for (const { id, certainty } of certainties) {
      const nearness = nearnesses[at]?.get(id) ?? 0;
      score += Math.min(words * (WORDS_ALONE - 1), 1) * nearness + AGREEMENT * certainty * nearness;
    }
    matches.push({ at, score: Math.round(score * 100) / 100 });
  }
  return matches.sort((a, b) => b.score - a.score || a.at - b.at).slice(0, count);
}

/** From here on a hazard of the log is the same as an entry of the knowledge base. */
const SAME_AS_ENTRY = 0.75;

/** Hazards of the log that already say what a knowledge-base entry says. */
export function hazardsLike({ hazards, nearnesses, rankings }: HazardIndex, kbId: string): LogHazard[] {
  return hazards.filter(
    (_, at) => (nearnesses[at]?.get(kbId) ?? 0) >= SAME_AS_ENTRY && rankings[at]?.top[0]?.entry.id === kbId,
  );
}
