import { z } from 'zod';
import { endpoint, idParam } from '../endpoint.ts';

/** A step of a workflow as a text names it, with the what-if questions of SWIFT. */
const assessedStep = z.object({
  /** Verbatim from the text. */
  quote: z.string(),
  /** What kind of step it is, for people. */
  kind: z.string(),
  prompts: z.array(z.string()),
});

/** A kind of hazard to consider. It has no rating, because only a Clinical Safety Officer rates. */
const possibleHazard = z.object({
  /** Its entry in the knowledge base. */
  kbId: z.string(),
  name: z.string(),
  description: z.string(),
  clinicalImpact: z.string(),
  possibleCauses: z.array(z.string()),
  controlsToConsider: z.array(z.string()),
  /** The parts of the text that it was found by, verbatim. */
  quotes: z.array(z.string()),
});
export type PossibleHazard = z.infer<typeof possibleHazard>;

export const assessment = z.object({
  steps: z.array(assessedStep),
  hazards: z.array(possibleHazard),
  /** What to ask next. */
  questions: z.array(z.string()),
});
export type Assessment = z.infer<typeof assessment>;

export const analyse = endpoint({
  method: 'post',
  path: '/api/clinical-safety-agent/:id/analyze',
  summary:
    'A preliminary list of hazards to consider for a product or a concern, by the guidewords of SWIFT; no rating',
  policy: 'signed-in',
  startsWork: true,
  rate: ['chat', 'chatAccount'],
  params: z.object({ id: idParam }),
  body: z.object({
    message: z.string().trim().min(1, 'Please describe your digital health product or safety concern.').max(8000),
  }),
  answer: assessment.extend({ success: z.literal(true), response: z.string(), workspaceId: z.number().int() }),
});
