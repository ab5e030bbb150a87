import { isEnabled } from '../../bot/engine/accounts/integrations.ts';
import { requireActivePlan } from '../../bot/engine/accounts/trial.ts';
import { AppError } from '../../models/contracts/errors.ts';
import type { Who } from '../../models/policies/who.ts';

/**
 * Requires arc-chat to be switched on and an active trial or plan.
 * @throws AppError channel_off, trial_over
 */
export async function requireChat(who: Who): Promise<void> {
  const [enabled] = await Promise.all([isEnabled(who.accountId, 'arc-chat'), requireActivePlan(who.accountId)]);
  if (!enabled) throw new AppError('channel_off');
}
