import { sweepAll } from '../bot/engine/turns/sweepAll.ts';
import type { Job } from './job.ts';

/** Resumes interrupted work and runs due retries. */
export const sweepWork: Job = { name: 'sweepWork', every: '15 seconds', run: () => sweepAll() };
