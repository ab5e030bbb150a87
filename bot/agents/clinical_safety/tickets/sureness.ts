import type { KnowledgeEntry } from '../knowledge/knowledge.ts';
import type { ScoredTicket } from './relevance.ts';
import { termsOf } from './words.ts';

/**
 * The lowest score of a sure match. Chosen by precision on the labelled sets (evaluation), so that at least nine of ten
 * sure proposals have the right entry. Other proposals are offered with the next best candidates.
 */
const MIN_SCORE = 12;
/** The factor by which the score must exceed that of the next entry. */
const MIN_LEAD = 1.3;
/** The share of the summary's words that the entry must have: two of nine say little about the ticket's subject. */
const MIN_SHARE = 0.3;
const MIN_SHARED_WORDS = 2;

type EntryWords = { words: Set<string>; phrases: string[][] };
const cache = new Map<string, EntryWords>();

function wordsOfEntry(entry: KnowledgeEntry): EntryWords {
  const cached = cache.get(entry.id);
  if (cached) return cached;
  const words = new Set(termsOf([entry.title, entry.description, ...entry.causes, ...entry.keywords].join('\n')));
  const phrases = entry.keywords.map(termsOf).filter(({ length }) => length > 1);
  cache.set(entry.id, { words, phrases });
  return { words, phrases };
}

/**
 * Whether a ticket's summary is about an entry: it shares a phrase or two words, and a sufficient part of the summary.
 */
export function isAbout({ terms: { summary } }: Pick<ScoredTicket, 'terms'>, entry: KnowledgeEntry): boolean {
  const { words, phrases } = wordsOfEntry(entry);
  const distinct = [...new Set(summary)];
  const shared = distinct.filter((term) => words.has(term)).length;
  if (shared < MIN_SHARE * distinct.length) return false;
  return (
    shared >= MIN_SHARED_WORDS ||
    phrases.some((stems) => summary.some((_, at) => stems.every((stem, offset) => summary[at + offset] === stem)))
  );
}

/** Whether the best score is high enough and clearly ahead of the next. */
export function isClearWinner(best: number, next: number): boolean {
  return best >= MIN_SCORE && best >= next * MIN_LEAD;
}

/** Whether the closest entry of a ticket is a sure match. */
export function isSure(ticket: Pick<ScoredTicket, 'terms' | 'ranking'>): boolean {
  const [first, ...others] = ticket.ranking.top;
  const next = Math.max(0, ...others.map(({ score }) => score));
  return first !== undefined && isClearWinner(first.score, next) && isAbout(ticket, first.entry);
}
