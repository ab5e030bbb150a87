import type { ConnectorCard } from '../connectorCard.ts';

export const figmaCard = {
  id: 'figma',
  name: 'Figma',
  icon: 'figma',
  status: 'in-preparation',
  tools: [{ id: 'figma', name: 'Figma', description: 'Design files' }],
  aliases: [],
  place: { category: 'Enterprise', description: 'Design files.' },
  needs: ['FIGMA_CLIENT_ID', 'FIGMA_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
