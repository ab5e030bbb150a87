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

/** What a language model chose for a ticket. It proposes to a person, and never counts as covered. */
export const matchChoice = z.object({
  /** One of the hazards that are offered; null where the model says that none of those it saw fits. */
  hazardId: z.string().nullable(),
  /** Verbatim from the ticket. */
  ticketQuote: z.string(),
  /** Verbatim from the hazard; empty where none was chosen. */
  hazardQuote: z.string(),
  /** The model: "azure:gpt-5". */
  model: z.string(),
});
export type MatchChoice = z.infer<typeof matchChoice>;

/** What a language model did in an analysis, counted in tickets. */
export const modelChoices = z.object({
  /** With possible matches, so that a model could be asked. */
  tickets: z.number().int(),
  /** For which it chose a hazard. */
  chosen: z.number().int(),
  /** For which it chose none of those that it saw. */
  none: z.number().int(),
  /** Whose answer did not pass the check, so that the order of the built-in engine stands. */
  dropped: z.number().int(),
  /** Not asked about: beyond the limit or the credits, or because no model answered. */
  notAsked: z.number().int(),
  /** Answers that were known from an earlier analysis. */
  known: z.number().int(),
  /** Tokens of this analysis, in credits. */
  tokens: z.number().int(),
});
export type ModelChoices = z.infer<typeof modelChoices>;

/** What a language model did about relevant tickets that nothing covers and no proposal names. */
export const modelDrafts = z.object({
  /** Tickets that it could be asked about. */
  tickets: z.number().int(),
  /** Tickets that it answered about, now or in an earlier analysis. */
  asked: z.number().int(),
  /** Of those, the tickets whose answer was known from an earlier analysis. */
  known: z.number().int(),
  /** Proposals that it drafted. */
  drafted: z.number().int(),
  /** Drafts that did not pass the check. */
  dropped: z.number().int(),
  /** Tokens of this analysis, in credits. */
  tokens: z.number().int(),
});
export type ModelDrafts = z.infer<typeof modelDrafts>;
