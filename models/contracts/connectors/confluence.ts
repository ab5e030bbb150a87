import type { ConnectorCard } from '../connectorCard.ts';

export const confluenceCard = {
  id: 'confluence',
  name: 'Confluence',
  icon: 'pages',
  status: 'in-preparation',
  tools: [{ id: 'confluence', name: 'Confluence', description: 'Team pages' }],
  aliases: [],
  place: null,
  needs: ['CONFLUENCE_CLIENT_ID', 'CONFLUENCE_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
