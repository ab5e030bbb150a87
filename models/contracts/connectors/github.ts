import type { ConnectorCard } from '../connectorCard.ts';

export const githubCard = {
  id: 'github',
  name: 'GitHub',
  icon: 'github',
  status: 'working',
  tools: [{ id: 'github', name: 'GitHub', description: 'Issues, code and pull requests' }],
  aliases: [],
  place: { category: 'Enterprise', description: 'Read issues and code, propose pull requests.' },
  consent: {
    reads:
      'the issues of the repository that you choose: number, title, text, type, labels, state and when they changed. GitHub asks you to allow more (“repo”), because it offers nothing narrower for private repositories; Arc reads code only if you choose so afterwards, and then the files that somebody asks for.',
    writes:
      'nothing, unless you choose code afterwards: then a pull request with a branch of its own, each time only after somebody has approved its exact files. It never changes the default branch and merges nothing.',
    stays:
      'GitHub’s cloud. Arc keeps a copy of these issues on its own server until you disconnect, and no copy of the code; what somebody asks for is in the chat.',
  },
  tickets: true,
  scoped: true,
  needs: ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
