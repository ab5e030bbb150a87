import type { TicketRecord } from '../worker/jobs.ts';
import { failingPart, readHeading, tellsFailure } from './fixWords.ts';
import { termsOf } from './words.ts';

const MAX_LENGTH = 240;
const MAX_READ = 8000;
const MIN_PIECE_LENGTH = 12;
/** The bonus of the summary as the ticket's own title. */
const SUMMARY_BONUS = 0.5;
/** The bonus of a sentence that describes a failure, if it is about the matter at all. */
const FAILURE_BONUS = 0.25;
/**
 * The factor on the weight of a sentence that describes the fix: it is quoted only where nothing else is about the
 * matter.
 */
const FIX_FACTOR = 0.25;

/** A sentence or list item of a text, verbatim. */
export type Piece = { text: string; terms: ReadonlySet<string>; isSummary: boolean; isFix: boolean };

const makePiece = (text: string, isSummary: boolean, isFix: boolean): Piece => ({
  text,
  terms: new Set(termsOf(text)),
  isSummary,
  isFix,
});

/** Splits a text into sentences and list items, each verbatim; `isFix` where it stands in a section about the fix. */
function splitPieces(text: string): { piece: string; isFix: boolean }[] {
  const pieces: { piece: string; isFix: boolean }[] = [];
  let inFix = false;
  for (const line of text.slice(0, MAX_READ).split(/\n+/)) {
    const heading = readHeading(line);
    if (heading) inFix = heading.isFix;
    for (const part of line.split(/(?<=[.!?])\s+(?=\p{Lu})/u)) {
      const piece = part.replace(/^[\s*•#>-]+/, '').trim();
      if (piece.length >= MIN_PIECE_LENGTH) pieces.push({ piece, isFix: inFix });
    }
  }
  return pieces;
}

/** The pieces of a ticket that can be quoted: its summary first, then the sentences of its description. */
export function readPieces({ summary, description }: Pick<TicketRecord, 'summary' | 'description'>): Piece[] {
  const title = summary.trim();
  return [
    ...(title ? [makePiece(failingPart(title) ?? title, true, failingPart(title) === null)] : []),
    ...splitPieces(description).map(({ piece, isFix }) => {
      const part = isFix ? null : failingPart(piece);
      return makePiece(part ?? piece, false, part === null);
    }),
  ];
}

/** Cuts a text at a word, so that the rest is still verbatim. */
function shorten(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const cut = text.lastIndexOf(' ', MAX_LENGTH);
  return text.slice(0, cut > 80 ? cut : MAX_LENGTH).trimEnd();
}

/** How much a piece says about a matter: the share of its words that are the matter's. */
export function weighPiece({ terms }: Pick<Piece, 'terms'>, about: ReadonlySet<string>): number {
  let hits = 0;
  for (const term of terms) if (about.has(term)) hits += 1;
  return hits / Math.sqrt(Math.max(6, terms.size));
}

/**
 * The verbatim quote of a ticket about a matter: its summary, unless a sentence of the description says clearly more. A
 * sentence about a failure is preferred to one about its fix.
 */
export function chooseQuote(pieces: readonly Piece[], about: ReadonlySet<string>): string {
  let chosen = '';
  let best = 0;
  for (const piece of pieces) {
    const own = weighPiece(piece, about);
    const gained = (piece.isSummary ? SUMMARY_BONUS : 0) + (own > 0 && tellsFailure(piece.text) ? FAILURE_BONUS : 0);
    const weight = piece.isFix ? (own + (piece.isSummary ? SUMMARY_BONUS : 0)) * FIX_FACTOR : own + gained;
    if (weight <= best) continue;
    chosen = piece.text;
    best = weight;
  }
  return shorten(chosen);
}

/** The verbatim quote of a ticket about a matter, given by its terms. */
export const quoteFrom = (ticket: TicketRecord, about: ReadonlySet<string>): string =>
  chooseQuote(readPieces(ticket), about);
