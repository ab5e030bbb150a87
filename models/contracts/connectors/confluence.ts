import type { ConnectorCard } from '../connectorCard.ts';

export const confluenceCard = {
  id: 'confluence',
  name: 'Confluence',
  icon: 'pages',
  status: 'working',
  tools: [{ id: 'confluence', name: 'Confluence', description: 'Team pages' }],
  aliases: [],
  place: {
    category: 'Documentation and Process',
    description: 'Read pages and save drafts to Confluence.',
    documentation: true,
  },
  consent: {
    reads:
      'the published pages of the space that you choose: titles and texts. Attachments, comments and who wrote what are not read.',
    writes:
      'drafts of agents, as pages in that space that are not published: only whoever connects Confluence sees them there, until they publish them. It changes and deletes nothing else.',
    stays:
      'Atlassian’s cloud. Arc keeps a copy of these pages on its own server until you disconnect, and reads changes every ten minutes.',
  },
  scoped: true,
  needs: ['CONFLUENCE_CLIENT_ID', 'CONFLUENCE_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
