import type { CatalogueAgent } from '../catalogueAgent.ts';

/** The document professionaliser's card. */
export const professionaliserCard: CatalogueAgent = {
  id: 'professionaliser',
  displayName: 'Petra',
  role: 'Document professionaliser',
  description:
    'Turns a rough document into a controlled one: control block, numbered headings, terms, open points, every change tracked.',
  monogram: 'PR',
  gradient: ['#46505a', '#72808c'],
  defaultTools: ['notion', 'googledocs', 'googledrive', 'confluence', 'airtable', 'sharepoint'],
  priority: false,
  work: [
    'controlled document',
    'proofread',
    'house style',
    'reformat',
    'reformat document',
    'tidy document',
    'document template',
  ],
  status: 'working',
  inPreparation: 'reading PDF documents',
  inChannels:
    'The document professionaliser turns “Make a controlled document of …” into a Word file with every change tracked, and saves it as a draft once you approve.',
  schedules: [
    {
      action: 'document_control',
      label: 'Bring a document into controlled form',
      doing: 'Controlling a document',
      status: 'working',
      needs: { label: 'The document', example: 'Make a controlled document of Incident procedure.docx' },
    },
  ],
  examples: ['Make a controlled document of Incident procedure.docx', 'Which documents have you controlled?'],
};
