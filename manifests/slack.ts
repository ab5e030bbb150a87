import { WORKING_AGENTS } from '../models/contracts/catalogue.ts';
import type { CatalogueAgent } from '../models/contracts/catalogueAgent.ts';
import { BOT_SCOPES } from './slackScopes.ts';

/** Slack's limit of suggested prompts. */
const MAX_PROMPTS = 4;

/** Slack's limit of the description of the agent view. */
const MAX_DESCRIPTION = 300;

/** What the working agents do; where that is too long for Slack, who they are, then only their names. */
export function describeAgents(
  agents: readonly Pick<CatalogueAgent, 'description' | 'displayName' | 'role'>[] = WORKING_AGENTS,
): string {
  const next = 'Say what you need, and the right one answers.';
  const team = (nameOf: (agent: (typeof agents)[number]) => string) =>
    `Your hired agents: ${agents.map(nameOf).join(', ')}. ${next}`;
  const texts = [
    agents.map(({ description }) => description).join(' '),
    team(({ displayName, role }) => `${displayName} (${role})`),
    team(({ displayName }) => displayName),
  ];
  return texts.find(({ length }) => length <= MAX_DESCRIPTION) ?? `Your hired agents. ${next}`;
}

/** Suggested first messages: those of the working agents, and help. */
export const suggestedPrompts = (agents: readonly Pick<CatalogueAgent, 'suggestions'>[] = WORKING_AGENTS) => [
  ...agents.flatMap(({ suggestions = [] }) => suggestions).slice(0, MAX_PROMPTS - 1),
  { title: 'What can you do?', message: 'help' },
];

/** The Slack app manifest; `npm run manifest -- slack --url https://…` writes it for a customer's URL. */
export function slackManifest(baseUrl: string, socketMode = false) {
  const events = `${baseUrl}/slack/events`;
  return {
    display_information: {
      name: 'Arc',
      description: 'AI agents for regulated health software, with one inbox for what they ask.',
      background_color: '#0b5d5b',
      long_description: `Arc brings your hired agents into Slack. Mention Arc in a channel, write to it directly, or open its Home tab to see what waits for a person. ${WORKING_AGENTS.map(
        ({ inChannels }) => inChannels,
      )
        .filter(Boolean)
        .join(' ')} What leaves for Slack follows the mode that your company has consented to.`,
    },
    features: {
      app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      agent_view: {
        agent_description: describeAgents(),
        suggested_prompts: suggestedPrompts(),
      },
      bot_user: { display_name: 'Arc', always_online: true },
      shortcuts: [
        {
          name: 'Send to Arc',
          type: 'message',
          callback_id: 'send_to_arc',
          description: 'Let the agent look at this message and its files',
        },
      ],
      slash_commands: [
        {
          command: '/arc',
          url: events,
          description: 'Ask your agents, see your inbox',
          usage_hint: 'help | ask … | inbox | status | assign | snooze | comment | hire',
          should_escape: true,
        },
      ],
    },
    oauth_config: { redirect_urls: [`${baseUrl}/api/oauth/slack/callback`], scopes: { bot: BOT_SCOPES } },
    settings: {
      event_subscriptions: {
        request_url: events,
        bot_events: [
          'agent_session_stopped',
          'app_home_opened',
          'app_mention',
          'app_uninstalled',
          'message.channels',
          'message.groups',
          'message.im',
          'tokens_revoked',
        ],
      },
      interactivity: { is_enabled: true, request_url: events },
      org_deploy_enabled: true,
      socket_mode_enabled: socketMode,
      token_rotation_enabled: true,
    },
  };
}
