import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

export const arcStatus = endpoint({
  method: 'get',
  path: '/api/arc/status',
  summary: 'The agent engine: what is configured, who is active',
  policy: 'signed-in',
  answer: z.object({
    success: z.boolean(),
    openaiConfigured: z.boolean(),
    /** The model's name, or "built-in engine". */
    model: z.string(),
    activeUsers: z.number().int(),
    totalInteractions: z.number().int(),
    totalUsers: z.number().int(),
    activeConversations: z.number().int(),
    error: z.string().nullable(),
  }),
});
