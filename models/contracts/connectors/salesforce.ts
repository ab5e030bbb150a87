import type { ConnectorCard } from '../connectorCard.ts';

export const salesforceCard = {
  id: 'salesforce',
  name: 'Salesforce',
  icon: 'people',
  status: 'working',
  tools: [{ id: 'salesforce', name: 'Salesforce', description: 'Customer records' }],
  aliases: [],
  place: { category: 'Enterprise', description: 'Read contacts and accounts, save planned campaigns.' },
  consent: {
    reads:
      'contacts or leads, as you choose: names, e-mail addresses, companies, titles and who opted out of e-mail; and names, websites and industries of accounts. Salesforce lets the connection see what you can see there; Arc asks for nothing else.',
    writes:
      'drafts of agents, as new campaigns that are planned and not active, without members. It sends nothing, and changes and deletes nothing else.',
    stays:
      'Salesforce’s cloud. Arc reads people when somebody asks for a list: that list is kept with the chat’s files, like one that was uploaded. Who opted out is kept as an opt-out, so that later lists honour it.',
  },
  scoped: true,
  needs: ['SALESFORCE_CLIENT_ID', 'SALESFORCE_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
