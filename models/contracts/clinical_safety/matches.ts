import { z } from 'zod';
import { place } from './place.ts';

/** An earlier decision on a ticket and a hazard whose texts changed since, so that a person has to decide again. */
const staleDecision = z.object({
  /** Whether the person said that the hazard covers the ticket. */
  covers: z.boolean(),
  /** ISO 8601. */
  at: z.string(),
  /** What changed since. */
  changed: z.enum(['ticket', 'hazard', 'both']),
});
export type StaleDecision = z.infer<typeof staleDecision>;

/** A hazard that may cover a ticket, with what speaks for it: verbatim words of both sides. */
export const possibleMatch = z.object({
  hazardId: z.string(),
  hazardName: z.string(),
  /** Match score; 0 where the words are no longer near and only an earlier decision names the hazard. */
  score: z.number(),
  /** Verbatim from the ticket: what fails. */
  ticketQuote: z.string(),
  /** Verbatim from the hazard. */
  hazardQuote: z.string(),
  /** The cell of `hazardQuote`. */
  place,
  /** Digest of the hazard's texts. A decision holds only for these texts. */
  hazardDigest: z.string(),
  /** Absent where nobody decided before. */
  before: staleDecision.optional(),
});
export type PossibleMatch = z.infer<typeof possibleMatch>;
