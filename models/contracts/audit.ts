import { z } from 'zod';
import { endpoint, isoDate } from './endpoint.ts';

const auditEvent = z.object({
  seq: z.number().int(),
  event: z.string(),
  userId: z.number().int().nullable(),
  surface: z.string(),
  subject: z.string(),
  shownDigest: z.string().nullable(),
  outcome: z.string(),
  at: isoDate,
  hash: z.string(),
});
export type AuditEvent = z.infer<typeof auditEvent>;

export const readAudit = endpoint({
  method: 'get',
  path: '/api/audit',
  summary: 'The account’s audit chain, newest first',
  policy: 'owner',
  query: z.object({
    before: z.coerce.number().int().optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  answer: z.object({
    events: z.array(auditEvent),
  }),
});

export const verifyAudit = endpoint({
  method: 'get',
  path: '/api/audit/verify',
  summary: 'Whether the chain is whole, from its first row to its head',
  policy: 'owner',
  answer: z.object({
    whole: z.boolean(),
    rows: z.number().int(),
    head: z.string().nullable(),
    /** Sequence number of the first faulty row; null where the chain is intact or the fault is not in a row. */
    brokenAt: z.number().int().nullable(),
    /** The fault as a sentence; null where the chain is intact. */
    reason: z.string().nullable(),
  }),
});
