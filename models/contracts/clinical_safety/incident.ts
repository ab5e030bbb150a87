import { z } from 'zod';
import { startedWork } from '../chat.ts';
import { endpoint, idParam } from '../endpoint.ts';

/** Characters of what happened, in words. */
export const MAX_INCIDENT = 8000;

export const recordIncident = endpoint({
  method: 'post',
  path: '/api/clinical-safety-agent/:id/incident-record',
  summary:
    'Put what is known of an incident in order, as a Word document with hazards to look at and letters to finish; nothing is sent',
  policy: 'signed-in',
  startsWork: true,
  rate: ['chat', 'chatAccount'],
  params: z.object({ id: idParam }),
  body: z.object({ text: z.string().trim().min(1, 'Please say what happened.').max(MAX_INCIDENT) }),
  answer: startedWork,
});
