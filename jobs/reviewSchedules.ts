import { reviewSchedules as review } from '../bot/engine/automation/pauseFailing.ts';
import type { Job } from './job.ts';

/** Tells of scheduled work that failed, and pauses what fails again and again. */
export const reviewSchedules: Job = { name: 'reviewSchedules', every: '1 minute', run: () => review() };
