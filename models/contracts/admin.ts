import { z } from 'zod';
import { endpoint, idParam, isoDate } from './endpoint.ts';
import { SHOWN_RUN_STATUSES } from './runStatus.ts';

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
  kind: z.enum(['delivery', 'answer', 'reading', 'turn', 'export']),
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
    'Work that was given up: deliveries, side effects of answers, readings of connected tools, messages to agents',
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

export const dropFailure = endpoint({
  method: 'post',
  path: '/api/admin/failures/drop',
  summary: 'Take a failure off the list without trying it again; recorded in the audit of its company',
  policy: 'admin',
  body: failure.pick({ kind: true, id: true }),
  answer: z.object({ success: z.literal(true) }),
});

/** Rows of each list on the page of a user, newest first; sessions, agents and connections are all shown. */
export const MAX_OF_USER = 20;

/** What belongs to one of the user's companies. */
const ofCompany = z.object({ accountId: z.number().int(), companyName: z.string() });

const userRun = ofCompany.extend({
  id: z.string(),
  agent: z.string(),
  /** What kind of work it is; never its goal, which is content. */
  title: z.string(),
  status: z.enum(SHOWN_RUN_STATUSES),
  startedAt: isoDate,
  /** Credits. */
  cost: z.number().int(),
});
export type UserRun = z.infer<typeof userRun>;

const userConnection = ofCompany.extend({
  kind: z.enum(['channel', 'tool']),
  name: z.string(),
  state: z.enum(['connected', 'broken', 'ended']),
  /** Why it is broken. */
  reason: z.string().nullable(),
  since: isoDate,
});
export type UserConnection = z.infer<typeof userConnection>;

const userSession = z.object({
  id: z.string(),
  /** Browser and system in words; null for a browser that could not be told. */
  device: z.string().nullable(),
  companyName: z.string(),
  since: isoDate,
  lastUsed: isoDate,
});

const userCompany = ofCompany.extend({
  roles: z.array(z.string()),
  plan: z.enum(GRANTABLE_PLANS),
  /** When the trial or the plan ends; null for a plan without an end. */
  endsAt: isoDate.nullable(),
  isOver: z.boolean(),
});
export type UserCompany = z.infer<typeof userCompany>;

export const readUser = endpoint({
  method: 'get',
  path: '/api/admin/users/:id',
  summary: 'A user with companies, sessions, agents, runs, connections, credits and failures; no content, no secrets',
  policy: 'admin',
  params: z.object({ id: idParam }),
  answer: z.object({
    user: userStatistics
      .pick({ id: true, email: true, firstName: true, lastName: true, createdAt: true, isAdmin: true })
      .extend({
        emailVerified: z.boolean(),
        /** Since when no notices are sent to the address, because a mail server refused it. */
        mailRefusedAt: isoDate.nullable(),
      }),
    companies: z.array(userCompany),
    sessions: z.array(userSession),
    agents: z.array(ofCompany.extend({ name: z.string(), isOnboarded: z.boolean(), hiredAt: isoDate })),
    runs: z.array(userRun),
    connections: z.array(userConnection),
    grants: z.array(ofCompany.extend({ at: isoDate, amount: z.number().int(), note: z.string() })),
    failures: z.array(failure),
  }),
});
export type UserDetails = z.infer<(typeof readUser)['answer']>;

export const endUserSession = endpoint({
  method: 'delete',
  path: '/api/admin/users/:id/sessions/:sessionId',
  summary: 'Sign a user out of one browser; recorded in the audit of each of their companies',
  policy: 'admin',
  params: z.object({ id: idParam, sessionId: z.string().regex(/^[0-9a-f]{24}$/) }),
  answer: z.object({ success: z.literal(true) }),
});

export const endUserSessions = endpoint({
  method: 'post',
  path: '/api/admin/users/:id/end-sessions',
  summary: 'Sign a user out everywhere; recorded in the audit of each of their companies',
  policy: 'admin',
  params: z.object({ id: idParam }),
  answer: z.object({ success: z.literal(true) }),
});
