import { mutate } from 'swr';
import {
  ONBOARDING_STEPS,
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

export type DashboardTab = 'preferences' | 'team' | 'integrations' | 'billing' | 'chat';

/** Tabs that may be opened (docs/spec-coverage.md, S1 section 4). */
export function allowedTabs(input: {
  completed: boolean;
  step: OnboardingStep;
  locked: boolean;
  /** Whether the arc-chat integration is enabled. */
  chat: boolean;
}): DashboardTab[] {
  const order: DashboardTab[] = ['preferences', 'team', 'integrations', 'billing'];
  if (input.locked) return ['billing'];
  const reached = input.completed ? order : order.filter((_tab, at) => at <= ONBOARDING_STEPS.indexOf(input.step));
  return input.chat ? [...reached, 'chat'] : reached;
}
