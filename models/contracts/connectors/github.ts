import type { ConnectorCard } from '../connectorCard.ts';

export const githubCard = {
  id: 'github',
  name: 'GitHub',
  icon: 'github',
  status: 'working',
  tools: [{ id: 'github', name: 'GitHub', description: 'Repositories and issues' }],
  aliases: [],
  place: { category: 'Enterprise', description: 'Repositories and issues.' },
  consent: {
    reads:
      'the issues of the repository that you choose: number, title, text, type, labels, state and when they changed. GitHub asks you to allow more (“repo”), because it offers nothing narrower for private repositories; Arc reads no code and no pull requests.',
    writes: null,
    stays: 'GitHub’s cloud. Arc keeps a copy of these issues on its own server until you disconnect.',
  },
  tickets: true,
  scoped: true,
  needs: ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
