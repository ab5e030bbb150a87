import type { ConnectorCard } from '../connectorCard.ts';

export const airtableCard = {
  id: 'airtable',
  name: 'Airtable',
  icon: 'table',
  status: 'in-preparation',
  tools: [{ id: 'airtable', name: 'Airtable', description: 'Tables' }],
  aliases: [],
  place: null,
  needs: ['AIRTABLE_CLIENT_ID', 'AIRTABLE_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
