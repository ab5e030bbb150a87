import { announceEndedTrials } from '../bot/engine/accounts/trial.ts';
import type { Job } from './job.ts';

/** Announces trials and plans that have just ended, so that pages refresh. */
export const tellEndedTrials: Job = { name: 'tellEndedTrials', every: '10 seconds', run: () => announceEndedTrials() };
