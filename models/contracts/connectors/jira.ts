import type { ConnectorCard } from '../connectorCard.ts';

export const jiraCard = {
  id: 'jira',
  name: 'Jira',
  icon: 'jira',
  status: 'working',
  tools: [{ id: 'jira', name: 'Jira', description: 'Tickets' }],
  aliases: [],
  place: { category: 'Documentation and Process', description: 'Read tickets from Jira.' },
  consent: {
    reads:
      'the tickets of the project that you choose: key, summary, description, type, labels, components, status and when they changed. People who report or work on them are not read.',
    writes: null,
    stays: 'Atlassian’s cloud. Arc keeps a copy of these tickets on its own server until you disconnect.',
  },
  tickets: true,
  scoped: true,
  needs: ['JIRA_CLIENT_ID', 'JIRA_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
