import type { ConnectorCard } from '../connectorCard.ts';

export const mailchimpCard = {
  id: 'mailchimp',
  name: 'Mailchimp',
  icon: 'mailchimp',
  status: 'working',
  tools: [{ id: 'mailchimp', name: 'Mailchimp', description: 'Campaigns' }],
  aliases: [],
  place: { category: 'Enterprise', description: 'Read an audience, save draft campaigns.' },
  consent: {
    reads:
      'members of the audience that you choose: names, e-mail addresses, company and role where the audience has such fields, and who unsubscribed. Mailchimp has no narrower permission than the whole account; Arc asks for nothing else.',
    writes:
      'drafts of agents, as new campaigns that are saved as drafts, without recipients. It sends nothing, and changes and deletes nothing else.',
    stays:
      'Mailchimp’s cloud. Arc reads people when somebody asks for a list: that list is kept with the chat’s files, like one that was uploaded. Who opted out is kept as an opt-out, so that later lists honour it.',
  },
  scoped: true,
  needs: ['MAILCHIMP_CLIENT_ID', 'MAILCHIMP_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
