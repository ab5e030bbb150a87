import { z } from 'zod';
import type { FileRow } from '../../../../models/file.ts';
import type { StepContext } from '../../../engine/workflows/workflow.ts';

/** What is said once an analysis is complete. */
export type Complete = Parameters<StepContext['say']>[0];

const fileId = z.custom<FileRow['_id']>((it) => typeof it === 'object' && it !== null);

/** What an analysis keeps between its steps. */
export const analysisState = z.object({
  /** The files it works on; where it begins without, those of its conversation are taken. */
  logFileId: fileId.nullish(),
  ticketsFileId: fileId.nullish(),
  /** Whether the log is the company's, because the conversation has none of its own. */
  fromCompany: z.boolean().default(false),
  analysisId: z.number().optional(),
  /** Said by the step after: once people read that it is complete, another may begin. */
  complete: z.custom<Complete>((it) => typeof it === 'object' && it !== null).optional(),
  headline: z.string().optional(),
});

export type AnalysisState = z.output<typeof analysisState>;
