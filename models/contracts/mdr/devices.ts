import { z } from 'zod';
import { startedWork } from '../chat.ts';
import { endpoint, idParam, isoDate } from '../endpoint.ts';
import { LIMITS } from '../limits.ts';

const deviceFile = z.object({ name: z.string(), url: z.string() });

const device = z.object({
  name: z.string(),
  updatedAt: isoDate,
  /** Facts as people read them, in order. */
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  /** How many facts that the rules ask for are not known. */
  open: z.number().int(),
  /** By the facts of today; null where it is not settled, or where it is no device. */
  classes: z.object({ eu: z.string(), uk: z.string().nullable(), software: z.string() }),
  /** Reports of surveillance, a sentence each. */
  due: z.array(z.string()),
  /** The newest draft; null until there is one. */
  latest: z
    .object({
      at: isoDate,
      counts: z.object({
        applies: z.number().int(),
        not: z.number().int(),
        open: z.number().int(),
        withGap: z.number().int(),
        toWrite: z.number().int(),
      }),
      files: z.array(deviceFile),
    })
    .nullable(),
});
export type Device = z.infer<typeof device>;

export const listDevices = endpoint({
  method: 'get',
  path: '/api/mdr/devices/:userAgentId',
  summary: 'The products that the technical file agent knows, with their newest drafts',
  policy: 'signed-in',
  params: z.object({ userAgentId: idParam }),
  answer: z.array(device),
});

export const draftTechnicalFile = endpoint({
  method: 'post',
  path: '/api/mdr/technical-file/:userAgentId',
  summary: 'Draft a technical file: its questions come to the chat and the inbox',
  policy: 'signed-in',
  startsWork: true,
  params: z.object({ userAgentId: idParam }),
  /** Facts in lines, or nothing. */
  body: z.object({ request: z.string().trim().max(LIMITS.objective).default('') }),
  answer: startedWork,
});
