import { z } from 'zod';
import { endpoint, idParam, isoDate } from '../endpoint.ts';

const file = z.object({ name: z.string(), url: z.string() });

const prospectList = z.object({
  /** The id of the run that wrote the drafts. */
  id: z.string(),
  title: z.string(),
  sourceName: z.string(),
  createdAt: isoDate,
  counts: z.object({
    drafts: z.number().int(),
    optedOut: z.number().int(),
    leftOut: z.number().int(),
    approved: z.number().int(),
    rejected: z.number().int(),
  }),
  state: z.enum(['waiting', 'decided']),
  /** The workbook, then the CSV; empty until drafts were approved. */
  files: z.array(file),
});
export type ProspectList = z.infer<typeof prospectList>;

export const listProspects = endpoint({
  method: 'get',
  path: '/api/outreach/:userAgentId/lists',
  summary: 'Lists that drafts were written from, newest first, and how many opt-outs are kept',
  policy: 'signed-in',
  params: z.object({ userAgentId: idParam }),
  answer: z.object({ lists: z.array(prospectList), optOuts: z.number().int() }),
});
