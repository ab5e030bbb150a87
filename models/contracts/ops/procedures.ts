import { z } from 'zod';
import { endpoint, idParam, isoDate } from '../endpoint.ts';

const file = z.object({ name: z.string(), url: z.string() });

const procedure = z.object({
  /** The id of the run that wrote it. */
  id: z.string(),
  title: z.string(),
  sourceName: z.string(),
  createdAt: isoDate,
  counts: z.object({
    steps: z.number().int(),
    roles: z.number().int(),
    risks: z.number().int(),
    toFill: z.number().int(),
  }),
  /** The procedure, then the checklist with the risk register. */
  files: z.array(file),
});
export type Procedure = z.infer<typeof procedure>;

export const listProcedures = endpoint({
  method: 'get',
  path: '/api/ops/:userAgentId/procedures',
  summary: 'The procedures that the operations agent has written, newest first',
  policy: 'signed-in',
  params: z.object({ userAgentId: idParam }),
  answer: z.array(procedure),
});
