import type { GrantablePlan } from '../../../models/contracts/admin.ts';

/** The plans, as people read them. */
export const PLAN_NAMES: Record<GrantablePlan, string> = {
  trial: 'Trial',
  starter: 'Starter',
  pro: 'Pro',
  enterprise: 'Enterprise',
};
