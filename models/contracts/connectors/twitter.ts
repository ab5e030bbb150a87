import type { ConnectorCard } from '../connectorCard.ts';

export const twitterCard = {
  id: 'twitter',
  name: 'Twitter',
  icon: 'twitter',
  status: 'working',
  tools: [{ id: 'twitter', name: 'Twitter', description: 'Posts' }],
  aliases: [],
  place: { category: 'Enterprise', description: 'Read your own posts, prepare new ones.' },
  consent: {
    reads:
      'the name of the connected account and its own newest posts, with how often they were liked and reposted, when somebody asks for them.',
    writes:
      'nothing. A post that the marketer has prepared comes with a link that opens X with its text; a person posts it there.',
    stays: 'X’s cloud. Arc keeps no copy of the posts; what somebody asks for is in the chat.',
  },
  needs: ['TWITTER_CLIENT_ID', 'TWITTER_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
