import type { CatalogueAgent } from '../catalogueAgent.ts';

/** The operations agent's card. */
export const opsCard: CatalogueAgent = {
  id: 'ops',
  displayName: 'Opal',
  role: 'Operations',
  description:
    'Turns the description of a process into a procedure with roles and steps, a checklist, and a risk register.',
  monogram: 'OP',
  gradient: ['#2f4f4f', '#527a7a'],
  defaultTools: [],
  priority: false,
  work: [
    'sop',
    'checklist',
    'risk register',
    'onboarding plan',
    'rota',
    'standard operating procedure',
    'operating procedure',
    'meeting agenda',
  ],
  status: 'working',
  inPreparation: 'reading PDF documents',
  inChannels:
    'The operations agent turns “Write an SOP from …” and the description of a process into a procedure, a checklist and a risk register.',
  schedules: [
    {
      action: 'operating_procedure',
      label: 'Write a procedure from a description',
      doing: 'Writing a procedure',
      status: 'working',
      needs: { label: 'The description', example: 'Write an SOP from Vaccine delivery.docx' },
    },
  ],
  examples: ['Write an SOP from Vaccine delivery.docx', 'Which procedures have you written?'],
};
