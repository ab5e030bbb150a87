import { z } from 'zod';
import { endpoint, idParam, isoDate } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { consentMode } from './preferences.ts';
import { rowDecision } from './questionRows.ts';
import { questionView } from './questionView.ts';
import { rowDecider } from './rowDeciders.ts';
import { surface } from './surface.ts';

const interruptStatus = z.enum(['pending', 'resolved', 'cancelled']);

/** The row decisions made so far, saved as they are made. */
const reviewDraft = z.object({
  rows: z.array(rowDecision),
  /** By row id: the option chosen for a row that is not decided yet. */
  chosen: z.record(z.string(), z.string()).optional(),
  /** Incremented by each save; a save names the version it read. */
  version: z.number().int(),
  savedAt: isoDate.nullable(),
  savedBy: z.string().nullable(),
  /** Rows whose decision was carried over from a withdrawn review and has not been changed since. */
  kept: z.array(z.string()).optional(),
  /** The decisions of the last step that decided all undecided rows at once; they can be taken back together. */
  rest: z.array(rowDecision).optional(),
});

export const resolution = z.object({
  /** The outcome, for lists and the audit. */
  outcome: z.enum(['approved', 'modified', 'rejected', 'answered']),
  by: z.object({ userId: z.number().int().nullable(), name: z.string() }),
  via: surface,
  at: isoDate,
  reason: z.string().nullable(),
  /** The consent mode that the surface showed; absent where it showed the whole question. */
  shownUnder: consentMode.optional(),
  /** "Approved by Ada Okafor in arc-chat, 14:02". */
  text: z.string(),
});
export type Resolution = z.infer<typeof resolution>;

export const interrupt = z.object({
  id: z.number().int(),
  userAgentId: z.number().int(),
  /** Catalogue id of the asking agent. */
  agentId: z.string(),
  agentName: z.string(),
  /** The name of the access token, where a program outside Arc asks. */
  askedBy: z.string().optional(),
  /** The kind, e.g. `approval`; `view` says how to draw and answer it. */
  interruptType: z.string(),
  view: questionView,
  status: interruptStatus,
  prompt: z.string(),
  /** Strings for decisions; objects for project types. */
  options: z.array(z.union([z.string(), z.object({ id: z.string(), label: z.string(), action: z.string() })])),
  /** What the question is about; rows to decide stand in `view.rows`. */
  context: z
    .object({
      objective: z.string().optional(),
      step: z.string().optional(),
      title: z.string().optional(),
      description: z.string().optional(),
      headline: z.string().optional(),
    })
    .loose(),
  createdAt: isoDate,
  resolvedAt: isoDate.nullable(),
  userResponse: z.unknown().nullable(),
  resolution: resolution.nullable(),
  draft: reviewDraft.nullable(),
  /** Who decided each row of a review; rows that nobody has decided, or that were only preselected, are absent. */
  decidedBy: z.array(rowDecider),
  /** SHA-256 of the shown content; an answer may name it to be refused when it changed. */
  shownDigest: z.string(),
  /** The role that has to answer; null where the owner or any approver can. */
  requires: z.enum(['clinical-safety-officer']).nullable(),
  /** An answer that was given where nobody can sign, as a sentence; absent where there is none. */
  proposed: z.string().optional(),
  /** Who is to answer it, until when it is put off, and what members said about it; each absent where there is none. */
  assignee: z.object({ userId: z.number().int(), name: z.string() }).optional(),
  snooze: z
    .object({ until: isoDate, by: z.string(), /** "Put off until Mon 4 May, 09:00 by Ada Okafor" */ text: z.string() })
    .optional(),
  comments: z
    .array(z.object({ id: z.string(), name: z.string(), via: z.string(), at: isoDate, text: z.string() }))
    .optional(),
  /**
   * What the requesting user may do, and who has to answer where they may not. `signed`: they gave the first of two
   * signatures, so that it waits for somebody else; another answer of theirs takes its place. `withdraw`: they may end
   * the work that asks.
   */
  abilities: z.object({
    answer: z.boolean(),
    signed: z.literal(true).optional(),
    withdraw: z.literal(true).optional(),
    waitsFor: z.string().optional(),
  }),
  /** Who gave the first of two signatures; absent where nobody has. */
  signedBy: z.object({ userId: z.number().int(), name: z.string(), outcome: resolution.shape.outcome }).optional(),
});
export type Interrupt = z.infer<typeof interrupt>;

/**
 * A step of a review that its surfaces offer once some rows are decided. Only `send` answers the question; the others
 * change its draft.
 */
const reviewStep = z.discriminatedUnion('step', [
  z.object({
    step: z.literal('decide-rest'),
    outcome: z.enum(['accepted', 'rejected']),
    /** The number of undecided rows that was shown; another number is refused. */
    undecided: z.number().int().positive(),
  }),
  z.object({ step: z.literal('undo-rest') }),
  z.object({ step: z.literal('send') }),
]);
export type ReviewStep = z.infer<typeof reviewStep>;

/** Body of a resolve call. The kind of question decides which fields count (docs/spec-coverage.md, S2 section 7). */
const answerBody = z.object({
  selectedOption: z.string().optional(),
  userInput: z.string().max(8000).optional(),
  approved: z.boolean().optional(),
  userResponse: z.unknown().optional(),
  reason: z.string().max(2000).optional(),
  /** The web surface; the inbox by default. */
  surface: z.enum(['inbox', 'arc-chat']).optional(),
  shownDigest: z.string().optional(),
  /** Reviews: the draft version that was shown. Refused where somebody has saved another one since. */
  draftVersion: z.number().int().optional(),
  /** The signature of the person who answers, where the company asks for one (`signature_needed`). */
  sign: z.object({ password: z.string().max(200), reason: z.string().max(2000) }).optional(),
  /** Reviews: a step on the draft, or `send`, instead of an answer. */
  review: reviewStep.optional(),
});
export type AnswerBody = z.infer<typeof answerBody>;

export const listInterrupts = endpoint({
  method: 'get',
  path: '/api/agents/:userAgentId/interrupts',
  summary: 'Questions of one agent, pending first, newest first',
  policy: 'signed-in',
  params: z.object({ userAgentId: idParam }),
  answer: z.array(interrupt),
});

export const readInterrupt = endpoint({
  method: 'get',
  path: '/api/interrupts/:id',
  summary: 'One question: pending, answered or withdrawn',
  policy: 'signed-in',
  params: z.object({ id: idParam }),
  answer: interrupt,
});

export const resolveInterrupt = endpoint({
  method: 'patch',
  path: '/api/interrupts/:id/resolve',
  summary:
    'Answer a question. The first answer counts; repeating it is accepted, a different one is refused with the first',
  policy: 'signed-in',
  params: z.object({ id: idParam }),
  body: answerBody,
  answer: interrupt,
});

export const saveReviewDraft = endpoint({
  method: 'put',
  path: '/api/interrupts/:id/draft',
  summary: 'Save the row decisions made so far; refused when someone else saved in between',
  policy: 'signed-in',
  params: z.object({ id: idParam }),
  body: z.object({
    rows: z.array(rowDecision).max(2000),
    chosen: z.record(z.string().max(100), z.string().max(100)).optional(),
    version: z.number().int(),
    /** The web surface on which they were decided; the inbox by default. */
    surface: z.enum(['inbox', 'arc-chat']).optional(),
  }),
  answer: interrupt,
});

const member = z.object({ userId: z.number().int(), name: z.string() });

export const listAssignees = endpoint({
  method: 'get',
  path: '/api/interrupts/:id/assignees',
  summary: 'The members who may answer an open question, for those who may assign it',
  policy: 'signed-in',
  params: z.object({ id: idParam }),
  answer: z.object({ members: z.array(member) }),
});

export const assignQuestion = endpoint({
  method: 'put',
  path: '/api/interrupts/:id/assignee',
  summary: 'Assign an open question to a member who may answer it, or to nobody. Others may still answer',
  policy: 'signed-in',
  params: z.object({ id: idParam }),
  body: z.object({ userId: z.number().int().nullable() }),
  answer: interrupt,
});

export const PAUSES = ['hour', 'tomorrow', 'next-week'] as const;
export type Pause = (typeof PAUSES)[number];

export const snoozeQuestion = endpoint({
  method: 'put',
  path: '/api/interrupts/:id/snooze',
  summary: 'Put an open question off: no reminder and no digest until then; null ends it',
  policy: 'signed-in',
  params: z.object({ id: idParam }),
  body: z.object({ pause: z.enum(PAUSES).nullable() }),
  answer: interrupt,
});

export const withdrawQuestion = endpoint({
  method: 'post',
  path: '/api/interrupts/:id/withdraw',
  summary: 'Withdraw an open question and end the work that asks it, for those who may cancel that work',
  policy: 'signed-in',
  params: z.object({ id: idParam }),
  answer: interrupt,
});

export const commentOnQuestion = endpoint({
  method: 'post',
  path: '/api/interrupts/:id/comments',
  summary: 'Comment on an open question; every member may',
  policy: 'signed-in',
  rate: 'chat',
  params: z.object({ id: idParam }),
  body: z.object({ text: z.string().max(LIMITS.questionComments.characters) }),
  answer: interrupt,
});
