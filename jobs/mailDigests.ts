import { mailDigests as mail } from '../bot/engine/notices/digests.ts';
import type { Job } from './job.ts';

/** Mails the hourly and daily lists of questions that wait. */
export const mailDigests: Job = { name: 'mailDigests', every: '1 minute', run: () => mail() };
