import { lazy } from 'react';
import type { WebAgent } from '../agent.ts';

const Panel = lazy(async () => ({ default: (await import('./CampaignsPanel.tsx')).CampaignsPanel }));

/** The marketer's parts of the pages. Its tasks go to the chat, as those of other agents do. */
export const marketer: WebAgent = { id: 'marketer', Panel };
