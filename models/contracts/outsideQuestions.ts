import { z } from 'zod';
import { AGENT_IDS } from './catalogueAgent.ts';
import { endpoint, idParam, isoDate } from './endpoint.ts';
import { LIMITS } from './limits.ts';

const { outside } = LIMITS;

/** Characters that a text from outside loses: controls except line breaks, and those that turn or hide text. */
const UNSEEN = /(?![\n\t])[\p{Cc}\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/** A text from outside: without invisible characters, trimmed, with a length in characters. */
const outsideText = (most: number) =>
  z
    .string()
    .max(most)
    .transform((text) => text.replace(UNSEEN, '').trim())
    .refine((text) => text.length > 0, 'This is empty.');

const outsideId = z.string().regex(/^[\w.-]{1,60}$/, 'Use letters, digits, dots, hyphens and underscores.');
const options = z
  .array(z.union([outsideText(outside.option), z.object({ id: outsideId, label: outsideText(outside.option) })]))
  .max(outside.options);

/** A question that a program asks. */
export const outsideAsk = z.object({
  kind: z
    .string()
    .regex(/^[a-z][a-z0-9_]{1,39}$/, 'Use lower case letters, digits and underscores.')
    .describe(
      'approval: approve or reject. decision: one of `options`. input: a text. choices: one option for each of `points`. Another word of your own: answered by `options`, or by a text where there are none.',
    ),
  prompt: outsideText(outside.prompt).describe('The question, as plain text.'),
  description: outsideText(outside.description).optional().describe('What a person should know to answer.'),
  options: options.optional().describe('What to choose from: labels, or ids with labels.'),
  points: z
    .array(z.object({ id: outsideId, prompt: outsideText(outside.option * 3), options: options.min(2) }))
    .min(1)
    .max(outside.points)
    .optional()
    .describe('With the kind `choices`: what to settle, each by one of its options.'),
  agent: z
    .enum(AGENT_IDS)
    .optional()
    .describe('The hired agent in whose inbox it is shown; the first one hired by default.'),
  to: z
    .email()
    .max(254)
    .optional()
    .describe(
      'The e-mail of a member: the question is also a message in the one-to-one chat on another channel in which they last spoke to Arc. Everybody who may answer still can, wherever they see it.',
    ),
  idempotencyKey: z
    .string()
    .min(1)
    .max(outside.key)
    .describe('Your own key for this question. The same question with the same key is asked once.'),
  expiresInSeconds: z
    .number()
    .int()
    .min(outside.expirySeconds.least)
    .max(outside.expirySeconds.most)
    .default(outside.expirySeconds.usual)
    .describe('The question is withdrawn after this time.'),
  webhook: z
    .string()
    .max(outside.webhook)
    .optional()
    .describe(
      'An https address that gets the answer, or that it was withdrawn, as a signed POST, by the Standard Webhooks specification.',
    ),
});
export type OutsideAsk = z.output<typeof outsideAsk>;

/** Seconds to wait for an answer before the call returns. */
export const waitSeconds = z.coerce.number().int().min(0).max(outside.waitSeconds);

/** A question as programs read it. */
export const outsideQuestion = z.object({
  id: z.number().int(),
  /** `expired`: withdrawn because nobody answered in time. */
  status: z.enum(['pending', 'answered', 'withdrawn', 'expired']),
  kind: z.string(),
  prompt: z.string(),
  /** The agent in whose inbox it is. */
  agent: z.string(),
  /** The name of the token that asked; null where an agent did. */
  askedBy: z.string().nullable(),
  askedAt: isoDate,
  expiresAt: isoDate.nullable(),
  /** `approved`, `modified` and `rejected` for kinds that approve; `answered` for the others. Null while pending. */
  outcome: z.enum(['approved', 'modified', 'rejected', 'answered']).nullable(),
  /**
   * What was answered, by kind: `{approved}`, `{selectedOption}`, `{userInput}`, `{choices: [{point, choice}]}`,
   * `{choice, text}` for kinds of your own. Null while pending.
   */
  answer: z.unknown().nullable(),
  reason: z.string().nullable(),
  answeredBy: z.string().nullable(),
  /** The place, as people call it. */
  answeredIn: z.string().nullable(),
  answeredAt: isoDate.nullable(),
  /** The question in Arc, for people. */
  url: z.string(),
});
export type OutsideQuestion = z.infer<typeof outsideQuestion>;

/** The body of the webhook of an answer, or of a question that was withdrawn or not answered in time. */
export type QuestionEvent = {
  type: 'question.answered' | 'question.withdrawn';
  timestamp: string;
  data: OutsideQuestion;
};

export const askQuestion = endpoint({
  method: 'post',
  path: '/api/questions',
  summary:
    'Put a question into the company’s inbox, for its people on every channel. With a key that was used for the same question, answers that question',
  policy: 'token',
  scopes: ['questions:ask'],
  startsWork: true,
  body: outsideAsk.extend({ wait: waitSeconds.default(0) }),
  answer: outsideQuestion,
});

export const readQuestion = endpoint({
  method: 'get',
  path: '/api/questions/:id',
  summary:
    'A question and its answer, which never changes. With `wait`, answers as soon as it is answered, or after so many seconds',
  policy: 'token',
  scopes: ['questions:ask', 'questions:read'],
  params: z.object({ id: idParam }),
  query: z.object({ wait: waitSeconds.default(0) }),
  answer: outsideQuestion,
});

export const withdrawQuestion = endpoint({
  method: 'delete',
  path: '/api/questions/:id',
  summary: 'Withdraw a question of this token. One that was answered stays answered',
  policy: 'token',
  scopes: ['questions:ask'],
  params: z.object({ id: idParam }),
  answer: outsideQuestion,
});

export const listQuestions = endpoint({
  method: 'get',
  path: '/api/questions',
  summary: 'Questions, newest first: with the scope questions:read the company’s, else those of this token',
  policy: 'token',
  scopes: ['questions:ask', 'questions:read'],
  query: z.object({
    status: z.enum(['pending', 'answered', 'withdrawn']).optional(),
    limit: z.coerce.number().int().min(1).max(outside.listed).default(20),
  }),
  answer: z.object({ questions: z.array(outsideQuestion) }),
});
