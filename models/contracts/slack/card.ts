import type { ChannelCard } from '../channelCard.ts';

export const slackCard = {
  id: 'slack',
  name: 'Slack',
  surfaces: { slack: 'Slack', 'slack-home': 'Slack' },
  wordsOn: 'slack',
  isRemote: true,
  integration: {
    id: 'slack',
    name: 'Slack',
    icon: 'slack',
    description: 'Talk to your agents in Slack.',
    oauthUrl: '/api/oauth/slack/authorize',
    aliases: [],
  },
  page: '/slack-agent',
  needs: ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_SIGNING_SECRET'],
} as const satisfies ChannelCard;
