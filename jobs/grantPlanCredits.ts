import { grantAllPlanCredits } from '../bot/engine/accounts/planCredits.ts';
import type { Job } from './job.ts';

/** Grants the month's credits of plans that an administrator gave. */
export const grantPlanCredits: Job = { name: 'grantPlanCredits', every: '1 hour', run: () => grantAllPlanCredits() };
