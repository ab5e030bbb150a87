import { z } from 'zod';

const file = z.object({ fileId: z.string(), name: z.string(), digest: z.string() });
const counts = z.object({
  drafts: z.number(),
  optedOut: z.number(),
  leftOut: z.number(),
  approved: z.number(),
  rejected: z.number(),
});

/** The state of drafts between their steps. */
export const outreachState = z.object({
  /** The request, which may hold the list. */
  request: z.string().default(''),
  /** True for work on a schedule: only the review is asked. */
  isScheduled: z.boolean().default(false),
  list: file.optional(),
  /** Id of the connected tool that the list was read from. */
  tool: z.string().optional(),
  optOutFiles: z.array(file).default([]),
  /** Set after an answer that named no list. */
  isUnknown: z.boolean().default(false),
  /** The heading of the column with the addresses, where a person chose it. */
  addressColumn: z.string().optional(),
  /** What the mails say, where the request did not. */
  texts: z
    .object({ offer: z.string().optional(), ask: z.string().optional(), from: z.string().optional() })
    .default({}),
  /** Which of these was asked last. */
  asked: z.enum(['offer', 'ask', 'from']).optional(),
  /** Set after an answer that did not give what was asked for. */
  isAgain: z.boolean().default(false),
  /** Greetings that a person gave, by row; set once they were asked for. */
  greetings: z.record(z.string(), z.string()).optional(),
  /** When it is written, ISO 8601; the same when a step runs again. */
  at: z.string().optional(),
  /** Rows that get no draft. */
  leftOut: z.array(z.object({ row: z.number(), reason: z.string() })).default([]),
  counts: counts.optional(),
});
export type OutreachState = z.output<typeof outreachState>;
