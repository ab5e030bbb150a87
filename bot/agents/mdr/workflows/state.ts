import { z } from 'zod';
import { EVIDENCE_IDS } from '../documents/evidence.ts';
import { deviceFacts } from '../facts/facts.ts';

const found = z.object({ document: z.string(), by: z.enum(['name', 'text']) });

/** The kinds of evidence that the company's documents seem to be, read once in a run. */
const readOnce = z.object({
  found: z.array(z.tuple([z.enum(EVIDENCE_IDS), z.array(found)])),
  /** Names of the documents whose text could not be read. */
  unread: z.array(z.string()),
  /** The day, in the account's time zone: "2026-03-01". */
  today: z.string(),
});
export type ReadOnce = z.output<typeof readOnce>;

/** The state of a technical file between its steps. The facts themselves are also kept with the product. */
export const fileState = z.object({
  /** The request, which may hold facts. */
  request: z.string().default(''),
  /** True for work on a schedule: kept facts are used as they are, and nobody is asked. */
  isScheduled: z.boolean().default(false),
  facts: deviceFacts.default({}),
  /** What the last question asked for, which says how an answer without labels is read. */
  asked: z.enum(['product', 'name', 'purpose', 'changes']).default('product'),
  /** Whether it asked for the same before, and the answer did not give it. */
  isAgain: z.boolean().default(false),
  /** The group of points that is asked next. */
  group: z.number().int().min(0).default(0),
  /** Lines of an answer that no rule could read, said in the next question. */
  unread: z.array(z.string()).default([]),
  /** Set once the company's documents were read. */
  documents: readOnce.optional(),
  /** Names of the files that were stored, in order. */
  files: z.array(z.string()).default([]),
});
export type FileState = z.output<typeof fileState>;
