import { z } from 'zod';
import { endpoint, idParam, isoDate } from '../endpoint.ts';
import { existingHazard, finding } from './hazards.ts';

const rating = existingHazard.shape.initial;
const hazardNamed = z.object({ id: z.string(), name: z.string() });

/** One of the two analyses that are compared. */
const side = z.object({
  id: z.number().int(),
  createdAt: isoDate,
  logFileName: z.string(),
  logVersion: z.string().nullable(),
  engineVersion: z.string(),
  /** Null where no ticket was analysed, or none is relevant. */
  coverage: z.object({ covered: z.number().int(), relevant: z.number().int() }).nullable(),
});
export type ComparedSide = z.infer<typeof side>;

/** A rating that differs. */
const rerated = hazardNamed.extend({
  stage: z.enum(['initial', 'residual']),
  before: rating,
  after: rating,
});
export type Rerated = z.infer<typeof rerated>;

/** What changed between two analyses. Findings to note are not compared: they are information. */
const comparison = z.object({
  before: side,
  after: side,
  hazards: z.object({
    added: z.array(hazardNamed),
    removed: z.array(hazardNamed),
    rerated: z.array(rerated),
    /** The same name under another id. */
    renumbered: z.array(hazardNamed.extend({ idBefore: z.string() })),
    /** The same id under another name. */
    renamed: z.array(hazardNamed.extend({ nameBefore: z.string() })),
  }),
  findings: z.object({
    /** Of the earlier analysis: the hazard is still there, or it was about the whole log. */
    fixed: z.array(finding),
    /** Of the earlier analysis: all its hazards were removed. */
    gone: z.array(finding),
    /** Of the later analysis. */
    added: z.array(finding),
    /** Of the later analysis. */
    open: z.array(finding),
  }),
});
export type Comparison = z.infer<typeof comparison>;

export const compareAnalyses = endpoint({
  method: 'get',
  path: '/api/hazard-analysis/:id/comparison',
  summary: 'What changed since another analysis, by default the one before of the same log; null where there is none',
  policy: 'signed-in',
  params: z.object({ id: idParam }),
  query: z.object({ with: idParam.optional() }),
  answer: comparison.nullable(),
});
