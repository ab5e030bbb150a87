import { z } from 'zod';
import { CHANNEL_SURFACES } from './channels.ts';
import { endpoint, idParam, isoDate } from './endpoint.ts';
import { consentMode } from './preferences.ts';
import { rowDecision } from './questionRows.ts';
import { questionView } from './questionView.ts';

const interruptStatus = z.enum(['pending', 'resolved', 'cancelled']);

export const surface = z.enum([...CHANNEL_SURFACES, 'mail', 'api']);
export type Surface = z.infer<typeof surface>;

/** Decisions on the rows of a question so far, saved as they are made so that nothing is lost on reload. */
const reviewDraft = z.object({
  rows: z.array(rowDecision),
  /** By row id, which of several matches was chosen for a row that is not decided yet. */
  chosen: z.record(z.string(), z.string()).optional(),
  /** Raised by each saved change; a save names the version it saw. */
  version: z.number().int(),
  savedAt: isoDate.nullable(),
  savedBy: z.string().nullable(),
  /** Rows whose decision was kept from a review that was withdrawn, and was not changed since. */
  kept: z.array(z.string()).optional(),
});

export const resolution = z.object({
  /** Approved, modified or rejected as one word, for lists and the audit. */
  outcome: z.enum(['approved', 'modified', 'rejected', 'answered']),
  by: z.object({ userId: z.number().int().nullable(), name: z.string() }),
  via: surface,
  at: isoDate,
  reason: z.string().nullable(),
  /** How much of the question its surface showed; absent where it showed everything. */
  shownUnder: consentMode.optional(),
  /** "Approved by Ada Okafor in arc-chat, 14:02". */
  text: z.string(),
});
export type Resolution = z.infer<typeof resolution>;

export const interrupt = z.object({
  id: z.number().int(),
  userAgentId: z.number().int(),
  /** Catalogue id of the agent that asks. */
  agentId: z.string(),
  agentName: z.string(),
  /** The kind of question, e.g. `approval`; what it shows and how it is answered stands in `view`. */
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
  /** SHA-256 over exactly what is shown; an answer may name it. */
  shownDigest: z.string(),
  /** The role that has to answer; null where the owner or any approver can. */
  requires: z.enum(['clinical-safety-officer']).nullable(),
  /** What the asking user may do, and for whom it waits where they may not answer. */
  abilities: z.object({ answer: z.boolean(), waitsFor: z.string().optional() }),
});
export type Interrupt = z.infer<typeof interrupt>;

/** What a resolve may carry; which one counts depends on the type (specification 2, section 7). */
const answerBody = z.object({
  selectedOption: z.string().optional(),
  userInput: z.string().max(8000).optional(),
  approved: z.boolean().optional(),
  userResponse: z.unknown().optional(),
  reason: z.string().max(2000).optional(),
  /** Where on the web it was given; the inbox unless told. */
  surface: z.enum(['inbox', 'arc-chat']).optional(),
  shownDigest: z.string().optional(),
  /** With a review, the draft that was looked at: refused where somebody saved another one since. */
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
  summary: 'One question as it stands: waiting, answered or withdrawn',
  policy: 'signed-in',
  params: z.object({ id: idParam }),
  answer: interrupt,
});

export const resolveInterrupt = endpoint({
  method: 'patch',
  path: '/api/interrupts/:id/resolve',
  summary:
    'Answer a question. The first answer stands; the same again is accepted, another is refused with the standing one',
  policy: 'signed-in',
  params: z.object({ id: idParam }),
  body: answerBody,
  answer: interrupt,
});

export const saveReviewDraft = endpoint({
  method: 'put',
  path: '/api/interrupts/:id/draft',
  summary: 'Keep the row decisions made so far; refused when someone else saved in between',
  policy: 'signed-in',
  params: z.object({ id: idParam }),
  body: z.object({
    rows: z.array(rowDecision).max(2000),
    chosen: z.record(z.string().max(100), z.string().max(100)).optional(),
    version: z.number().int(),
  }),
  answer: interrupt,
});
