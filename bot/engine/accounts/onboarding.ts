import { Account } from '../../../models/account.ts';
import { ONBOARDING_STEPS, type OnboardingState, type OnboardingStep } from '../../../models/contracts/account.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { integrationsReady } from '../../../models/contracts/integrations.ts';
import { changing } from '../../../models/store/revisions.ts';
import { readIntegrations } from './integrations.ts';

/** The state of an account's onboarding. */
export async function readOnboarding(accountId: number): Promise<OnboardingState> {
  const account = await Account.findById(accountId).lean();
  if (!account) throw new AppError('not_found');
  return { onboardingCompleted: account.onboarding.completed, onboardingStep: account.onboarding.step };
}

/**
 * Completes a step. Only the current step advances; completing an earlier one changes nothing.
 * @throws AppError step_not_reached where a step would be skipped, not_available where the integrations step's
 *   requirement is not met
 */
export async function completeStep(accountId: number, step: OnboardingStep): Promise<OnboardingState> {
  const state = await readOnboarding(accountId);
  const ahead = ONBOARDING_STEPS.indexOf(step) - ONBOARDING_STEPS.indexOf(state.onboardingStep);
  if (state.onboardingCompleted || ahead < 0) return state;
  if (ahead > 0) throw new AppError('step_not_reached', { step: state.onboardingStep });
  if (step === 'integrations' && !integrationsReady(await readIntegrations(accountId))) {
    throw new AppError('not_available', {
      text: 'Complete Integration Setup: connect one documentation workspace and switch on one communication channel.',
    });
  }
  const next = ONBOARDING_STEPS[ONBOARDING_STEPS.indexOf(step) + 1] ?? 'completed';
  await changing(accountId, ['account'], () =>
    Account.updateOne(
      { _id: accountId, 'onboarding.step': step },
      { $set: { 'onboarding.step': next, 'onboarding.completed': next === 'completed' } },
    ),
  );
  return readOnboarding(accountId);
}
