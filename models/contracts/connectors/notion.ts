import type { ConnectorCard } from '../connectorCard.ts';

export const notionCard = {
  id: 'notion',
  name: 'Notion',
  icon: 'notion',
  status: 'working',
  tools: [{ id: 'notion', name: 'Notion', description: 'Pages and databases' }],
  aliases: [],
  place: {
    category: 'Documentation and Process',
    description: 'Read pages and save drafts to Notion.',
    documentation: true,
  },
  consent: {
    reads:
      'the page that you choose here and the pages below it, rows of tables included: titles, texts, and properties other than people and files. On its own page Notion asks which pages Arc may see; Arc lists the titles of those and reads no others.',
    writes: 'drafts of agents, as new pages below the page that you choose. It changes and deletes nothing else.',
    stays:
      'Notion’s cloud. Arc keeps a copy of these pages on its own server until you disconnect, and reads changes every ten minutes.',
  },
  scoped: true,
  needs: ['NOTION_CLIENT_ID', 'NOTION_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
