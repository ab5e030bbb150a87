import { BOT_SCOPES } from './slackScopes.ts';

/** What Slack is told about Arc; written for a customer's address by `npm run manifest -- slack --url https://…`. */
export function slackManifest(baseUrl: string, socketMode = false) {
  const events = `${baseUrl}/slack/events`;
  return {
    display_information: {
      name: 'Arc',
      description: 'AI agents for regulated health software, with one inbox for what they ask.',
      background_color: '#0b5d5b',
      long_description:
        'Arc brings your hired agents into Slack. Mention Arc in a channel, write to it directly, or open its Home tab to see what waits for a person. The clinical safety agent reads a hazard log and tickets that you drop into a message, and asks for your review of what it proposes. What leaves for Slack follows the mode that your company has consented to.',
    },
    features: {
      app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      agent_view: {
        agent_description:
          'Reads hazard logs and tickets, finds faults and gaps, and asks you before anything is written.',
        suggested_prompts: [
          { title: 'Try it with a sample', message: 'Try it with a sample' },
          { title: 'Analyse my hazard log', message: 'Analyse my hazard log' },
          { title: 'What can you do?', message: 'help' },
        ],
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
          usage_hint: 'help | ask … | inbox | status | hire | agent NAME',
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
