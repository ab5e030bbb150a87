import type { ChannelCard } from '../channelCard.ts';

export const slackCard = {
  id: 'slack',
  name: 'Slack',
  surfaces: { slack: 'Slack', 'slack-home': 'Slack' },
  wordsOn: 'slack',
  isRemote: true,
  needs: ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_SIGNING_SECRET'],
} as const satisfies ChannelCard;
