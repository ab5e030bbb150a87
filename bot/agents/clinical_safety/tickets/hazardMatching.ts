import { KNOWLEDGE } from '../knowledge/knowledge.ts';
import type { LogHazard } from '../reading/logModel.ts';
import { type KnowledgeRanking, queryOf, rankKnowledge } from './knowledgeRanking.ts';
import { findNearest, indexMeanings, type Meaning, type MeaningIndex, meaningOf, nearnessOf } from './meaning.ts';
import { choosePossible, type RankedMatch, toHundredths } from './possibleMatches.ts';
import { addScores, addScoresAndHits, buildIndex, findBest, type RankingIndex } from './ranking.ts';
import type { ScoredTicket } from './relevance.ts';
import { termsOf } from './words.ts';

/** The weight of each part of a hazard (docs/clinical-safety.md, section 5). */
const WEIGHTS = { name: 2, description: 1, causes: 1, impact: 0.5, controls: 0.4 };
const MAX_QUERY_TERMS = 60;
const MAX_RANKED_TERMS = 160;
/** The score that a shared knowledge base entry can add to a match. */
const AGREEMENT = 1.4;

const MIN_NEARNESS = 0.35;

type HazardMeanings = { name: Meaning; whole: Meaning; causes: Meaning[] };

/** In a larger log only hazards that share words with a ticket are compared by meaning: searching all takes too long. */
const MAX_SEARCHED = 4000;

export type HazardIndex = {
  hazards: LogHazard[];
  rankings: KnowledgeRanking[];
  index: RankingIndex;
  scores: Float32Array;
  hits: Uint8Array;
  /** The scores added by the words that a ticket's abbreviations stand for. */
  spelledScores: Float32Array;
  /** For each hazard, the knowledge base entries close to it, with their nearness from 0 to 1. */
  nearnesses: Map<string, number>[];
  /** For each hazard, the meanings of its name, of its name with its description, and of its first causes. */
  meanings: (() => HazardMeanings)[];
  /** The meanings `whole` of all hazards; null for a log with too many. */
  wholes: MeaningIndex | null;
};

/** At most this many causes of a hazard are compared by meaning. */
const MAX_CAUSES = 12;

/**
 * The meanings of a hazard's parts, found when they are first asked for: of a large log few hazards are compared in
 * full. Causes in one cell stand in lines of their own.
 */
function meaningsOf({ name, description, causes }: LogHazard): () => HazardMeanings {
  let known: HazardMeanings | undefined;
  return () => {
    known ??= {
      name: meaningOf(name),
      whole: meaningOf(`${name}. ${description}`),
      causes: causes
        .flatMap(({ text }) => text.split('\n'))
        .filter((line) => line.trim())
        .slice(0, MAX_CAUSES)
        .map(meaningOf),
    };
    return known;
  };
}

/** How near a ticket is to a hazard by meaning: the mean of name, whole and closest cause. */
function nearnessByMeaning(ticket: Meaning, { name, whole, causes }: HazardMeanings): number {
  let closest = 0;
  for (const cause of causes) closest = Math.max(closest, nearnessOf(ticket, cause));
  return (nearnessOf(ticket, name) + nearnessOf(ticket, whole) + closest) / 3;
}

/**
 * Indexes the log's hazards together with the knowledge base, so that common words weigh little even in a short log.
 */
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
      { summary: text.name, description: [...text.description, ...text.causes].slice(0, MAX_RANKED_TERMS) },
      3,
    );
  });
  const nearnesses = rankings.map(({ top }) => {
    const near = new Map<string, number>();
    for (const { entry, score } of top) {
      const nearness = Math.min(1, score / 8) * (score / (top[0]?.score ?? score));
      if (nearness >= MIN_NEARNESS) near.set(entry.id, nearness);
    }
    return near;
  });
  const meanings = hazards.map(meaningsOf);
  return {
    hazards,
    rankings,
    index: buildIndex([...documents, ...background]),
    scores: new Float32Array(documents.length + background.length),
    hits: new Uint8Array(documents.length + background.length),
    spelledScores: new Float32Array(documents.length + background.length),
    nearnesses,
    meanings,
    wholes: hazards.length > MAX_SEARCHED ? null : indexMeanings(meanings.map((of) => of().whole)),
  };
}

/**
 * The weight of a term, which falls with its frequency in the tickets: the product's own name occurs in many of them.
 */
export type TermWeight = (term: string) => number;

export function weighTerms(tickets: Pick<ScoredTicket, 'terms'>[]): TermWeight {
  const frequencies = new Map<string, number>();
  for (const { terms } of tickets)
    for (const term of new Set([...terms.summary, ...terms.description]))
      frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  const maxLog = Math.log(1 + Math.max(20, tickets.length));
  return (term) => Math.max(0.15, 1 - Math.max(0, Math.log(frequencies.get(term) ?? 1)) / maxLog);
}

/** A match by words only, without a shared knowledge base entry, needs a score that is higher by this factor. */
const WORDS_ONLY_FACTOR = 1.35;
/** Below this even a shared entry can't raise a match over the threshold. */
const MIN_WORDS_SCORE = 0.8;
/** Number of hazards nearest by words, and of those nearest by meaning, that are compared in full. */
const MAX_COMPARED = 40;
const MAX_BY_MEANING = 20;
/** The score that full nearness by meaning adds. Words in common add about 2 to 8. */
const MEANING = 3;

/** A hazard near to a ticket, by its place in the log. */
type HazardMatch = {
  at: number;
  /** By meaning and by at least two distinctive words: decides whether the hazard is possible. */
  score: number;
  isPossible: boolean;
};

type MatchedTicket = Pick<ScoredTicket, 'terms' | 'ranking' | 'meaning' | 'spelled'>;

/** The hazards closest to a ticket: the possible ones first, then by words and meaning. */
export function matchHazards(
  matching: HazardIndex,
  ticket: MatchedTicket,
  weightOfTerm: TermWeight,
  count = 3,
): HazardMatch[] {
  const ranked = rankHazards(matching, ticket, weightOfTerm);
  const possible = choosePossible(ranked, (one, other) => areAlike(matching, one.at, other.at));
  const others = ranked.filter((match) => !possible.includes(match)).slice(0, count);
  const described = (matches: RankedMatch[], isPossible: boolean) =>
    matches.map(({ at, score }): HazardMatch => ({ at, score, isPossible }));
  return [...described(possible, true), ...described(others, false)].slice(0, count);
}

/** Every hazard that is compared in full, the nearest first. */
function rankHazards(
  matching: HazardIndex,
  { terms, ranking, meaning, spelled }: MatchedTicket,
  weightOfTerm: TermWeight,
): RankedMatch[] {
  const { hazards, hits, meanings, wholes, nearnesses, scores, spelledScores } = matching;
  scoreByWords(matching, terms, spelled, weightOfTerm);
  const certainties = ranking.top.slice(0, 3).map(({ entry, score }) => ({
    id: entry.id,
    certainty: Math.min(1, score / 8) * Math.min(1, score / (ranking.top[0]?.score || score || 1)),
  }));
  const byWords = findBest(spelledScores.subarray(0, hazards.length), MAX_COMPARED, MIN_WORDS_SCORE);
  const byMeaning = wholes ? findNearest(wholes, meaning, MAX_BY_MEANING) : [];
  const compared = new Set([...byWords.map(({ at }) => at), ...byMeaning]);
  const matches = [...compared].flatMap((at) => {
    const words = scores[at] ?? 0;
    const own = meanings[at];
    const byMeaningOnly = own ? MEANING * nearnessByMeaning(meaning, own()) : 0;
    const nearness = toHundredths((spelledScores[at] ?? 0) / WORDS_ONLY_FACTOR + byMeaningOnly);
    let score = 0;
    if ((hits[at] ?? 0) >= 2 && words > MIN_WORDS_SCORE) {
      score = words / WORDS_ONLY_FACTOR;
      for (const { id, certainty } of certainties) {
        const shared = nearnesses[at]?.get(id) ?? 0;
        score += Math.min(words * (WORDS_ONLY_FACTOR - 1), 1) * shared + AGREEMENT * certainty * shared;
      }
    }
    return nearness > 0 ? [{ at, score: toHundredths(Math.max(0, score + byMeaningOnly)), nearness }] : [];
  });
  return matches.sort((a, b) => b.nearness - a.nearness || a.at - b.at);
}

/** From this nearness by meaning on, two hazards count as alike, as do two with the same name. */
const MIN_ALIKE = 0.9;

const areAlike = ({ hazards, meanings }: HazardIndex, one: number, other: number): boolean =>
  hazards[one]?.name === hazards[other]?.name ||
  nearnessOf(meanings[one]!().whole, meanings[other]!().whole) >= MIN_ALIKE;

/** The weight of a word that an abbreviation stands for; a word of the summary has 1. */
const SPELLED_WEIGHT = 0.7;

/**
 * Scores every hazard by the words that it shares with a ticket, and beside that with those that its abbreviations
 * stand for: they order the hazards, but are too little to call one possible.
 */
function scoreByWords(
  { index, scores, hits, spelledScores }: HazardIndex,
  terms: ScoredTicket['terms'],
  spelled: readonly string[],
  weightOfTerm: TermWeight,
) {
  scores.fill(0);
  hits.fill(0);
  const query = [...queryOf(terms)]
    .slice(0, MAX_QUERY_TERMS)
    .map(([term, weight]): [string, number] => [term, weight * weightOfTerm(term)]);
  const size = query.reduce((sum, [, weight]) => sum + weight, 0);
  const norm = 1 / Math.sqrt(Math.max(3, size));
  addScoresAndHits(
    index,
    query.map(([term, weight]): [string, number] => [term, weight * norm]),
    scores,
    hits,
  );
  spelledScores.set(scores);
  const own = new Set(query.map(([term]) => term));
  const further = spelled.filter((term) => !own.has(term));
  addScores(
    index,
    further.map((term): [string, number] => [term, SPELLED_WEIGHT * norm]),
    spelledScores,
  );
}

/** From this nearness on, a hazard of the log counts as the same as a knowledge base entry. */
const MIN_SAME_NEARNESS = 0.75;

/** The hazards of the log that correspond to a knowledge base entry. */
export function findSimilarHazards({ hazards, nearnesses, rankings }: HazardIndex, kbId: string): LogHazard[] {
  return hazards.filter(
    (_, at) => (nearnesses[at]?.get(kbId) ?? 0) >= MIN_SAME_NEARNESS && rankings[at]?.top[0]?.entry.id === kbId,
  );
}
