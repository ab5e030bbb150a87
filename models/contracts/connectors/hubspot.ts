import type { ConnectorCard } from '../connectorCard.ts';

export const hubspotCard = {
  id: 'hubspot',
  name: 'HubSpot',
  icon: 'people',
  status: 'working',
  tools: [{ id: 'hubspot', name: 'HubSpot', description: 'Customer records' }],
  aliases: [],
  place: { category: 'Enterprise', description: 'Read contacts and companies, save draft e-mails.' },
  consent: {
    reads:
      'contacts of the list that you choose, or all of them: names, e-mail addresses, companies, job titles and who opted out of e-mail; and names, domains and industries of companies.',
    writes:
      'drafts of agents, as new marketing e-mails in the state of a draft, without recipients. It sends nothing, and changes and deletes nothing else.',
    stays:
      'HubSpot’s cloud. Arc reads people when somebody asks for a list: that list is kept with the chat’s files, like one that was uploaded. Who opted out is kept as an opt-out, so that later lists honour it.',
  },
  scoped: true,
  needs: ['HUBSPOT_CLIENT_ID', 'HUBSPOT_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
