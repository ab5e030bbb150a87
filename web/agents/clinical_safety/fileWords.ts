import type { FileWords } from '../agent.ts';

/** Upload texts for hazard logs and tickets. */
export const FILE_WORDS: FileWords = {
  invitation:
    'Drop a hazard log and a ticket export here, in either order, and ask for the analysis. Or try a sample first.',
  drop: 'Drop a hazard log or a ticket export',
  attach: 'Upload a hazard log or tickets',
  choose: 'Hazard log or ticket export',
  none: 'Please choose a hazard log or a ticket export.',
  kinds: { 'hazard-log': 'Hazard log', tickets: 'Tickets' },
};
