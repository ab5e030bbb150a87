import type { KnowledgeEntry } from '../knowledge/knowledge.ts';
import { asksForChange } from './fixWords.ts';
import { wholeMeaningOf } from './knowledgeMeaning.ts';
import { nearnessOf } from './meaning.ts';
import type { ScoredTicket } from './relevance.ts';
import { termsOf } from './words.ts';

/** The lowest score by words of a sure match. */
const MIN_SCORE = 12;
/** The factor by which the score of an entry must exceed that of the next one, for a question in the chat. */
const MIN_LEAD = 1.3;
/**
 * The same for a proposal, and how near by meaning its tickets must be to the entry. Chosen on the labelled sets
 * (docs/evaluation.md), so that at least nine of ten sure proposals have the right entry. Other proposals are offered
 * with the next best candidates.
 */
const MIN_PROPOSAL_LEAD = 2;
const MIN_NEARNESS = 0.6;
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

/** Whether the closest entry of a question in the chat is a sure match. */
export function isSure(ticket: Pick<ScoredTicket, 'terms' | 'ranking'>): boolean {
  const [first, ...others] = ticket.ranking.top;
  const next = Math.max(0, ...others.map(({ score }) => score));
  return first !== undefined && isClearWinner(first.score, next) && isAbout(ticket, first.entry);
}

/** Whether the best score is high enough, and far enough ahead of the next, for a sure proposal. */
export function isFarAhead(best: number, next: number): boolean {
  return best >= MIN_SCORE && best >= next * MIN_PROPOSAL_LEAD;
}

/**
 * Whether a ticket makes an entry sure: about it by words and by meaning. A feature request, a question or a chore
 * shares words with an entry without anything going wrong.
 */
export function speaksFor(ticket: Pick<ScoredTicket, 'ticket' | 'terms' | 'meaning'>, entry: KnowledgeEntry): boolean {
  return (
    isAbout(ticket, entry) &&
    nearnessOf(ticket.meaning, wholeMeaningOf(entry.id)) >= MIN_NEARNESS &&
    !asksForChange(ticket.ticket)
  );
}

/** Whether the closest entry of a ticket is sure enough to be proposed for this ticket alone. */
export function hasSureKind(ticket: Pick<ScoredTicket, 'ticket' | 'terms' | 'meaning' | 'ranking'>): boolean {
  const [first, ...others] = ticket.ranking.top;
  const next = Math.max(0, ...others.map(({ score }) => score));
  return first !== undefined && isFarAhead(first.score, next) && speaksFor(ticket, first.entry);
}
