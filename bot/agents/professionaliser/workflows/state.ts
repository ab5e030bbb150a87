import { z } from 'zod';

/** The state of a document between its steps. */
export const controlState = z.object({
  /** The request, which may hold values of the control block. */
  request: z.string().default(''),
  /** True for work on a schedule: nobody is asked which spelling stands. */
  isScheduled: z.boolean().default(false),
  /** The document, once it is found. */
  source: z.object({ fileId: z.string(), name: z.string() }).optional(),
  /** Set after an answer that named no document. */
  isUnknown: z.boolean().default(false),
  /** The spelling that a person chose, by the key of its letters; null where they don’t know. */
  chosen: z.record(z.string(), z.string().nullable()).default({}),
  /** When the changes are made, ISO 8601; the same when a step runs again. */
  at: z.string().optional(),
  /** Name of the written file. */
  fileName: z.string().optional(),
  /** What was done, for its reader. */
  described: z
    .object({
      title: z.string(),
      text: z.string(),
      counts: z.object({ changes: z.number(), open: z.number(), toFill: z.number() }),
    })
    .optional(),
});
export type ControlState = z.output<typeof controlState>;
