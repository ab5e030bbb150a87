import type { CatalogueAgent } from '../catalogueAgent.ts';

/** The clinical safety agent's card. */
export const clinicalSafetyCard: CatalogueAgent = {
  id: 'clinical_safety',
  displayName: 'Clara',
  role: 'Clinical safety officer',
  description: 'Reads your hazard log and your tickets, finds faults and gaps, and proposes hazards for your review.',
  monogram: 'CS',
  gradient: ['#0b5d5b', '#2c8c7c'],
  defaultTools: ['clinicalsafety', 'hazardanalysis', 'patientdatabase', 'riskmanagement', 'googledocs', 'googledrive'],
  tools: [
    { id: 'riskmanagement', name: 'Risk management', description: 'Risk matrix and acceptability' },
    { id: 'clinicalsafety', name: 'Clinical safety', description: 'DCB0129 rules and knowledge base' },
    { id: 'hazardanalysis', name: 'Hazard analysis', description: 'Hazard log and ticket analysis' },
  ],
  priority: true,
  isDefault: true,
  status: 'working',
  inChannels:
    'The clinical safety agent reads a hazard log and tickets that you drop into a message to it, and asks for your review of what it proposes.',
  suggestions: [
    { title: 'Try it with a sample', message: 'Try it with a sample' },
    { title: 'Analyse my hazard log', message: 'Analyse my hazard log' },
  ],
  examples: [
    'Which hazards name no owner?',
    'Merge the new lines into the hazard log',
    'Write the safety case report',
    'Check our safety case report',
    'Write the compliance sheet',
  ],
  schedules: [
    {
      action: 'cscr_generation',
      label: 'Generate the clinical safety case report',
      doing: 'Writing a clinical safety case report',
      status: 'working',
    },
    {
      action: 'hazard_log_analysis',
      label: 'Analyse the hazard log',
      doing: 'Analysing the hazard log',
      status: 'working',
    },
    {
      action: 'dcb0129_compliance',
      label: 'Write the DCB0129 compliance sheet',
      doing: 'Writing the DCB0129 compliance sheet',
      status: 'working',
    },
  ],
  search: {
    id: 'searchHazards',
    title: 'Hazards',
    description: 'Find a hazard of the newest analysis',
    hint: 'Id or words',
  },
  places: [{ title: 'Analyses', path: '/analyses', note: 'Every analysis, the newest first' }],
  reads: [
    '/api/hazard-analysis/',
    '/api/hazard-analyses',
    '/api/reading-profiles',
    '/api/match-decisions',
    '/api/clinical-safety-agent/',
  ],
};
