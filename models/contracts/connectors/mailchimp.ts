import type { ConnectorCard } from '../connectorCard.ts';

export const mailchimpCard = {
  id: 'mailchimp',
  name: 'Mailchimp',
  icon: 'mailchimp',
  status: 'in-preparation',
  tools: [{ id: 'mailchimp', name: 'Mailchimp', description: 'Campaigns' }],
  aliases: [],
  place: { category: 'Enterprise', description: 'Campaigns.' },
  needs: ['MAILCHIMP_CLIENT_ID', 'MAILCHIMP_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
