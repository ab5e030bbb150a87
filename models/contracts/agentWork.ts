import { z } from 'zod';
import { startedWork } from './chat.ts';
import { endpoint, idParam } from './endpoint.ts';
import { interrupt } from './interrupts.ts';
import { LIMITS } from './limits.ts';

const objective = (text: string) => z.string().trim().min(1, text).max(LIMITS.objective);

export const createTask = endpoint({
  method: 'post',
  path: '/api/agents/:userAgentId/tasks',
  summary: 'Give an agent a task',
  policy: 'signed-in',
  startsWork: true,
  params: z.object({ userAgentId: idParam }),
  body: z.object({
    type: z.string().max(100).default('task'),
    prompt: objective('Please enter a task or objective for the agent.'),
    context: z.record(z.string(), z.unknown()).default({}),
  }),
  answer: z.object({ success: z.literal(true), messageId: z.string() }),
});

export const startTask = endpoint({
  method: 'post',
  path: '/api/fullstack-agent/start-task',
  summary: 'Start the developer’s workflow',
  policy: 'signed-in',
  startsWork: true,
  body: z.object({ taskObjective: objective('Please enter a task objective') }),
  answer: startedWork,
});
export const continueTask = endpoint({
  method: 'post',
  path: '/api/fullstack-agent/continue/:interruptId',
  summary: 'Continue a waiting workflow by answering its question with an action',
  policy: 'signed-in',
  params: z.object({ interruptId: idParam }),
  body: z
    .object({
      action: z.string().trim().min(1, 'Choose one of the actions.').max(100),
      text: z.string().max(8000).optional(),
    })
    .loose(),
  answer: interrupt,
});
export const createProject = endpoint({
  method: 'post',
  path: '/api/replit/create-project',
  summary: 'Create a project',
  policy: 'signed-in',
  startsWork: true,
  body: z.object({ prompt: objective('Please enter a project objective'), userAgentId: z.number().int().positive() }),
  answer: startedWork,
});
export const project = z.object({
  id: z.number().int(),
  projectName: z.string(),
  objective: z.string(),
  status: z.string(),
  createdAt: z.string(),
  previewUrl: z.string().nullable(),
  /** The page with its browser test; null where there is none. */
  archive: z.object({ name: z.string(), url: z.string() }).nullable(),
});
export type Project = z.infer<typeof project>;
export const listReplitProjects = endpoint({
  method: 'get',
  path: '/api/replit/projects/agent/:id',
  summary: 'Projects of an agent',
  policy: 'signed-in',
  params: z.object({ id: idParam }),
  answer: z.object({ projects: z.array(project) }),
});
export const listBoltProjects = endpoint({
  method: 'get',
  path: '/api/bolt/projects/agent/:id',
  summary: 'Projects of an agent, by the built-in builder',
  policy: 'signed-in',
  params: z.object({ id: idParam }),
  answer: z.object({ projects: z.array(project) }),
});
export const previewProject = endpoint({
  method: 'get',
  path: '/api/replit/preview/:projectId',
  summary: 'A project’s preview, sandboxed',
  policy: 'signed-in',
  params: z.object({ projectId: idParam }),
  answerType: 'file',
});
