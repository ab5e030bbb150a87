import { z } from 'zod';
import { startedWork } from '../chat.ts';
import { endpoint, idParam, isoDate } from '../endpoint.ts';
import { LIMITS } from '../limits.ts';

export const processDocuments = endpoint({
  method: 'post',
  path: '/api/professionaliser/:userAgentId/process',
  summary: 'Bring a document into controlled form: its questions come to the chat and the inbox',
  policy: 'signed-in',
  startsWork: true,
  params: z.object({ userAgentId: idParam }),
  /** What to do, with the name of a document or its text. */
  body: z.object({
    objective: z.string().trim().min(1, 'Please enter a task or objective for the agent.').max(LIMITS.objective),
  }),
  answer: startedWork,
});

const controlledDocument = z.object({
  /** The id of the run that wrote it. */
  id: z.string(),
  title: z.string(),
  sourceName: z.string(),
  createdAt: isoDate,
  counts: z.object({ changes: z.number().int(), open: z.number().int(), toFill: z.number().int() }),
  state: z.enum(['waiting', 'saved', 'not-saved']),
  file: z.object({ name: z.string(), url: z.string() }),
});
export type ControlledDocument = z.infer<typeof controlledDocument>;

export const listControlled = endpoint({
  method: 'get',
  path: '/api/professionaliser/:userAgentId/controlled',
  summary: 'The documents that were brought into controlled form, newest first',
  policy: 'signed-in',
  params: z.object({ userAgentId: idParam }),
  answer: z.array(controlledDocument),
});
