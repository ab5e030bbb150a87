import { mutate } from 'swr';
import {
  type OnboardingState,
  type OnboardingStep,
  onboardingStatus,
  tokenBalance,
  updateOnboarding,
} from '../../models/contracts/account.ts';
import { call, urlOf } from './call.ts';
import { useCall } from './useCall.ts';

/** The account's onboarding step. */
export function useOnboarding(signedIn: boolean) {
  return useCall(onboardingStatus, signedIn ? {} : null);
}

/** Completes a step. @returns the state with the next step */
export async function completeStep(step: OnboardingStep): Promise<OnboardingState> {
  const state = await call(updateOnboarding, { body: { step, completed: true } });
  await mutate(urlOf(onboardingStatus));
  return state;
}

/** Credits left and used. */
export function useCredits(signedIn: boolean) {
  return useCall(tokenBalance, signedIn ? {} : null);
}
