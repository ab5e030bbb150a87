import { z } from 'zod';
import { AGENT_IDS } from './catalogueAgent.ts';
import { endpoint, idParam, isoDate } from './endpoint.ts';

export const agentId = z.enum(AGENT_IDS);

const userAgentStatus = z.enum(['hired', 'onboarded']);
export const userAgent = z.object({
  id: z.number().int(),
  agentId,
  userId: z.number().int(),
  displayName: z.string(),
  role: z.string(),
  status: userAgentStatus,
  tools: z.array(z.object({ id: z.string(), enabled: z.boolean() })),
  hiredAt: isoDate,
  onboardedAt: isoDate.nullable(),
  createdAt: isoDate,
  /** Number of the agent's pending questions. */
  pendingInterrupts: z.number().int(),
  /** Number of those that wait for the reader: they may answer, and have not signed as the first of two. */
  waitingForYou: z.number().int(),
  /** Whether it is executing a run. */
  working: z.boolean(),
});
export type UserAgent = z.infer<typeof userAgent>;

export const listUserAgents = endpoint({
  method: 'get',
  path: '/api/user-agents',
  summary: 'The agents that the account has hired',
  policy: 'signed-in',
  answer: z.array(userAgent),
});

export const getUserAgent = endpoint({
  method: 'get',
  path: '/api/user-agents/:id',
  summary: 'One hired agent',
  policy: 'signed-in',
  params: z.object({ id: idParam }),
  answer: userAgent,
});

export const hireAgent = endpoint({
  method: 'post',
  path: '/api/user-agents/hire',
  summary: 'Hire an agent; hiring one again returns the existing one',
  policy: 'signed-in',
  body: z.object({ agentId }),
  answer: userAgent,
});

export const onboardAgent = endpoint({
  method: 'post',
  path: '/api/user-agents/onboard',
  summary: 'Complete the onboarding of a hired agent with its tools',
  policy: 'signed-in',
  body: z.object({
    agentId,
    /** Ids of the enabled tools, or objects with id and enabled. */
    tools: z.array(z.union([z.string(), z.object({ id: z.string(), enabled: z.boolean() })])),
  }),
  answer: userAgent,
});

export const letAgentGo = endpoint({
  method: 'delete',
  path: '/api/user-agents/:id',
  summary: 'Let an agent go: its work stays readable, its schedules are switched off',
  policy: 'signed-in',
  params: z.object({ id: idParam }),
  answer: z.object({ success: z.literal(true), schedulesSwitchedOff: z.number().int() }),
});

const workspaceStatus = z.enum(['working', 'waiting', 'completed', 'failed', 'cancelled']);
export const workspace = z.object({
  id: z.number().int(),
  userAgentId: z.number().int(),
  status: workspaceStatus,
  createdAt: isoDate,
  goal: z.string(),
  thinking: z.string().nullable(),
  output: z.string().nullable(),
  /** Path of the page with what it made; null where there is none. */
  page: z.string().nullable(),
  figmaLink: z.string().nullable(),
  figmaFileKey: z.string().nullable(),
});
export type Workspace = z.infer<typeof workspace>;

export const listWorkspaces = endpoint({
  method: 'get',
  path: '/api/workspaces/:agentId',
  summary: 'The pieces of work of one agent, newest first; the id is a catalogue id or a numeric user-agent id',
  policy: 'signed-in',
  params: z.object({ agentId: z.union([agentId, idParam]) }),
  answer: z.array(workspace),
});

/** A tool that changes something, and whether its agent asks before each use. */
export const agentAction = z.object({
  /** Its name, unique within the agent. */
  name: z.string(),
  /** What people read: "Scheduling an analysis". */
  label: z.string(),
  asks: z.boolean(),
});
export type AgentAction = z.infer<typeof agentAction>;

export const listAgentActions = endpoint({
  method: 'get',
  path: '/api/user-agents/:id/actions',
  summary: 'The tools of an agent that change something, and whether it asks before each use',
  policy: 'signed-in',
  params: z.object({ id: idParam }),
  answer: z.object({ actions: z.array(agentAction) }),
});

export const changeAgentAction = endpoint({
  method: 'put',
  path: '/api/user-agents/:id/actions/:name',
  summary: 'Let an agent use a tool without asking in this company, or have it ask again',
  policy: 'owner',
  params: z.object({ id: idParam, name: z.string().max(100) }),
  body: z.object({ asks: z.boolean() }),
  answer: z.object({ actions: z.array(agentAction) }),
});
