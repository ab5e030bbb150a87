import { lazy } from 'react';
import type { WebAgent } from '../agent.ts';

const Panel = lazy(async () => ({ default: (await import('./DesignerPanel.tsx')).DesignerPanel }));

/** The product designer's parts of the pages. */
export const designer: WebAgent = { id: 'designer', Panel, hasOwnTasks: true };
