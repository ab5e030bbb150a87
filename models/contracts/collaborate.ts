import { z } from 'zod';
import { endpoint, isoDate } from './endpoint.ts';
import { LIMITS } from './limits.ts';

const agentOutput = z.object({
  agentId: z.string(),
  agentName: z.string(),
  role: z.string(),
  thinking: z.string(),
  output: z.string(),
  timestamp: isoDate,
});
export type AgentOutput = z.infer<typeof agentOutput>;

export const collaborate = endpoint({
  method: 'post',
  path: '/api/collaborate',
  summary: 'Ask the priority agents about a goal; answers JSON, or server-sent events on request',
  policy: 'public',
  rate: 'collaborate',
  body: z.object({
    goal: z
      .string()
      .trim()
      .min(1, 'Please enter a project goal before starting the collaboration.')
      .min(LIMITS.goal.min, 'Please provide a more detailed project goal (at least 10 characters).')
      .max(LIMITS.goal.max),
  }),
  answer: z.object({ success: z.literal(true), agentOutputs: z.array(agentOutput), message: z.string() }),
});
