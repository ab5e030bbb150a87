import type { ConnectorCard } from '../connectorCard.ts';

export const notionCard = {
  id: 'notion',
  name: 'Notion',
  icon: 'notion',
  status: 'in-preparation',
  tools: [{ id: 'notion', name: 'Notion', description: 'Pages and databases' }],
  aliases: [],
  place: {
    category: 'Documentation and Process',
    description: 'Read pages and save drafts to Notion.',
    documentation: true,
  },
  needs: ['NOTION_CLIENT_ID', 'NOTION_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
