import { sweepAll } from '../bot/engine/turns/sweepAll.ts';
import type { Job } from './job.ts';

/** What a crash left is taken up here. */
export const sweepWork: Job = { name: 'sweepWork', every: '15 seconds', run: () => sweepAll() };
