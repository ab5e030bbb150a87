import { z } from 'zod';
import { startedWork } from '../chat.ts';
import { endpoint, idParam, isoDate } from '../endpoint.ts';
import { LIMITS } from '../limits.ts';

const objective = z.string().trim().min(1, 'Please describe the screen.').max(LIMITS.objective);

export const createFigma = endpoint({
  method: 'post',
  path: '/api/user-agents/:id/create-figma',
  summary: 'With Figma connected, start a design whose prototype can be linked from a Figma file',
  policy: 'signed-in',
  startsWork: true,
  params: z.object({ id: idParam }),
  body: z.object({ goal: z.string().trim().min(1, 'Please describe the design.').max(LIMITS.objective) }),
  answer: startedWork,
});

export const generateDesign = endpoint({
  method: 'post',
  path: '/api/design/generate',
  summary: 'Start a design from the texts of a frame of a Figma file',
  policy: 'signed-in',
  startsWork: true,
  body: z.object({ figmaUrl: z.string().trim().min(1).max(2000), projectTitle: z.string().trim().max(200) }),
  answer: startedWork,
});

export const figmaExport = endpoint({
  method: 'post',
  path: '/api/ux-agent/figma-export',
  summary: 'Export to Figma: after an approval, a comment and a link to the latest prototype on a frame',
  policy: 'signed-in',
  startsWork: true,
  answer: startedWork,
});

const section = z.object({ name: z.string(), purpose: z.string() });
const component = z.object({ name: z.string(), type: z.string() });
const proposal = z.object({
  success: z.literal(true),
  /** How the request was understood, in a sentence. */
  description: z.string(),
  layout: z.object({ layout: z.string(), sections: z.array(section) }),
  components: z.array(component),
  error: z.null(),
});
export type DesignProposal = z.infer<typeof proposal>;

export const designLayout = endpoint({
  method: 'post',
  path: '/api/ux-agent/layout',
  summary: 'Propose a layout',
  policy: 'signed-in',
  startsWork: true,
  body: z.object({ objective }),
  answer: proposal,
});

export const designComponents = endpoint({
  method: 'post',
  path: '/api/ux-agent/components',
  summary: 'Propose components',
  policy: 'signed-in',
  startsWork: true,
  body: z.object({ objective }),
  answer: proposal,
});

export const designDemo = endpoint({
  method: 'post',
  path: '/api/ux-agent/workflow-demo',
  summary: 'Run the design workflow: its questions come to the chat and the inbox',
  policy: 'signed-in',
  startsWork: true,
  body: z.object({ objective }),
  answer: startedWork,
});

export const designHealth = endpoint({
  method: 'get',
  path: '/api/ux-agent/health',
  summary: 'Whether the design service can design for this account now, and if not, why',
  policy: 'signed-in',
  answer: z.object({ success: z.boolean(), status: z.string(), error: z.string().nullable() }),
});

const designFile = z.object({ name: z.string(), url: z.string() });
const design = z.object({
  id: z.number().int(),
  title: z.string(),
  objective: z.string(),
  createdAt: isoDate,
  /** The clickable prototype, shown in a frame. */
  previewUrl: z.string(),
  prototype: designFile,
  /** Every frame in one archive. */
  archive: designFile,
  frames: z.array(designFile.extend({ state: z.string(), theme: z.enum(['light', 'dark']), width: z.number().int() })),
});
export type Design = z.infer<typeof design>;

export const listDesigns = endpoint({
  method: 'get',
  path: '/api/ux-agent/designs/:userAgentId',
  summary: 'The designs of a designer, newest first',
  policy: 'signed-in',
  params: z.object({ userAgentId: idParam }),
  answer: z.array(design),
});
