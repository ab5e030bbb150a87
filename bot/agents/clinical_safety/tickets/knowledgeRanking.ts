import { onFirstUse } from '../../../../models/onFirstUse.ts';
import { KNOWLEDGE, type KnowledgeEntry } from '../knowledge/knowledge.ts';
import { addScores, buildIndex, findBest } from './ranking.ts';
import { termsOf } from './words.ts';

/** The weight of each part of an entry (docs/clinical-safety.md, section 5). */
const WEIGHTS = { title: 2, description: 1, causes: 1, keywords: 2, impact: 0.5 };

const readIndex = onFirstUse(() =>
  buildIndex(
    KNOWLEDGE.map((entry) => [
      { terms: termsOf(entry.title), weight: WEIGHTS.title },
      { terms: termsOf(entry.description), weight: WEIGHTS.description },
      { terms: entry.causes.flatMap(termsOf), weight: WEIGHTS.causes },
      { terms: entry.keywords.flatMap(termsOf), weight: WEIGHTS.keywords },
      { terms: termsOf(entry.clinicalImpact), weight: WEIGHTS.impact },
    ]),
  ),
);

/** A keyword phrase: its stems, and the positions of the entries that have it. */
type Phrase = { stems: string[]; entries: number[]; weight: number };
/** The keyword phrases by first stem. */
const readPhrases = onFirstUse(() => {
  const phrases = new Map<string, Phrase[]>();
  const known = new Map<string, Phrase>();
  for (const [at, entry] of KNOWLEDGE.entries())
    for (const keyword of entry.keywords) {
      const stems = termsOf(keyword);
      const [first] = stems;
      if (!first) continue;
      const key = stems.join(' ');
      const phrase = known.get(key) ?? { stems, entries: [], weight: 0 };
      if (!phrase.entries.includes(at)) phrase.entries.push(at);
      if (!known.has(key)) {
        known.set(key, phrase);
        phrases.set(first, [...(phrases.get(first) ?? []), phrase]);
      }
    }
  for (const phrase of known.values())
    phrase.weight = (phrase.stems.length > 1 ? 1.6 + 0.8 * phrase.stems.length : 1) / Math.sqrt(phrase.entries.length);
  return phrases;
});

/** A ticket's stems in order. The summary weighs more than the description. */
export type TicketTerms = { summary: string[]; description: string[] };

const MAX_DESCRIPTION_TERMS = 160;

export function ticketTerms(summary: string, description: string): TicketTerms {
  return {
    summary: termsOf(summary.slice(0, 1000)),
    description: termsOf(description.slice(0, 6000)).slice(0, MAX_DESCRIPTION_TERMS),
  };
}

/** Distinct stems of a ticket with their weights. */
export function queryOf({ summary, description }: TicketTerms): Map<string, number> {
  const query = new Map<string, number>();
  for (const term of summary) query.set(term, 1);
  for (const term of description) if (!query.has(term)) query.set(term, 0.35);
  return query;
}

function addPhrases(terms: string[], weight: number, scores: Float32Array): number {
  let count = 0;
  const phrases = readPhrases();
  const seen = new Set<Phrase>();
  for (const [at, term] of terms.entries())
    for (const phrase of phrases.get(term) ?? []) {
      if (seen.has(phrase) || !phrase.stems.every((part, offset) => terms[at + offset] === part)) continue;
      seen.add(phrase);
      if (phrase.stems.length > 1) count += 1;
      for (const entry of phrase.entries) scores[entry] = (scores[entry] ?? 0) + weight * phrase.weight;
    }
  return count;
}

export type KnowledgeRanking = {
  top: { entry: KnowledgeEntry; score: number }[];
  /** Best score of the summary alone, for the relevance of the ticket. */
  summaryScore: number;
  phrasesInSummary: number;
  phrasesInDescription: number;
};

const scores = new Float32Array(KNOWLEDGE.length);

/** Ranks the knowledge base entries for a ticket or any other text, by words and by keyword phrases. */
export function rankKnowledge(terms: TicketTerms, count = 5): KnowledgeRanking {
  const index = readIndex();
  scores.fill(0);
  addScores(index, new Map(terms.summary.map((term) => [term, 1])), scores);
  const phrasesInSummary = addPhrases(terms.summary, 1.5, scores);
  const summaryScore = findBest(scores, 1)[0]?.score ?? 0;
  const inSummary = new Set(terms.summary);
  addScores(
    index,
    new Map(terms.description.filter((term) => !inSummary.has(term)).map((term) => [term, 0.35])),
    scores,
  );
  const phrasesInDescription = addPhrases(terms.description, 0.5, scores);
  const top = findBest(scores, count).flatMap(({ at, score }) => {
    const entry = KNOWLEDGE[at];
    return entry ? [{ entry, score }] : [];
  });
  return { top, summaryScore, phrasesInSummary, phrasesInDescription };
}
