import { z } from 'zod';

const counts = z.object({ written: z.number(), flagged: z.number(), medical: z.number(), toFill: z.number() });
const file = z.object({ fileId: z.string(), name: z.string(), digest: z.string() });

/** The state of a piece of copy between its steps. */
export const campaignState = z.object({
  /** The request, which may hold the source. */
  request: z.string().default(''),
  /** True for work on a schedule: nobody is asked. */
  isScheduled: z.boolean().default(false),
  /** The source, then the documents that only give evidence, once they are found. */
  documents: z.array(file).default([]),
  /** Set after an answer that named no document. */
  isUnknown: z.boolean().default(false),
  /** Set after an answer that did not give what was asked for. */
  isAgain: z.boolean().default(false),
  product: z.string().optional(),
  audience: z.string().optional(),
  /** Whether the audience was asked for. */
  isAudienceAsked: z.boolean().default(false),
  /** When it is written, ISO 8601; the same when a step runs again. */
  at: z.string().optional(),
  /** Names of the files that were stored: the document, then the text. */
  files: z.array(z.string()).default([]),
  /** The message about the draft. */
  described: z.object({ title: z.string(), text: z.string(), counts }).optional(),
});
export type CampaignState = z.output<typeof campaignState>;
