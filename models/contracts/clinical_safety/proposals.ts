import { z } from 'zod';
import { place } from './place.ts';

/** The fields of a proposed hazard that a person may edit before the merge. */
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

/** The editable fields in display order, with their labels. */
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

/** A suggested initial rating, for discussion only: never written into the log's rating columns. */
const suggestedRating = z.object({ severity: z.string(), likelihood: z.string(), risk: z.number() });

const knowledgeCandidate = z.object({
  /** Knowledge-base id, e.g. "MED-02". */
  kbId: z.string(),
  title: z.string(),
  category: z.string(),
  score: z.number(),
  /** The proposal's values with this entry; absent in older results. */
  values: proposedValues.optional(),
  /** For discussion only, as in the proposal. */
  suggested: suggestedRating.optional(),
});
export type KnowledgeCandidate = z.infer<typeof knowledgeCandidate>;

/** The other form of a proposal: a cause of a hazard that the log has, or a control for it. */
const addition = z.object({
  /** "cause:NRL01" or "control:NRL01"; the choice that a review records. */
  id: z.string(),
  as: z.enum(['cause', 'control']),
  hazardId: z.string(),
  hazardName: z.string(),
  /** What is written: a name for the Change log, and the cause or the controls. */
  values: proposedValues.partial().required({ name: true }),
  /** The hazard's own words that are near, with their cell; null where none were found. */
  says: z.object({ text: z.string(), place }).nullable(),
});
export type Addition = z.infer<typeof addition>;

/** A proposed hazard: the tickets point to it and the log does not have it. */
export const newHazard = z.object({
  /** Stable: a hash of the knowledge-base id, or of a draft's name, and the sorted ticket keys. */
  id: z.string(),
  /** The next free id in the log's numbering, e.g. "NRL12"; of an addition, the id it gets if turned into a hazard. */
  proposedId: z.string(),
  /** Empty where a language model drafted it. */
  kbId: z.string(),
  category: z.string(),
  /** The language model that drafted it: "azure:gpt-5"; absent where it comes from the knowledge base. */
  draftedBy: z.string().optional(),
  /** One entry where the match is clear, otherwise up to three, best first; none where a language model drafted it. */
  candidates: z.array(knowledgeCandidate).max(3),
  /** False where a person has to choose one of the candidates. */
  sure: z.boolean(),
  values: proposedValues,
  /** Absent where a language model drafted it: a model rates nothing. */
  suggested: suggestedRating.optional(),
  /** Verbatim quotes, each with the ticket that holds it. */
  evidence: z.array(z.object({ ticketKey: z.string(), summary: z.string(), quote: z.string() })).min(1),
  status: z.literal('Proposed – CSO review'),
  /** Existing hazards that may already say the same, for the reviewer to compare; they do not suppress the proposal. */
  possibleHazardIds: z.array(z.string()).optional(),
  /** The same proposal as a cause of, or a control for, one of those hazards; absent in results before engine 1.5. */
  additions: z.array(addition).optional(),
  /** The addition that it is proposed as; absent where it is proposed as a new hazard. */
  proposedAs: z.string().optional(),
  /** Set where the same proposal with the same tickets was rejected in an earlier review; the latest rejection. */
  rejectedBefore: z
    .object({
      by: z.string(),
      at: z.string(),
      /** That day in the company's time zone; absent in earlier reviews. */
      day: z.string().optional(),
      reason: z.string().nullable(),
    })
    .optional(),
});
export type NewHazard = z.infer<typeof newHazard>;
