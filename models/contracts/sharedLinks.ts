import { z } from 'zod';
import { AGENT_IDS } from './catalogueAgent.ts';
import { endpoint, idParam, isoDate } from './endpoint.ts';
import { LIMITS } from './limits.ts';

/** The page that a link opens, without an account. */
export const sharedPath = (secret: string): string => `/auditor/${secret}`;

const { least, most } = LIMITS.sharedLinks.days;
const daysFault = `Choose ${least} to ${most} days.`;

/** A result of an agent. */
const sharedResult = z.object({ agentId: z.enum(AGENT_IDS), resultId: idParam });

const sharedLink = z.object({
  id: z.string(),
  madeBy: z.string(),
  createdAt: isoDate,
  expiresAt: isoDate,
  /** Null where it was never opened. */
  lastOpenedAt: isoDate.nullable(),
  openings: z.number().int(),
});
export type SharedLinkView = z.infer<typeof sharedLink>;

export const listSharedLinks = endpoint({
  method: 'get',
  path: '/api/shared-links',
  summary: 'The links to one result that work, newest first; never their secrets',
  policy: 'owner',
  query: sharedResult,
  answer: z.object({ links: z.array(sharedLink) }),
});

export const makeSharedLink = endpoint({
  method: 'post',
  path: '/api/shared-links',
  summary: 'Make a read-only link to one result, which works without an account. This answer alone holds its secret',
  policy: 'owner',
  rate: 'sharedLinks',
  body: sharedResult.extend({
    expiresInDays: z.number(daysFault).int(daysFault).min(least, daysFault).max(most, daysFault),
  }),
  status: 201,
  answer: z.object({ link: sharedLink, secret: z.string() }),
});

export const revokeSharedLink = endpoint({
  method: 'delete',
  path: '/api/shared-links/:id',
  summary: 'Revoke a link: it stops working at once',
  policy: 'owner',
  params: z.object({ id: z.string().regex(/^[0-9a-f]{24}$/) }),
  answer: z.object({ success: z.literal(true) }),
});

export const openSharedLink = endpoint({
  method: 'post',
  path: '/api/shared-links/open',
  summary: 'What a link shows. No session is read; each opening is in the company’s audit',
  policy: 'public',
  rate: 'sharedOpen',
  body: z.object({ secret: z.string().max(200) }),
  answer: z.object({
    agentId: z.enum(AGENT_IDS),
    expiresAt: isoDate,
    /** As the agent shows it to its members. */
    result: z.unknown(),
  }),
});
