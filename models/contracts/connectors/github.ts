import type { ConnectorCard } from '../connectorCard.ts';

export const githubCard = {
  id: 'github',
  name: 'GitHub',
  icon: 'github',
  status: 'in-preparation',
  tools: [{ id: 'github', name: 'GitHub', description: 'Repositories and issues' }],
  aliases: [],
  place: { category: 'Enterprise', description: 'Repositories and issues.' },
  needs: ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
