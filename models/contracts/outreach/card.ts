import type { CatalogueAgent } from '../catalogueAgent.ts';

/** The outreach agent's card. */
export const outreachCard: CatalogueAgent = {
  id: 'outreach',
  displayName: 'Otis',
  role: 'Outreach',
  description:
    'Writes drafts of first mails and follow-ups to the people of a list that you give, or of a connected CRM. Opt-outs get none, and nothing is sent.',
  monogram: 'OR',
  gradient: ['#7a5a1e', '#b08a3c'],
  defaultTools: [],
  priority: false,
  work: [
    'cold email',
    'cold emails',
    'outreach',
    'list of leads',
    'leads',
    'prospects',
    'sales email',
    'follow-up emails',
    'contact list',
  ],
  status: 'working',
  inChannels:
    'The outreach agent turns “Draft outreach from Leads.csv” into drafts that you approve one by one. Who opted out gets none, and nothing is sent.',
  schedules: [
    {
      action: 'outreach_drafts',
      label: 'Draft outreach from a list',
      doing: 'Drafting outreach',
      status: 'working',
      needs: {
        label: 'The list and the texts',
        example: 'Draft outreach from Leads.csv, then lines “Offer: …”, “Ask: …” and “From: …”',
      },
    },
  ],
  examples: ['Draft outreach from Leads.csv', 'Draft outreach from our CRM', 'Opt out jo@example.org'],
};
