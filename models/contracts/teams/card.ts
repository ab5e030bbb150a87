import type { ChannelCard } from '../channelCard.ts';

export const teamsCard = {
  id: 'teams',
  name: 'Microsoft Teams',
  surfaces: { teams: 'Teams' },
  wordsOn: 'teams',
  isRemote: true,
  integration: {
    id: 'teams',
    name: 'Microsoft Teams',
    icon: 'teams',
    description: 'Talk to your agents in Microsoft Teams.',
    aliases: ['teams-bot'],
  },
  page: '/teams-bot',
  // An empty app id means that Teams is off, never that its calls are not checked.
  needs: ['MICROSOFT_APP_ID', 'MICROSOFT_APP_PASSWORD', 'MICROSOFT_APP_TENANT_ID'],
} as const satisfies ChannelCard;
