import { z } from 'zod';
import { CHANNEL_SURFACES } from './channels.ts';
import { endpoint, idParam, isoDate } from './endpoint.ts';
import { consentMode } from './preferences.ts';
import { rowDecision } from './questionRows.ts';
import { questionView } from './questionView.ts';

const interruptStatus = z.enum(['pending', 'resolved', 'cancelled']);

export const surface = z.enum([...CHANNEL_SURFACES, 'mail', 'api']);
export type Surface = z.infer<typeof surface>;

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
  /** SHA-256 of the shown content; an answer may name it to be refused when it changed. */
  shownDigest: z.string(),
  /** The role that has to answer; null where the owner or any approver can. */
  requires: z.enum(['clinical-safety-officer']).nullable(),
  /** What the requesting user may do, and who has to answer where they may not. */
  abilities: z.object({ answer: z.boolean(), waitsFor: z.string().optional() }),
});
export type Interrupt = z.infer<typeof interrupt>;

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
  }),
  answer: interrupt,
});
