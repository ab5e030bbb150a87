import { lazy } from 'react';
import type { WebAgent } from '../agent.ts';

const Panel = lazy(async () => ({ default: (await import('./DeveloperPanel.tsx')).DeveloperPanel }));

/** The full-stack developer's parts of the pages. */
export const developer: WebAgent = { id: 'developer', Panel, hasOwnTasks: true };
