import { finishErasures as finish } from '../bot/engine/erasure/eraseCompany.ts';
import type { Job } from './job.ts';

/** Finishes erasures of companies that were begun. */
export const finishErasures: Job = { name: 'finishErasures', every: '1 minute', run: () => finish() };
