import { z } from 'zod';

/** What a person may edit in a proposed hazard before it is merged. */
const proposedValues = z.object({
  name: z.string(),
  description: z.string(),
  cause: z.string(),
  clinicalImpact: z.string(),
  controlDesign: z.string(),
  controlTest: z.string(),
  controlTraining: z.string(),
  controlBusiness: z.string(),
});
export type ProposedValues = z.infer<typeof proposedValues>;

/** The fields of a proposal that a person may change, in the order and by the names that people read. */
export const PROPOSED_FIELDS: readonly { name: keyof ProposedValues; label: string }[] = [
  { name: 'name', label: 'Hazard' },
  { name: 'description', label: 'Description' },
  { name: 'cause', label: 'Cause' },
  { name: 'clinicalImpact', label: 'Clinical impact' },
  { name: 'controlDesign', label: 'Design control' },
  { name: 'controlTest', label: 'Test control' },
  { name: 'controlTraining', label: 'Training control' },
  { name: 'controlBusiness', label: 'Business process control' },
];

/** Pre-control defaults for discussion. Never written into the log's rating columns. */
const suggestedRating = z.object({ severity: z.string(), likelihood: z.string(), risk: z.number() });

const knowledgeCandidate = z.object({
  /** Knowledge-base id, e.g. "MED-02". */
  kbId: z.string(),
  title: z.string(),
  category: z.string(),
  score: z.number(),
  /** What the proposal reads as with this entry; absent in results of before. */
  values: proposedValues.optional(),
  /** As in the proposal: for discussion, never entered in the log. */
  suggested: suggestedRating.optional(),
});
export type KnowledgeCandidate = z.infer<typeof knowledgeCandidate>;

/** A hazard that the tickets point to and the log does not have. A proposal, never more. */
export const newHazard = z.object({
  /** Stable: a hash of the knowledge-base id and the sorted ticket keys. */
  id: z.string(),
  /** The next free id in the log's own pattern, e.g. "NRL12". */
  proposedId: z.string(),
  kbId: z.string(),
  category: z.string(),
  /** One where the match is clear, up to three, best first, where it is not. */
  candidates: z.array(knowledgeCandidate).min(1).max(3),
  /** False where a person has to choose among the candidates. */
  sure: z.boolean(),
  values: proposedValues,
  suggested: suggestedRating,
  /** Verbatim quotes, each with the ticket that holds it. */
  evidence: z.array(z.object({ ticketKey: z.string(), summary: z.string(), quote: z.string() })).min(1),
  status: z.literal('Proposed – CSO review'),
  /** Hazards of the log that may say the same already, for the reviewer to compare; they hold no proposal back. */
  possibleHazardIds: z.array(z.string()).optional(),
  /** The same proposal, with the same tickets, was rejected in an earlier review of this account; the last one counts. */
  rejectedBefore: z.object({ by: z.string(), at: z.string(), reason: z.string().nullable() }).optional(),
});
export type NewHazard = z.infer<typeof newHazard>;
