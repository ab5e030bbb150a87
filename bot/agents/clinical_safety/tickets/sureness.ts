import type { KnowledgeEntry } from '../knowledge/knowledge.ts';
import type { ScoredTicket } from './relevance.ts';
import { termsOf } from './words.ts';

/**
 * When the nearest entry may stand alone. Chosen by precision on the labelled sets (evaluation): a proposal that is
 * called sure has a right entry nine times in ten or more. What falls short is offered with the next best beside it.
 */
const LEAST_SCORE = 12;
/** Over the score of the next entry. */
const LEAST_LEAD = 1.3;
/** Of the summary's own words, as many have to be the entry's: two of nine say little of what a ticket is about. */
const LEAST_SHARE = 0.3;
const LEAST_WORDS = 2;

type EntryWords = { words: Set<string>; phrases: string[][] };
const known = new Map<string, EntryWords>();

function wordsOfEntry(entry: KnowledgeEntry): EntryWords {
  const there = known.get(entry.id);
  if (there) return there;
  const words = new Set(termsOf([entry.title, entry.description, ...entry.causes, ...entry.keywords].join('\n')));
  const phrases = entry.keywords.map(termsOf).filter(({ length }) => length > 1);
  known.set(entry.id, { words, phrases });
  return { words, phrases };
}

/** Is a ticket's summary in the words of an entry: a phrase of it or two words, and a fair share of the whole? */
export function speaksOf({ terms: { summary } }: Pick<ScoredTicket, 'terms'>, entry: KnowledgeEntry): boolean {
  const { words, phrases } = wordsOfEntry(entry);
  const distinct = [...new Set(summary)];
  const shared = distinct.filter((term) => words.has(term)).length;
  if (shared < LEAST_SHARE * distinct.length) return false;
  return (
    shared >= LEAST_WORDS ||
    phrases.some((stems) => summary.some((_, at) => stems.every((stem, offset) => summary[at + offset] === stem)))
  );
}

/** Does the best score stand clear of the next, and high enough for itself? */
export function standsAlone(best: number, next: number): boolean {
  return best >= LEAST_SCORE && best >= next * LEAST_LEAD;
}

/** May the nearest entry of one ticket stand alone? */
export function isSure(ticket: Pick<ScoredTicket, 'terms' | 'ranking'>): boolean {
  const [first, second] = ticket.ranking.top;
  return first !== undefined && standsAlone(first.score, second?.score ?? 0) && speaksOf(ticket, first.entry);
}
