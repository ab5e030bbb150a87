import { z } from 'zod';
import { settledPoint } from '../../../../models/contracts/clinical_safety/settledPoint.ts';
import type { FileRow } from '../../../../models/file.ts';
import type { StepContext } from '../../../engine/workflows/workflow.ts';

/** The message that an analysis is complete. */
export type Complete = Parameters<StepContext['say']>[0];

const fileId = z.custom<FileRow['_id']>((it) => typeof it === 'object' && it !== null);

/** A model's choice, or null where it did not pass the check, with the digest of what was asked. */
const answeredChoice = z.tuple([
  z.string(),
  z.object({ candidate: z.string().nullable(), quote: z.string(), candidateQuote: z.string() }).nullable(),
]);

/** What a language model is asked in an analysis, and how far that is. */
const asking = z.object({
  /** The file with what is asked. */
  fileId,
  /** The models that may answer, the first one first. */
  models: z.array(z.string()),
  /** Calls to make, and calls made. */
  calls: z.number(),
  made: z.number().default(0),
  /** About how many credits all calls take. */
  estimate: z.number(),
  /** Tickets whose answer is known from an earlier analysis. */
  known: z.number(),
  tokens: z.number().default(0),
});

/** Choosing among hazards. */
const choosing = asking.extend({
  /** The answers of the last call, saved with the step that paid for them and kept by the next. */
  last: z.object({ model: z.string(), answers: z.array(answeredChoice) }).optional(),
});
export type Choosings = z.output<typeof choosing>;

const draft = z.object({
  name: z.string(),
  cause: z.string(),
  clinicalImpact: z.string(),
  tickets: z.array(z.object({ key: z.string(), quote: z.string() })),
});

/** Drafting proposals; the last answer is kept as that of choosing is. */
const drafting = asking.extend({
  last: z.object({ model: z.string(), key: z.string(), drafts: z.array(draft), dropped: z.number() }).optional(),
});
export type Draftings = z.output<typeof drafting>;

/** The state of an analysis between its steps. */
export const analysisState = z.object({
  /** The files to analyse; without them, those of the conversation are used. */
  logFileId: fileId.nullish(),
  ticketsFileId: fileId.nullish(),
  /** Whether the log is the company's, because the conversation has none of its own. */
  fromCompany: z.boolean().default(false),
  analysisId: z.number().optional(),
  /** What was chosen where the log can be read in several ways, now or for an earlier version. */
  settled: z.array(settledPoint).default([]),
  /** The log whose points were asked about, and its profile; absent where nothing was asked. */
  asked: z
    .object({
      profileId: z.string().nullable(),
      identity: z.object({ sheet: z.string(), headings: z.array(z.string()) }),
    })
    .optional(),
  /** Absent where no model is asked. */
  choosing: choosing.optional(),
  drafting: drafting.optional(),
  /** The model that answered; absent while none has. */
  model: z.string().optional(),
  /** Sent by the review step, because people may start another analysis once they read it. */
  complete: z.custom<Complete>((it) => typeof it === 'object' && it !== null).optional(),
  headline: z.string().optional(),
  /** What the run says at its end. */
  output: z.string().optional(),
  /** The tickets that were covered when the matches were asked about. */
  coveredBefore: z.number().optional(),
});

export type AnalysisState = z.output<typeof analysisState>;
