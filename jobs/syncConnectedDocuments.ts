import { sweepSyncs } from '../bot/engine/documents/syncDocuments.ts';
import type { Job } from './job.ts';

/** Reads what changed in the connected workspaces whose time has come, in every account. */
export const syncConnectedDocuments: Job = {
  name: 'syncConnectedDocuments',
  every: '1 minute',
  run: () => sweepSyncs(),
};
