import { z } from 'zod';
import { endpoint, isoDate } from '../endpoint.ts';

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

const guid = z
  .string()
  .trim()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'This is a GUID, e.g. 0f8fad5b-d9cb-469f-a165-70867728950e.');

export const connectTeams = endpoint({
  method: 'post',
  path: '/api/teams/connect',
  summary: 'Store the account’s own bot registration, after Microsoft has confirmed it',
  policy: 'owner',
  rate: 'code',
  body: z.object({
    appId: guid,
    tenantId: guid,
    appPassword: z.string().min(1, 'The client secret is missing.').max(500),
  }),
  answer: z.object({ success: z.literal(true) }),
});

export const listWaitingTenants = endpoint({
  method: 'get',
  path: '/api/teams/tenants',
  summary: 'Teams organisations from which an owner has written, and which wait to be connected',
  policy: 'owner',
  answer: z.array(
    z.object({
      id: z.string(),
      tenantId: z.string(),
      /** Who wrote, by their name in Arc. */
      by: z.string(),
      at: isoDate,
    }),
  ),
});

export const confirmTenant = endpoint({
  method: 'post',
  path: '/api/teams/tenants/:id/connect',
  summary: 'Connect a waiting Teams organisation: from then on Arc reads and sends messages there',
  policy: 'owner',
  params: z.object({ id: z.string().regex(/^[0-9a-f]{24}$/) }),
  answer: z.object({ success: z.literal(true) }),
});

export const openTeamsTab = endpoint({
  method: 'post',
  path: '/api/teams/tab-token',
  summary: 'Exchange a Teams sign-in token for a bearer token of ten minutes, because a frame sends no cookie',
  policy: 'public',
  rate: 'tabToken',
  body: z.object({ token: z.string().min(1).max(8000) }),
  answer: z.object({ token: z.string(), seconds: z.number().int() }),
});

export const generateManifest = endpoint({
  method: 'post',
  path: '/api/teams/generate-manifest',
  summary: 'The Teams app package, teams-app-package.zip',
  policy: 'signed-in',
  answerType: 'file',
});
