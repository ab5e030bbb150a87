import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export type IntegrationCategory = 'Documentation and Process' | 'Communication' | 'Enterprise';
export type Integration = {
  id: string;
  name: string;
  icon: string;
  description: string;
  category: IntegrationCategory;
  /** Where connecting begins; absent where there is no such flow. */
  oauthUrl?: string;
  /** Counts as the documentation workspace of the advance rule. */
  documentation?: boolean;
  /** Counts as the communication channel of the advance rule. */
  channel?: boolean;
};

/** Every integration that the setup step and the integrations screen list. */
export const INTEGRATIONS: readonly Integration[] = [
  {
    id: 'sandbox',
    name: 'Sandbox workspace',
    icon: 'archive',
    description: 'Documents kept in Arc. Stands in until a real workspace is connected.',
    category: 'Documentation and Process',
    documentation: true,
  },
  {
    id: 'notion',
    name: 'Notion',
    icon: 'notion',
    description: 'Read pages and save drafts to Notion.',
    category: 'Documentation and Process',
    oauthUrl: '/api/oauth/notion/authorize',
    documentation: true,
  },
  {
    id: 'googledrive',
    name: 'Google Drive',
    icon: 'drive',
    description: 'Read files and save drafts to Google Drive.',
    category: 'Documentation and Process',
    oauthUrl: '/api/oauth/google/authorize?scope=drive',
    documentation: true,
  },
  {
    id: 'sharepoint',
    name: 'SharePoint',
    icon: 'sharepoint',
    description: 'Read files and save drafts to SharePoint.',
    category: 'Documentation and Process',
    oauthUrl: '/api/oauth/sharepoint/initiate',
    documentation: true,
  },
  {
    id: 'linear',
    name: 'Linear',
    icon: 'linear',
    description: 'Read tickets from Linear.',
    category: 'Documentation and Process',
    oauthUrl: '/api/oauth/linear/authorize',
  },
  {
    id: 'jira',
    name: 'Jira',
    icon: 'jira',
    description: 'Read tickets from Jira.',
    category: 'Documentation and Process',
    oauthUrl: '/api/oauth/jira/authorize',
  },
  {
    id: 'arc-chat',
    name: 'arc-chat',
    icon: 'chat',
    description: 'Talk to your agents here, in the browser.',
    category: 'Communication',
    channel: true,
  },
  {
    id: 'slack',
    name: 'Slack',
    icon: 'slack',
    description: 'Talk to your agents in Slack.',
    category: 'Communication',
    oauthUrl: '/api/oauth/slack/authorize',
    channel: true,
  },
  {
    id: 'teams',
    name: 'Microsoft Teams',
    icon: 'teams',
    description: 'Talk to your agents in Microsoft Teams.',
    category: 'Communication',
    channel: true,
  },
  {
    id: 'github',
    name: 'GitHub',
    icon: 'github',
    description: 'Repositories and issues.',
    category: 'Enterprise',
    oauthUrl: '/api/oauth/github/authorize',
  },
  {
    id: 'figma',
    name: 'Figma',
    icon: 'figma',
    description: 'Design files.',
    category: 'Enterprise',
    oauthUrl: '/api/oauth/figma/authorize',
  },
  {
    id: 'mailchimp',
    name: 'Mailchimp',
    icon: 'mailchimp',
    description: 'Campaigns.',
    category: 'Enterprise',
    oauthUrl: '/api/oauth/mailchimp/authorize',
  },
  {
    id: 'twitter',
    name: 'Twitter',
    icon: 'twitter',
    description: 'Posts.',
    category: 'Enterprise',
    oauthUrl: '/api/oauth/twitter/authorize',
  },
];

/** The id that is kept for what a call names: `teams-bot` is an alias of `teams`. */
export function integrationIdOf(id: string): string {
  return id === 'teams-bot' ? 'teams' : id;
}

const integrationState = z.object({
  authenticated: z.boolean(),
  enabled: z.boolean(),
  error: z.string().nullable(),
  /** False where the deployment holds no credentials for it. */
  configured: z.boolean(),
});
export type IntegrationState = z.infer<typeof integrationState>;

export const oauthStatusAll = endpoint({
  method: 'get',
  path: '/api/oauth/status/all',
  summary: 'Every integration: connected, enabled, configured',
  policy: 'signed-in',
  answer: z.record(z.string(), integrationState),
});

export const oauthStatus = endpoint({
  method: 'get',
  path: '/api/oauth/status/:service',
  summary: 'One integration or tool',
  policy: 'signed-in',
  params: z.object({ service: z.string() }),
  answer: integrationState,
});

export const toggleIntegration = endpoint({
  method: 'post',
  path: '/api/integrations/toggle',
  summary: 'Switch an integration on or off for the account',
  policy: 'signed-in',
  body: z.object({ integrationId: z.string().min(1), enabled: z.boolean() }),
  answer: z.object({ success: z.literal(true), integrationId: z.string(), enabled: z.boolean() }),
});
