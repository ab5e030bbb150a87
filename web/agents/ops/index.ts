import { lazy } from 'react';
import type { WebAgent } from '../agent.ts';

const Panel = lazy(async () => ({ default: (await import('./ProceduresPanel.tsx')).ProceduresPanel }));

/** The operations agent's parts of the pages. Its tasks go to the chat, as those of other agents do. */
export const ops: WebAgent = { id: 'ops', Panel };
