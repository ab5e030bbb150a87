import { startDueJobs } from '../bot/engine/automation/startDueJobs.ts';
import type { Job } from './job.ts';

/** Starts scheduled work that is due. */
export const startAutomations: Job = { name: 'startAutomations', every: '20 seconds', run: () => startDueJobs() };
