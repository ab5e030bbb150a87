import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

export const slackTest = endpoint({
  method: 'get',
  path: '/api/slack/test',
  summary: 'Whether Slack answers for this account',
  policy: 'signed-in',
  answer: z.object({ success: z.boolean(), error: z.string().nullable() }),
});
