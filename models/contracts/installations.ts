import { z } from 'zod';
import { email } from './auth.ts';
import { REMOTE_CHANNELS } from './channels.ts';
import { endpoint, isoDate } from './endpoint.ts';
import { disconnected } from './oauth.ts';

const channel = z.enum(REMOTE_CHANNELS);

/** Who may ask besides members: nobody, everyone of the workspace, or people by e-mail. */
export const admits = z.union([z.literal('members'), z.literal('workspace'), z.array(email).min(1).max(500)]);

const installationView = z.object({
  id: z.string(),
  name: z.string(),
  admits,
  installedAt: isoDate,
  error: z.string().nullable(),
});

export type Installation = z.infer<typeof installationView>;

export const listInstallations = endpoint({
  method: 'get',
  path: '/api/channels/:channel/installations',
  summary: 'Where a channel is installed, and who may ask there',
  policy: 'signed-in',
  params: z.object({ channel }),
  answer: z.array(installationView),
});

export const changeInstallation = endpoint({
  method: 'put',
  path: '/api/channels/:channel/installations/:id',
  summary: 'Set who may ask besides members; only owners and approvers answer',
  policy: 'owner',
  params: z.object({ channel, id: z.string().regex(/^[0-9a-f]{24}$/) }),
  body: z.object({ admits }),
  answer: installationView,
});

export const disconnectInstallation = endpoint({
  method: 'delete',
  path: '/api/channels/:channel/installations/:id',
  summary:
    'End an installation: its tokens are revoked at the platform and deleted, and Arc sends nothing there any more',
  policy: 'owner',
  params: z.object({ channel, id: z.string().regex(/^[0-9a-f]{24}$/) }),
  answer: disconnected,
});
