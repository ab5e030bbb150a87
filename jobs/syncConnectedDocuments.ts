import { syncEveryAccount } from '../bot/engine/documents/syncDocuments.ts';
import type { Job } from './job.ts';

/** Reads what changed in the connected workspaces, in every account. */
export const syncConnectedDocuments: Job = {
  name: 'syncConnectedDocuments',
  every: '10 minutes',
  run: () => syncEveryAccount(),
};
