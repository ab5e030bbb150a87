import type { CatalogueAgent } from '../catalogueAgent.ts';

/** The developer's tool for repositories. */
export const CODE_TOOL = { id: 'github', name: 'GitHub' };

/** The full-stack developer's card. */
export const developerCard: CatalogueAgent = {
  id: 'developer',
  displayName: 'Devon',
  role: 'Full-stack developer',
  description:
    'Turns an objective into a small working web app that you can preview, change and download with its browser test.',
  monogram: 'DV',
  gradient: ['#3a3f58', '#5f6690'],
  defaultTools: ['github', 'bolt', 'vercel'],
  tools: [{ id: 'bolt', name: 'Bolt', description: 'The built-in project builder' }],
  priority: false,
  isShownAsEnterprise: true,
  work: [
    'code',
    'program',
    'website',
    'web app',
    'app prototype',
    'kanban board',
    'calculator',
    'landing page',
    'script',
    'demo page',
    'bug fix',
    'pull request',
    'api client',
  ],
  status: 'working',
  inPreparation: 'publishing and apps with a server',
  inChannels:
    'The developer turns “Build a list of suppliers with name, city and status” into a small working web app with a preview, rounds of changes and an archive.',
  schedules: [
    {
      action: 'app_build',
      label: 'Build an app from an objective',
      doing: 'Building an app',
      status: 'working',
      needs: { label: 'The objective', example: 'A list of suppliers with name, city and status (active, paused)' },
    },
  ],
  examples: ['Build a list of suppliers with name, city and status (active, paused)', 'Which apps have you built?'],
};
