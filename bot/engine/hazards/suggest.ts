import { KNOWLEDGE, type KnowledgeEntry } from './knowledge.ts';
import { rankKnowledge, ticketTerms } from './tickets/knowledgeRanking.ts';

/** Below this an entry has next to nothing to do with the words. */
const LEAST_SCORE = 2.5;

/** Kinds of hazard that a text brings to mind, nearest first, out of so many that are known. */
export function suggestHazards(text: string, count = 5): { found: KnowledgeEntry[]; of: number } {
  const { top } = rankKnowledge(ticketTerms(text, ''), count);
  return { found: top.filter(({ score }) => score >= LEAST_SCORE).map(({ entry }) => entry), of: KNOWLEDGE.length };
}
