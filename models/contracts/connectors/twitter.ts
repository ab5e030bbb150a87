import type { ConnectorCard } from '../connectorCard.ts';

export const twitterCard = {
  id: 'twitter',
  name: 'Twitter',
  icon: 'twitter',
  status: 'in-preparation',
  tools: [{ id: 'twitter', name: 'Twitter', description: 'Posts' }],
  aliases: [],
  place: { category: 'Enterprise', description: 'Posts.' },
  needs: ['TWITTER_CLIENT_ID', 'TWITTER_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
