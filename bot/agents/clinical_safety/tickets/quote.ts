import type { TicketRecord } from '../worker/jobs.ts';
import { termsOf } from './words.ts';

const LONGEST = 240;

/** Sentences and list items of a text, each a verbatim piece of it. */
function pieces(text: string): string[] {
  return text
    .slice(0, 8000)
    .split(/\n+|(?<=[.!?])\s+(?=\p{Lu})/u)
    .map((piece) => piece.replace(/^[\s*•#>-]+/, '').trim())
    .filter((piece) => piece.length >= 12);
}

/** Cut at a word, so that what is left still stands in the ticket as it is. */
function shorten(text: string): string {
  if (text.length <= LONGEST) return text;
  const cut = text.lastIndexOf(' ', LONGEST);
  return text.slice(0, cut > 80 ? cut : LONGEST).trimEnd();
}

/** The words of a ticket that say most about something: its summary, unless a sentence of the description says clearly more. Always verbatim. */
export function quoteFrom(ticket: TicketRecord, about: Set<string>): string {
  const weigh = (text: string) => {
    const terms = new Set(termsOf(text));
    let hits = 0;
    for (const term of terms) if (about.has(term)) hits += 1;
    return hits / Math.sqrt(Math.max(6, terms.size));
  };
  const summary = ticket.summary.trim();
  let chosen = summary;
  let weight = summary ? weigh(summary) + 0.5 : 0;
  for (const piece of pieces(ticket.description)) {
    const own = weigh(piece);
    if (own > weight) {
      chosen = piece;
      weight = own;
    }
  }
  return shorten(chosen);
}
