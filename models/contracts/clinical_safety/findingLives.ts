import { z } from 'zod';
import { endpoint, idParam, isoDate } from '../endpoint.ts';

export const MAX_COMMENT = 2000;
export const MAX_ACCEPT_REASON = 1000;
/** Comments on one finding. */
export const MAX_COMMENTS = 200;

const findingId = z.string().min(1).max(400);

const findingLife = z.object({
  findingId,
  /** 0 where nobody has decided anything. */
  version: z.number().int(),
  assignee: z.object({ userId: z.number().int(), name: z.string() }).nullable(),
  accepted: z
    .object({
      reason: z.string(),
      by: z.string(),
      at: isoDate,
      /** False where the log has another value since: the finding is open again. */
      holds: z.boolean(),
    })
    .nullable(),
  comments: z.array(z.object({ id: z.string(), by: z.string(), at: isoDate, text: z.string() })),
});
export type FindingLife = z.infer<typeof findingLife>;

export const listFindingLives = endpoint({
  method: 'get',
  path: '/api/hazard-analysis/:id/findings',
  summary:
    'What people decided and said about the findings of an analysis, and which the next analysis no longer found',
  policy: 'signed-in',
  scopes: ['analyses:read'],
  params: z.object({ id: idParam }),
  answer: z.object({
    /** Whether the caller may accept a finding. */
    mayAccept: z.boolean(),
    /** Whether the caller may assign findings to others. */
    mayAssign: z.boolean(),
    members: z.array(z.object({ userId: z.number().int(), name: z.string() })),
    lives: z.array(findingLife),
    /** The analysis after of the same log; null where there is none. */
    next: z
      .object({
        id: z.number().int(),
        createdAt: isoDate,
        logVersion: z.string().nullable(),
        /** Ids of the findings of this analysis that it no longer found. */
        fixed: z.array(z.string()),
        gone: z.array(z.string()),
      })
      .nullable(),
  }),
});
export type FindingLives = z.infer<typeof listFindingLives.answer>;

export const changeFinding = endpoint({
  method: 'patch',
  path: '/api/hazard-analysis/:id/findings',
  summary:
    'Assign a finding, accept it with a reason, or open it again; refused with `conflict` where it changed meanwhile',
  policy: 'signed-in',
  params: z.object({ id: idParam }),
  body: z.object({
    findingId,
    version: z.number().int().min(0),
    change: z.union([
      z.strictObject({ assignTo: idParam.nullable() }),
      z.strictObject({ accept: z.string().trim().min(1, 'Say why it stays as it is.').max(MAX_ACCEPT_REASON) }),
      z.strictObject({ reopen: z.literal(true) }),
    ]),
  }),
  answer: findingLife,
});

export const commentOnFinding = endpoint({
  method: 'post',
  path: '/api/hazard-analysis/:id/findings/comments',
  summary: 'Comment on a finding',
  policy: 'signed-in',
  params: z.object({ id: idParam }),
  body: z.object({ findingId, text: z.string().trim().min(1, 'Write a comment.').max(MAX_COMMENT) }),
  answer: findingLife,
});
