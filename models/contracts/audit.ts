import { z } from 'zod';
import { endpoint, isoDate } from './endpoint.ts';

const auditEvent = z.object({
  seq: z.number().int(),
  event: z.string(),
  userId: z.number().int().nullable(),
  /** The person's name; null for a program, a schedule, a command, or somebody whose data was erased. */
  userName: z.string().nullable(),
  surface: z.string(),
  subject: z.string(),
  /** What the subject is called, and the page that shows it; null where Arc names it by kind and id alone. */
  subjectName: z.object({ text: z.string(), path: z.string().nullable() }).nullable(),
  shownDigest: z.string().nullable(),
  outcome: z.string(),
  at: isoDate,
  hash: z.string(),
});
export type AuditEvent = z.infer<typeof auditEvent>;

/** Kinds of event, by how their names begin. What belongs to none is work: documents, merges, readings. */
export const AUDIT_KINDS = {
  answers: ['interrupt.'],
  people: ['member.', 'invitation.', 'roles.', 'officer.', 'account.', 'administrator.'],
  'sign-ins': ['session.', 'password.'],
  agents: ['agent.', 'tool.', 'tool-server.', 'server-tool.', 'token.'],
  settings: ['consent.', 'signing.', 'plan.', 'credits.', 'integration.'],
  work: null,
} as const satisfies Record<string, readonly string[] | null>;
export type AuditKind = keyof typeof AUDIT_KINDS;
const AUDIT_KIND_NAMES = Object.keys(AUDIT_KINDS) as [AuditKind, ...AuditKind[]];

export const readAudit = endpoint({
  method: 'get',
  path: '/api/audit',
  summary: 'The account’s audit chain, newest first, all of it or what fits the filters',
  policy: 'owner',
  scopes: ['audit:read'],
  query: z.object({
    before: z.coerce.number().int().optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    kind: z.enum(AUDIT_KIND_NAMES).optional(),
    userId: z.coerce.number().int().optional(),
    /** Days in the company's time zone, both included. */
    from: z.iso.date().optional(),
    to: z.iso.date().optional(),
    /** Words of the event, its subject or its outcome, or of the name of a person in them; case does not matter. */
    search: z.string().trim().max(100).optional(),
  }),
  answer: z.object({
    events: z.array(auditEvent),
    /** `before` for the rows that follow; null at the chain's beginning. */
    next: z.number().int().nullable(),
  }),
});

export const verifyAudit = endpoint({
  method: 'get',
  path: '/api/audit/verify',
  summary: 'Whether the chain is whole, from its first row to its head',
  policy: 'owner',
  scopes: ['audit:read'],
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
