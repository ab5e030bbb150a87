import { z } from 'zod';
import { endpoint, idParam, isoDate } from '../endpoint.ts';

const file = z.object({ name: z.string(), url: z.string() });

const campaign = z.object({
  /** The id of the run that wrote it. */
  id: z.string(),
  title: z.string(),
  sourceName: z.string(),
  createdAt: isoDate,
  counts: z.object({
    written: z.number().int(),
    flagged: z.number().int(),
    medical: z.number().int(),
    toFill: z.number().int(),
  }),
  state: z.enum(['waiting', 'final', 'draft']),
  /** The Word document, then the text. */
  files: z.array(file),
});
export type Campaign = z.infer<typeof campaign>;

export const listCampaigns = endpoint({
  method: 'get',
  path: '/api/marketer/:userAgentId/campaigns',
  summary: 'Positioning and copy that the marketer has written, newest first',
  policy: 'signed-in',
  params: z.object({ userAgentId: idParam }),
  answer: z.array(campaign),
});
