import { lazy } from 'react';
import type { WebAgent } from '../agent.ts';

const Panel = lazy(async () => ({ default: (await import('./FilePanel.tsx')).FilePanel }));

/** The technical file agent's parts of the pages. */
export const mdr: WebAgent = { id: 'mdr', Panel, hasOwnTasks: true };
