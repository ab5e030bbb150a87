import { z } from 'zod';

const counts = z.object({ steps: z.number(), roles: z.number(), risks: z.number(), toFill: z.number() });

/** The state of a procedure between its steps. */
export const procedureState = z.object({
  /** The request, which may hold the description. */
  request: z.string().default(''),
  /** True where the request is itself the description. */
  isDescription: z.boolean().default(false),
  /** True for work on a schedule: nobody is asked which document is meant. */
  isScheduled: z.boolean().default(false),
  /** The description, once it is found. */
  source: z.object({ fileId: z.string(), name: z.string(), digest: z.string() }).optional(),
  /** Set after an answer that named no document. */
  isUnknown: z.boolean().default(false),
  /** When it is written, ISO 8601; the same when a step runs again. */
  at: z.string().optional(),
  /** Names of the files that were stored, in order. */
  files: z.array(z.string()).default([]),
  /** The message about the finished procedure. */
  described: z.object({ title: z.string(), text: z.string(), counts }).optional(),
});
export type ProcedureState = z.output<typeof procedureState>;
