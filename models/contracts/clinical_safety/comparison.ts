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
    /** Of the later analysis, and not accepted. */
    open: z.array(finding),
    /** Of the later analysis: found before too, and accepted with a reason that still holds. */
    accepted: z.array(finding),
  }),
});
export type Comparison = z.infer<typeof comparison>;

/** At most this many versions of a log before and after one are read. */
export const MAX_VERSIONS_FOLLOWED = 10;

/** A hazard in one analysis of its log. */
const hazardVersion = hazardNamed.extend({
  analysisId: z.number().int(),
  createdAt: isoDate,
  logVersion: z.string().nullable(),
  firstRow: z.number().int(),
  initial: rating,
  residual: rating,
  /** Titles of its findings to fix and to check that the version before had and this one no longer has. */
  fixed: z.array(z.string()),
  /** Titles of those that the version before did not have; empty in the first. */
  added: z.array(z.string()),
});
export type HazardVersion = z.infer<typeof hazardVersion>;

export const readHazardHistory = endpoint({
  method: 'get',
  path: '/api/hazard-analysis/:id/hazard-history',
  summary: `A hazard in every analysed version of its log, the newest first, up to ${MAX_VERSIONS_FOLLOWED} before and after this one`,
  policy: 'signed-in',
  scopes: ['analyses:read'],
  params: z.object({ id: idParam }),
  query: z.object({
    hazard: z.string().min(1).max(400),
    /** The first row of the hazard, where several have its id. */
    row: z.coerce.number().int().min(1),
  }),
  answer: z.array(hazardVersion),
});

export const compareAnalyses = endpoint({
  method: 'get',
  path: '/api/hazard-analysis/:id/comparison',
  summary: 'What changed since another analysis, by default the one before of the same log; null where there is none',
  policy: 'signed-in',
  scopes: ['analyses:read'],
  params: z.object({ id: idParam }),
  query: z.object({ with: idParam.optional() }),
  answer: comparison.nullable(),
});
