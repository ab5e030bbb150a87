import { lazy } from 'react';
import type { WebAgent } from '../agent.ts';

const Panel = lazy(async () => ({ default: (await import('./DeveloperPanel.tsx')).DeveloperPanel }));

/** The full-stack developer on the pages. */
export const developer: WebAgent = { id: 'developer', Panel, hasOwnTasks: true };
