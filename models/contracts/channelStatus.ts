import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const slackTest = endpoint({
  method: 'get',
  path: '/api/slack/test',
  summary: 'Whether Slack answers for this account',
  policy: 'signed-in',
  answer: z.object({ success: z.boolean(), error: z.string().nullable() }),
});

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

export const teamsStatus = endpoint({
  method: 'get',
  path: '/api/teams/status',
  summary: 'Whether Microsoft Teams is configured',
  policy: 'signed-in',
  answer: z.object({
    success: z.boolean(),
    status: z.string(),
    appId: z.string(),
    endpoint: z.string(),
    error: z.string().nullable(),
  }),
});

export const generateManifest = endpoint({
  method: 'post',
  path: '/api/teams/generate-manifest',
  summary: 'The Teams app package, teams-app-package.zip',
  policy: 'signed-in',
  answerType: 'file',
});
