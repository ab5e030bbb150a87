import type { ConnectorCard } from '../connectorCard.ts';

export const linearCard = {
  id: 'linear',
  name: 'Linear',
  icon: 'linear',
  status: 'in-preparation',
  tools: [{ id: 'linear', name: 'Linear', description: 'Tickets' }],
  aliases: [],
  place: { category: 'Documentation and Process', description: 'Read tickets from Linear.' },
  needs: ['LINEAR_CLIENT_ID', 'LINEAR_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
