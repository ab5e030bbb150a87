import { z } from 'zod';
import { endpoint, isoDate } from './endpoint.ts';

const userStatistics = z.object({
  id: z.number().int(),
  email: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  createdAt: isoDate.nullable(),
  agentCount: z.number().int(),
  integrationCount: z.number().int(),
  billingStatus: z.enum(['free', 'pro', 'premium']),
  isAdmin: z.boolean(),
});
export type UserStatistics = z.infer<typeof userStatistics>;

export const userStats = endpoint({
  method: 'get',
  path: '/api/admin/users/stats',
  summary: 'Every user with their activity; up to 1,000 at once, then a page at a time',
  policy: 'admin',
  query: z.object({
    page: z.coerce.number().int().min(1).default(1),
    sort: z.enum(['joined', 'email', 'agents']).default('joined'),
    direction: z.enum(['ascending', 'descending']).default('descending'),
    /** Words that name or email contain; `total` then counts the users that match. */
    search: z.string().trim().max(200).default(''),
  }),
  answer: z.object({
    users: z.array(userStatistics),
    /** The users that match the search, or all. */
    total: z.number().int(),
    /** True where `users` is one page of more than 1,000. */
    paged: z.boolean(),
    /** Sums over all users, whatever the page and the search. */
    totals: z.object({
      users: z.number().int(),
      agents: z.number().int(),
      integrations: z.number().int(),
      admins: z.number().int(),
    }),
  }),
});

export const userTokens = endpoint({
  method: 'get',
  path: '/api/admin/user-tokens',
  summary: 'Credits of every user’s account, from the ledger',
  policy: 'admin',
  answer: z.object({
    users: z.array(
      z.object({
        id: z.number().int(),
        email: z.string(),
        tokensUsed: z.number().int(),
        tokensRemaining: z.number().int(),
      }),
    ),
    /** Sums over the accounts, however many members each has. */
    totals: z.object({ tokensUsed: z.number().int(), tokensRemaining: z.number().int() }),
  }),
});

export const GRANTABLE_PLANS = ['trial', 'starter', 'pro', 'enterprise'] as const;
export type GrantablePlan = (typeof GRANTABLE_PLANS)[number];

export const setPlan = endpoint({
  method: 'post',
  path: '/api/admin/plan',
  summary: 'Set the plan of a user’s account, without a purchase, e.g. after another payment or to extend a trial',
  policy: 'admin',
  body: z.object({
    userId: z.number().int().positive(),
    plan: z.enum(GRANTABLE_PLANS, 'Choose trial, starter, pro or enterprise.'),
    /** The last day, inclusive. Without it a trial has the usual length and a plan has no end. */
    until: z.iso.date('Use a date such as 2027-03-31.').optional(),
  }),
  answer: z.object({ success: z.literal(true), message: z.string() }),
});

/** At most this many tokens can be granted at once. */
export const MAX_GRANT = 1_000_000_000;

export const addTokens = endpoint({
  method: 'post',
  path: '/api/admin/add-tokens',
  summary: 'Grant credits to a user’s account',
  policy: 'admin',
  body: z.object({
    userId: z.number().int().positive(),
    tokensToAdd: z
      .number()
      .int()
      .positive('Please enter a valid positive number of tokens.')
      .max(MAX_GRANT, `Enter at most ${MAX_GRANT.toLocaleString('en-GB')} tokens.`),
    /** Made by the client to deduplicate: the same id grants once. */
    requestId: z.string().max(100).optional(),
  }),
  answer: z.object({ success: z.literal(true), message: z.string() }),
});

const failure = z.object({
  kind: z.enum(['delivery', 'answer']),
  id: z.string(),
  accountId: z.number().int(),
  companyName: z.string(),
  /** What failed, without content: "Message", "Question 34", "Mail: digest". */
  what: z.string(),
  /** The surface that it was for. */
  where: z.string(),
  attempts: z.number().int(),
  /** The last error. */
  reason: z.string(),
  at: isoDate,
});
export type Failure = z.infer<typeof failure>;

export const listFailures = endpoint({
  method: 'get',
  path: '/api/admin/failures',
  summary:
    'Failures that are no longer retried: deliveries, and side effects of answers that ended the process each time',
  policy: 'admin',
  answer: z.object({
    /** The newest 200 of each kind. */
    failures: z.array(failure),
    total: z.number().int(),
  }),
});

export const retryFailure = endpoint({
  method: 'post',
  path: '/api/admin/failures/retry',
  summary: 'Try a failure again; recorded in the audit of its company',
  policy: 'admin',
  body: failure.pick({ kind: true, id: true }),
  answer: z.object({ success: z.literal(true) }),
});
