import { onFirstUse } from '../../../../models/onFirstUse.ts';
import { KNOWLEDGE } from '../knowledge/knowledge.ts';
import type { KnowledgeRanking } from './knowledgeRanking.ts';
import { type Meaning, meaningOf, nearnessOf } from './meaning.ts';
import { findBest } from './ranking.ts';

/**
 * The score that full nearness of a part of an entry adds to its score by words, which is about 4 to 25 for the first
 * entry.
 */
const WEIGHT = 6;
/** At most this many entries are also compared by their causes. */
const MAX_COMPARED = 24;

const readMeanings = onFirstUse(() =>
  KNOWLEDGE.map(({ title, description, causes, keywords, clinicalImpact }) => ({
    saying: meaningOf(`${title}. ${description}`),
    whole: meaningOf([title, description, ...causes, clinicalImpact, ...keywords].join('. ')),
    causes: causes.map(meaningOf),
  })),
);

const placeOf = new Map(KNOWLEDGE.map(({ id }, at) => [id, at]));

/** The meaning of all words of an entry. */
export const wholeMeaningOf = (id: string): Meaning => readMeanings()[placeOf.get(id) ?? -1]?.whole ?? meaningOf('');

// Reused for each ticket, because an export has thousands.
const byWord = new Float64Array(KNOWLEDGE.length);
const order = new Float32Array(KNOWLEDGE.length);

/**
 * The entries nearest to a ticket by words and by meaning together, best first. Each keeps its score by words, on
 * which sureness rests.
 * @param byWords every entry that shares a word with the ticket
 * @param ordering the same with what the ticket's abbreviations stand for: it orders, and gives no entry its score
 */
export function rankByMeaning(
  byWords: KnowledgeRanking['top'],
  meaning: Meaning,
  count: number,
  ordering: KnowledgeRanking['top'] = byWords,
): KnowledgeRanking['top'] {
  byWord.fill(0);
  order.fill(0);
  for (const { entry, score } of byWords) byWord[placeOf.get(entry.id) ?? 0] = score;
  for (const { entry, score } of ordering) order[placeOf.get(entry.id) ?? 0] = score;
  for (let at = 0; at < order.length; at += 1) order[at] = order[at]! + WEIGHT * nearnessTo(at, meaning);
  const likely = findBest(order, MAX_COMPARED);
  order.fill(0);
  for (const { at, score } of likely) order[at] = score + WEIGHT * nearnessToCauses(at, meaning);
  return findBest(order, count).flatMap(({ at }) => {
    const entry = KNOWLEDGE[at];
    return entry ? [{ entry, score: byWord[at] ?? 0 }] : [];
  });
}

function nearnessTo(at: number, meaning: Meaning): number {
  const own = readMeanings()[at];
  return own ? nearnessOf(meaning, own.saying) + nearnessOf(meaning, own.whole) : 0;
}

/** How near a ticket is to the closest cause of an entry. */
function nearnessToCauses(at: number, meaning: Meaning): number {
  let closest = 0;
  for (const cause of readMeanings()[at]?.causes ?? []) closest = Math.max(closest, nearnessOf(meaning, cause));
  return closest;
}
