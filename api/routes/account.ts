import type { Router } from 'express';
import { readIntegrations } from '../../bot/engine/accounts/integrations.ts';
import { completeStep, readOnboarding } from '../../bot/engine/accounts/onboarding.ts';
import { readTrial } from '../../bot/engine/accounts/trial.ts';
import { readBalance } from '../../bot/engine/credits/credits.ts';
import * as contract from '../../models/contracts/account.ts';
import { integrationsReady } from '../../models/contracts/integrations.ts';
import { bind } from '../middleware/bind.ts';

/** Trial, onboarding and credits of the account. */
export function accountRoutes(router: Router): void {
  bind(router, contract.trialStatus, ({ who }) => readTrial(who.accountId));

  bind(router, contract.onboardingStatus, async ({ who }) => {
    const [state, integrations] = await Promise.all([readOnboarding(who.accountId), readIntegrations(who.accountId)]);
    return { ...state, integrationsReady: integrationsReady(integrations) };
  });

  bind(router, contract.updateOnboarding, ({ who, body }) =>
    body.completed ? completeStep(who.accountId, body.step) : readOnboarding(who.accountId),
  );

  bind(router, contract.tokenBalance, async ({ who }) => ({ balance: await readBalance(who.accountId) }));
}
