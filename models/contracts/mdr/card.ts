import type { CatalogueAgent } from '../catalogueAgent.ts';

/** The medical device agent's card. */
export const mdrCard: CatalogueAgent = {
  id: 'mdr',
  displayName: 'Marta',
  role: 'EU MDR technical file',
  description:
    'Reasons the class of your software, checks Annex I number by number, and drafts Annex II and III of MDR 2017/745.',
  monogram: 'MD',
  gradient: ['#1f4e79', '#2f7f9e'],
  defaultTools: ['mdrtools', 'clinicaldata', 'riskmanagement', 'notion', 'googledocs', 'googledrive'],
  tools: [
    { id: 'mdrtools', name: 'MDR tools', description: 'Annex II and III checks' },
    { id: 'clinicaldata', name: 'Clinical data', description: 'Clinical evaluation inputs' },
  ],
  priority: true,
  work: ['technical file', 'mdr technical file', 'declaration of conformity', 'gspr checklist', 'ce mark file'],
  status: 'working',
  inPreparation: 'reading PDF documents',
  inChannels:
    'The technical file agent answers “Which class is it?”, “Show the GSPR on security”, “What is missing?” and “When is the PSUR due?”, and drafts the technical file.',
  schedules: [
    {
      action: 'mdr_technical_file',
      label: 'Check the MDR technical file',
      doing: 'Writing a technical file',
      status: 'working',
    },
  ],
  examples: ['Make the technical file', 'Which class is it?', 'Show the GSPR on security', 'When is the PSUR due?'],
};
