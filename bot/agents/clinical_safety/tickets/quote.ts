import type { TicketRecord } from '../worker/jobs.ts';
import { termsOf } from './words.ts';

const MAX_LENGTH = 240;

/** Splits a text into sentences and list items, each verbatim. */
function splitPieces(text: string): string[] {
  return text
    .slice(0, 8000)
    .split(/\n+|(?<=[.!?])\s+(?=\p{Lu})/u)
    .map((piece) => piece.replace(/^[\s*•#>-]+/, '').trim())
    .filter((piece) => piece.length >= 12);
}

/** Cuts a text at a word, so that the rest is still verbatim. */
function shorten(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const cut = text.lastIndexOf(' ', MAX_LENGTH);
  return text.slice(0, cut > 80 ? cut : MAX_LENGTH).trimEnd();
}

/**
 * A verbatim quote from a ticket: its summary, unless a sentence of the description shares clearly more of the given
 * terms.
 */
export function quoteFrom(ticket: TicketRecord, about: Set<string>): string {
  const scoreOf = (text: string) => {
    const terms = new Set(termsOf(text));
    let hits = 0;
    for (const term of terms) if (about.has(term)) hits += 1;
    return hits / Math.sqrt(Math.max(6, terms.size));
  };
  const summary = ticket.summary.trim();
  let chosen = summary;
  let weight = summary ? scoreOf(summary) + 0.5 : 0;
  for (const piece of splitPieces(ticket.description)) {
    const own = scoreOf(piece);
    if (own > weight) {
      chosen = piece;
      weight = own;
    }
  }
  return shorten(chosen);
}
