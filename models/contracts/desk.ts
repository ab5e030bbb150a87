import { z } from 'zod';
import { endpoint, isoDate } from './endpoint.ts';
import { LIMITS } from './limits.ts';

const figure = z.object({ label: z.string(), value: z.string() });

/** The newest result of an agent, as the dashboard's strip shows it. */
const newestResult = z.object({
  /** What it is of: the name of a file. */
  title: z.string(),
  figures: z.array(figure),
  /** How it differs from the result before, in one line; null where there is none to compare with. */
  changed: z.string().nullable(),
  at: isoDate,
  /** Page of the result. */
  path: z.string(),
});
export type NewestResult = z.infer<typeof newestResult>;

/** Work that a person took on or was given, in an agent's results. */
const assignedWork = z.object({
  /** "2 findings assigned to you". */
  text: z.string(),
  /** Page that shows it. */
  path: z.string(),
});
export type AssignedWork = z.infer<typeof assignedWork>;

export const readDesk = endpoint({
  method: 'get',
  path: '/api/desk',
  summary: 'What waits for the caller, the newest result and the next scheduled run',
  policy: 'signed-in',
  answer: z.object({
    /** Pending questions that the caller may answer. */
    waiting: z.number().int(),
    /** Pending questions that only others may answer. */
    waitingForOthers: z.number().int(),
    /** The question to continue with: one that is partly decided, or else the newest; null where none waits. */
    next: z
      .object({
        interruptId: z.number().int(),
        agentName: z.string(),
        /** Display name of the kind: "Review". */
        label: z.string(),
        /** Rows decided so far; null where the question has no rows. */
        progress: z.object({ decided: z.number().int(), of: z.number().int() }).nullable(),
      })
      .nullable(),
    assigned: z.array(assignedWork),
    newest: newestResult.nullable(),
    /** The scheduled run that comes next; null where none is scheduled, or schedules are paused. */
    nextRun: z.object({ name: z.string(), at: isoDate }).nullable(),
  }),
});

/** Something that a search found. */
const foundRow = z.object({
  /** Display name of the kind: "Question". */
  kind: z.string(),
  /** Display id; unique within its kind, together with the path. */
  id: z.string(),
  title: z.string(),
  /** Its state, in a few words. */
  note: z.string(),
  /** Page that shows it. */
  path: z.string(),
});
export type FoundRow = z.infer<typeof foundRow>;

export const searchEverything = endpoint({
  method: 'get',
  path: '/api/search',
  summary: 'Find questions and whatever the hired agents can search, by words',
  policy: 'signed-in',
  rate: 'search',
  query: z.object({
    words: z
      .string()
      .trim()
      .min(LIMITS.search.min, `Please enter at least ${LIMITS.search.min} characters.`)
      .max(LIMITS.search.max, `Please use at most ${LIMITS.search.max} characters.`),
  }),
  answer: z.object({ found: z.array(foundRow) }),
});
