import { z } from 'zod';
import { COLOURS, KINDS } from '../apps/app.ts';

const kind = z.enum(Object.keys(KINDS) as [keyof typeof KINDS, ...(keyof typeof KINDS)[]]);
const field = z.object({
  id: z.string(),
  label: z.string(),
  type: z.enum(['text', 'long', 'number', 'date', 'time', 'email', 'phone', 'choice', 'check']),
  options: z.array(z.string()),
  isRequired: z.boolean(),
  min: z.number().nullable(),
  max: z.number().nullable(),
});
const app = z.object({
  kind,
  title: z.string(),
  fields: z.array(field),
  rules: z.array(z.object({ field: z.string(), when: z.string(), is: z.string() })),
  columns: z.array(z.string()),
  points: z.array(z.string()),
  call: z.string().nullable(),
  formula: z.array(z.object({ kind: z.enum(['number', 'field', 'sign']), text: z.string() })),
  colour: z.enum(COLOURS),
  isDemonstration: z.boolean(),
  isAssumed: z.boolean(),
});

/** The state of a project between its steps. */
export const projectState = z.object({
  objective: z.string().default(''),
  /** Set after an answer that did not give what was asked for. */
  isAgain: z.boolean().default(false),
  /** True where the project is built at once, without plan and questions. */
  isDirect: z.boolean().default(false),
  app: app.optional(),
  /** What became of the last wish, for the next question. */
  note: z.string().default(''),
  /** How often it was built. */
  round: z.number().default(0),
});
export type ProjectState = z.output<typeof projectState>;
