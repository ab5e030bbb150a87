import type { ConnectorCard } from '../connectorCard.ts';

export const salesforceCard = {
  id: 'salesforce',
  name: 'Salesforce',
  icon: 'people',
  status: 'in-preparation',
  tools: [{ id: 'salesforce', name: 'Salesforce', description: 'Customer records' }],
  aliases: [],
  place: null,
  needs: ['SALESFORCE_CLIENT_ID', 'SALESFORCE_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
