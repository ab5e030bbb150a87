import { tellEndedTrials as tell } from '../bot/engine/accounts/trial.ts';
import type { Job } from './job.ts';

/** Tells pages of trials that have just ended. */
export const tellEndedTrials: Job = { name: 'tellEndedTrials', every: '10 seconds', run: () => tell() };
