import type { ConnectorCard } from '../connectorCard.ts';

export const jiraCard = {
  id: 'jira',
  name: 'Jira',
  icon: 'jira',
  status: 'working',
  tools: [{ id: 'jira', name: 'Jira', description: 'Tickets' }],
  aliases: [],
  place: { category: 'Documentation and Process', description: 'Read tickets from Jira.' },
  needs: ['JIRA_CLIENT_ID', 'JIRA_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
