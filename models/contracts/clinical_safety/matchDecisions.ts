import { z } from 'zod';
import { endpoint, isoDate } from '../endpoint.ts';

/** What a person decided on a ticket and a hazard. */
const matchDecision = z.object({
  id: z.string(),
  ticketKey: z.string(),
  /** As the log wrote it. */
  hazardId: z.string(),
  covers: z.boolean(),
  by: z.string(),
  at: isoDate,
  /** The surface that it was answered on. */
  via: z.string(),
  /** The question that was answered; another one means that the ticket was decided anew. */
  interruptId: z.number().int(),
  /** Null while the decision holds. */
  takenBack: z.object({ by: z.string(), at: isoDate }).nullable(),
});
export type MatchDecisionShown = z.infer<typeof matchDecision>;

/** Most decisions in one answer. */
export const MAX_DECISIONS_SHOWN = 2000;

export const listMatchDecisions = endpoint({
  method: 'get',
  path: '/api/match-decisions',
  summary: 'What people decided on tickets and hazards, the latest first, up to 2,000',
  policy: 'signed-in',
  answer: z.object({ mayChange: z.boolean(), decisions: z.array(matchDecision) }),
});

export const changeMatchDecision = endpoint({
  method: 'patch',
  path: '/api/match-decisions/:id',
  summary: 'Take back a decision on a ticket and a hazard, or restore it',
  policy: 'signed-in',
  params: z.object({ id: z.string().regex(/^[0-9a-f]{24}$/) }),
  body: z.object({
    /** The question of the decision that was shown; another one is refused with `conflict`. */
    interruptId: z.number().int(),
    isTakenBack: z.boolean(),
  }),
  answer: matchDecision,
});
