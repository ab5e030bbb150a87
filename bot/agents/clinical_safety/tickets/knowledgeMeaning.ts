import { KNOWLEDGE } from '../knowledge/knowledge.ts';
import type { KnowledgeRanking } from './knowledgeRanking.ts';
import { type Meaning, meaningOf, nearnessOf } from './meaning.ts';

/** What full nearness of a part of an entry adds to its score by words, which is about 4 to 25 for the first. */
const WEIGHT = 6;

const meanings = KNOWLEDGE.map(({ title, description, causes, keywords, clinicalImpact }) => ({
  saying: meaningOf(`${title}. ${description}`),
  whole: meaningOf([title, description, ...causes, clinicalImpact, ...keywords].join('. ')),
  causes: causes.map(meaningOf),
}));

/**
 * The entries nearest to a ticket by words and by meaning together, best first. Each keeps its score by words, on
 * which sureness rests.
 * @param byWords every entry that shares a word with the ticket
 */
export function rankByMeaning(
  byWords: KnowledgeRanking['top'],
  meaning: Meaning,
  count: number,
): KnowledgeRanking['top'] {
  const scores = new Map(byWords.map(({ entry, score }) => [entry.id, score]));
  return KNOWLEDGE.map((entry, at) => {
    const score = scores.get(entry.id) ?? 0;
    return { entry, score, order: score + WEIGHT * nearnessTo(at, meaning) };
  })
    .sort((one, other) => other.order - one.order || one.entry.id.localeCompare(other.entry.id))
    .slice(0, count)
    .flatMap(({ entry, score, order }) => (order > 0 ? [{ entry, score }] : []));
}

function nearnessTo(at: number, meaning: Meaning): number {
  const own = meanings[at];
  if (!own) return 0;
  let closest = 0;
  for (const cause of own.causes) closest = Math.max(closest, nearnessOf(meaning, cause));
  return nearnessOf(meaning, own.saying) + closest + nearnessOf(meaning, own.whole);
}
