import { mailPlanEnds as mail } from '../bot/engine/notices/planEnds.ts';
import type { Job } from './job.ts';

/** Mails owners whose trial or plan ends soon, or has ended. */
export const mailPlanEnds: Job = { name: 'mailPlanEnds', every: '1 hour', run: () => mail() };
