import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** Providers of login by name. */
export const LOGIN_PROVIDERS: Record<string, string> = { google: 'Google', microsoft: 'Microsoft' };

/** Comes back to /auth; with the reason, where a person followed a link to a provider that there is not. */
export const providerLogin = endpoint({
  method: 'get',
  path: '/api/oauth/:provider/auth',
  summary: 'Log in with a provider',
  policy: 'public',
  params: z.object({ provider: z.string().max(50) }),
  answerType: 'redirect',
});

export const beginConnection = endpoint({
  method: 'get',
  path: '/api/oauth/:service/authorize',
  summary: 'Connect a tool; returns to the page that began with oauth, service, error and agent',
  policy: 'signed-in',
  params: z.object({ service: z.string().max(50) }),
  query: z.object({
    scope: z.enum(['docs', 'drive']).optional(),
    agent: z.string().max(50).optional(),
    from: z.string().max(200).optional(),
  }),
  answerType: 'redirect',
});

/** SharePoint's own word for the same. */
export const initiateConnection = endpoint({
  method: 'get',
  path: '/api/oauth/:service/initiate',
  summary: 'Connect SharePoint: the same as authorize',
  policy: 'signed-in',
  params: z.object({ service: z.literal('sharepoint') }),
  query: z.object({ agent: z.string().max(50).optional(), from: z.string().max(200).optional() }),
  answerType: 'redirect',
});

/** Where a vendor sends the person back; the only GET that changes anything, guarded by its single-use state. */
export const finishConnection = endpoint({
  method: 'get',
  path: '/api/oauth/:service/callback',
  summary: 'Return from a vendor',
  policy: 'signed-in',
  params: z.object({ service: z.string().max(50) }),
  query: z.object({
    code: z.string().max(2000).optional(),
    state: z.string().max(500).optional(),
    error: z.string().max(500).optional(),
  }),
  answerType: 'redirect',
});
