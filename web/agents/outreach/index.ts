import { lazy } from 'react';
import type { WebAgent } from '../agent.ts';

const Panel = lazy(async () => ({ default: (await import('./ProspectsPanel.tsx')).ProspectsPanel }));

/** The outreach agent's parts of the pages. Its tasks go to the chat, as those of other agents do. */
export const outreach: WebAgent = { id: 'outreach', Panel };
