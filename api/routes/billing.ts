import type { Router } from 'express';
import { readBillingSummary } from '../../bot/engine/accounts/readSummary.ts';
import * as contract from '../../models/contracts/billing.ts';
import { AppError } from '../../models/contracts/errors.ts';
import { bind } from '../middleware/bind.ts';

const refuse = (): never => {
  throw new AppError('not_configured', {
    text: 'Payment is not configured on this server, so the plan was not changed. An administrator can add credits in the meantime.',
  });
};

/** Plan, usage and payment. */
export function billingRoutes(router: Router): void {
  bind(router, contract.billingSummary, ({ who }) => readBillingSummary(who.accountId));
  bind(router, contract.checkout, refuse);
  bind(router, contract.billingPortal, refuse);
  bind(router, contract.changePlan, refuse);
}
