import { createHash } from 'node:crypto';
import type { ExistingHazard, Place } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { LogHazard } from '../reading/logModel.ts';
import type { TicketRecord } from '../worker/jobs.ts';
import { chooseQuote, type Piece, weighPiece } from './quote.ts';
import { termsOf } from './words.ts';

const digestOf = (texts: readonly string[]) =>
  createHash('sha256')
    .update(JSON.stringify(texts.map((text) => text.replace(/\s+/g, ' ').trim())))
    .digest('hex')
    .slice(0, 32);

/** Digest of the texts of a ticket that a person judges; the same for any white space. */
export const digestTicket = ({ summary, description }: Pick<TicketRecord, 'summary' | 'description'>): string =>
  digestOf([summary, description]);

/**
 * Digest of the texts of a hazard that a person judges: its name, description, causes and harm. Ratings, controls,
 * owner and status may change without another decision; so may its id.
 */
export const digestHazard = ({
  name,
  description,
  causes,
  clinicalImpact,
}: Pick<ExistingHazard, 'name' | 'description' | 'causes' | 'clinicalImpact'>): string =>
  digestOf([name, description, clinicalImpact, ...causes.map(({ text }) => text)]);

type HazardPiece = { text: string; terms: ReadonlySet<string>; place: Place };
type HazardWords = { digest: string; terms: ReadonlySet<string>; pieces: HazardPiece[] };

const MAX_LENGTH = 240;

/** The sentences and list items of a cell, verbatim and short enough to quote. */
const splitCell = (text: string): string[] =>
  text
    .split(/\n+|(?<=[.!?;])\s+(?=\p{Lu})/u)
    .map((part) => part.trim().slice(0, MAX_LENGTH))
    .filter(Boolean);

function readHazardWords(hazard: LogHazard): HazardWords {
  const { name, description, clinicalImpact, causes, textPlaces } = hazard;
  const row: Place = { sheet: hazard.rows.sheet, cell: `row ${hazard.rows.first}` };
  const cells: [text: string, place: Place][] = [
    [name, textPlaces.name ?? row],
    ...causes.map(({ text, place }): [string, Place] => [text, place]),
    [description, textPlaces.description ?? row],
    [clinicalImpact, textPlaces.clinicalImpact ?? row],
  ];
  const pieces = cells.flatMap(([text, place]) =>
    splitCell(text).map((part) => ({ text: part, terms: new Set(termsOf(part)), place })),
  );
  return { digest: digestHazard(hazard), terms: new Set(pieces.flatMap(({ terms }) => [...terms])), pieces };
}

/** The words of each hazard, read when first asked for. */
export function makeHazardReader(): (hazard: LogHazard) => HazardWords {
  const known = new Map<LogHazard, HazardWords>();
  return (hazard) => {
    const words = known.get(hazard) ?? readHazardWords(hazard);
    known.set(hazard, words);
    return words;
  };
}

/**
 * The evidence for a match on both sides, verbatim: the failure in the ticket, and the hazard's words with their cell.
 */
type MatchEvidence = { ticketQuote: string; hazardQuote: string; place: Place };

/** Chooses the words of both sides that have most in common. */
export function findEvidence(pieces: readonly Piece[], hazard: HazardWords): MatchEvidence {
  const ticketQuote = chooseQuote(pieces, hazard.terms);
  const about = new Set(termsOf(ticketQuote));
  const whole = new Set(pieces.flatMap(({ terms }) => [...terms]));
  let [chosen] = hazard.pieces;
  let best = -1;
  for (const piece of hazard.pieces) {
    // The quote's words count first; the rest of the ticket decides between equals.
    const weight = weighPiece(piece, about) + weighPiece(piece, whole) / 10;
    if (weight <= best) continue;
    chosen = piece;
    best = weight;
  }
  return { ticketQuote, hazardQuote: chosen?.text ?? '', place: chosen?.place ?? { sheet: '', cell: '' } };
}
