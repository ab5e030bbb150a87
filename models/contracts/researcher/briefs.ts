import { z } from 'zod';
import { endpoint, idParam, isoDate } from '../endpoint.ts';

const brief = z.object({
  /** The id of the run that wrote it. */
  id: z.string(),
  question: z.string(),
  createdAt: isoDate,
  counts: z.object({
    quotes: z.number().int(),
    /** Documents that are quoted. */
    documents: z.number().int(),
    /** Documents that were read. */
    read: z.number().int(),
    /** Words of the question that no document holds. */
    missing: z.number().int(),
  }),
  file: z.object({ name: z.string(), url: z.string() }),
});
export type Brief = z.infer<typeof brief>;

export const listBriefs = endpoint({
  method: 'get',
  path: '/api/researcher/:userAgentId/briefs',
  summary: 'The briefs that the researcher has written, newest first',
  policy: 'signed-in',
  params: z.object({ userAgentId: idParam }),
  answer: z.array(brief),
});
