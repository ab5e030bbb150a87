import { z } from 'zod';

const counts = z.object({ quotes: z.number(), documents: z.number(), read: z.number(), missing: z.number() });

/** The state of a brief between its steps. */
export const briefState = z.object({
  /** The subject, in the words of the request. */
  question: z.string().default(''),
  /** Set after an answer that did not give what was asked for. */
  isAgain: z.boolean().default(false),
  /** True for work on a schedule: nobody is asked. */
  isScheduled: z.boolean().default(false),
  /** When it is written, ISO 8601; the same when a step runs again. */
  at: z.string().optional(),
  fileName: z.string().optional(),
  /** The message about the finished brief. */
  described: z.object({ text: z.string(), counts }).optional(),
});
export type BriefState = z.output<typeof briefState>;
