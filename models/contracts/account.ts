import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const trialStatus = endpoint({
  method: 'get',
  path: '/api/user/trial/status',
  summary: 'Trial and subscription',
  policy: 'signed-in',
  answer: z.object({
    isTrialActive: z.boolean(),
    remainingDays: z.number().int(),
    /** trial, active or expired. */
    subscriptionStatus: z.enum(['trial', 'active', 'expired']),
  }),
});

export const ONBOARDING_STEPS = ['preferences', 'team', 'integrations', 'billing', 'completed'] as const;
export const onboardingStep = z.enum(ONBOARDING_STEPS);
export type OnboardingStep = z.infer<typeof onboardingStep>;

const onboardingState = z.object({ onboardingCompleted: z.boolean(), onboardingStep });
export type OnboardingState = z.infer<typeof onboardingState>;

export const onboardingStatus = endpoint({
  method: 'get',
  path: '/api/user/onboarding/status',
  summary: 'The state of the onboarding',
  policy: 'signed-in',
  answer: onboardingState.extend({
    /** True where one documentation workspace and one channel are connected and enabled. */
    integrationsReady: z.boolean(),
  }),
});

export const updateOnboarding = endpoint({
  method: 'post',
  path: '/api/user/onboarding/update',
  summary: 'Complete a step of the onboarding',
  policy: 'signed-in',
  body: z.object({ step: onboardingStep, completed: z.boolean() }),
  answer: onboardingState,
});

export const tokenBalance = endpoint({
  method: 'get',
  path: '/api/user/tokens/balance',
  summary: 'Credits left and used, read from the ledger',
  policy: 'signed-in',
  scopes: ['usage:read'],
  answer: z.object({
    balance: z.object({ tokensRemaining: z.number().int(), tokensUsed: z.number().int() }),
  }),
});
