import type { ConnectorCard } from '../connectorCard.ts';

export const linearCard = {
  id: 'linear',
  name: 'Linear',
  icon: 'linear',
  status: 'working',
  tools: [{ id: 'linear', name: 'Linear', description: 'Tickets' }],
  aliases: [],
  place: { category: 'Documentation and Process', description: 'Read tickets from Linear.' },
  consent: {
    reads:
      'the issues of the team that you choose: identifier, title, description, labels, state and when they changed. Who wrote or works on them is not read.',
    writes: null,
    stays: 'Linear’s cloud. Arc keeps a copy of these issues on its own server until you disconnect.',
  },
  tickets: true,
  scoped: true,
  needs: ['LINEAR_CLIENT_ID', 'LINEAR_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
