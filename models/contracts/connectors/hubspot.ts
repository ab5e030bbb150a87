import type { ConnectorCard } from '../connectorCard.ts';

export const hubspotCard = {
  id: 'hubspot',
  name: 'HubSpot',
  icon: 'people',
  status: 'in-preparation',
  tools: [{ id: 'hubspot', name: 'HubSpot', description: 'Customer records' }],
  aliases: [],
  place: null,
  needs: ['HUBSPOT_CLIENT_ID', 'HUBSPOT_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
