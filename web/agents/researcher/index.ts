import { lazy } from 'react';
import type { WebAgent } from '../agent.ts';

const Panel = lazy(async () => ({ default: (await import('./BriefsPanel.tsx')).BriefsPanel }));

/** The researcher's parts of the pages. Its tasks go to the chat, as those of other agents do. */
export const researcher: WebAgent = { id: 'researcher', Panel };
