import type { ConnectorCard } from '../connectorCard.ts';

export const airtableCard = {
  id: 'airtable',
  name: 'Airtable',
  icon: 'table',
  status: 'working',
  tools: [{ id: 'airtable', name: 'Airtable', description: 'Tables' }],
  aliases: [],
  place: { category: 'Enterprise', description: 'Read a table of people, save drafts as records.' },
  consent: {
    reads:
      'records of the table that you choose: names, e-mail addresses, companies, roles and opt-outs, in columns that are named so; and the names of bases, tables and columns, for the choice.',
    writes:
      'drafts of agents, as new records in the table that you choose for them, if you choose one. It sends nothing, and changes and deletes nothing else.',
    stays:
      'Airtable’s cloud. Arc reads people when somebody asks for a list: that list is kept with the chat’s files, like one that was uploaded. Who opted out is kept as an opt-out, so that later lists honour it.',
  },
  scoped: true,
  needs: ['AIRTABLE_CLIENT_ID', 'AIRTABLE_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
