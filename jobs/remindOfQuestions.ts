import { remindOfQuestions as remind } from '../bot/engine/notices/reminders.ts';
import type { Job } from './job.ts';

/** Reminds of questions that wait, then brings them to the deputy. */
export const remindOfQuestions: Job = { name: 'remindOfQuestions', every: '1 minute', run: () => remind() };
