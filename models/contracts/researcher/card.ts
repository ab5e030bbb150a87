import type { CatalogueAgent } from '../catalogueAgent.ts';

/** The researcher's card. */
export const researcherCard: CatalogueAgent = {
  id: 'researcher',
  displayName: 'Rhea',
  role: 'Researcher',
  description:
    'Writes a brief over your documents: every sentence a quote with its document, and what none of them says.',
  monogram: 'RS',
  gradient: ['#27496d', '#4a7ab0'],
  defaultTools: [],
  priority: false,
  work: ['brief', 'literature review', 'literature search', 'market research', 'research paper'],
  status: 'working',
  inPreparation: 'reading PDF documents and connected tools',
  inChannels:
    'The researcher answers “What do our documents say about …?” with a brief: every sentence quoted with its document, and what is not in them.',
  schedules: [
    {
      action: 'research_brief',
      label: 'Write a brief over your documents',
      doing: 'Writing a brief',
      status: 'working',
      needs: { label: 'The question', example: 'What do our documents say about dose rounding?' },
    },
  ],
  examples: ['What do our documents say about dose rounding?'],
};
