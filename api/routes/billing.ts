import type { Router } from 'express';
import { setBudget } from '../../bot/engine/accounts/budgets.ts';
import { readUse, writeUse } from '../../bot/engine/accounts/creditUse.ts';
import { readBillingSummary } from '../../bot/engine/accounts/readSummary.ts';
import { changePaidPlan, openPortal, refreshPaidPlan, startCheckout } from '../../bot/engine/payments/checkout.ts';
import { applyEvent, receiveEvent } from '../../bot/engine/payments/events.ts';
import { paymentsConfigured } from '../../bot/engine/payments/readPaidPlan.ts';
import { listInvoices, readPayment } from '../../bot/engine/payments/readPayment.ts';
import { isSigned } from '../../bot/engine/payments/signature.ts';
import { runInBackground } from '../../models/background.ts';
import * as contract from '../../models/contracts/billing.ts';
import * as use from '../../models/contracts/creditUse.ts';
import { AppError } from '../../models/contracts/errors.ts';
import { env } from '../../models/env.ts';
import { ANSWERED, bind } from '../middleware/bind.ts';
import { bytesOf } from '../middleware/rawBody.ts';

/** Plan, usage and payment. */
export function billingRoutes(router: Router): void {
  bind(router, contract.billingSummary, async ({ who }) => {
    const [summary, payment] = await Promise.all([readBillingSummary(who.accountId), readPayment(who.accountId)]);
    return { ...summary, ...payment };
  });
  bind(router, use.readCreditUse, ({ who, query }) => readUse(who.accountId, query.days));
  bind(router, use.exportCreditUse, async ({ who, query, response }) => {
    const text = await writeUse(who.accountId, query.days);
    response.attachment(`credits-${query.days}-days.csv`).type('text/csv; charset=utf-8');
    response.set({ 'Cache-Control': 'private, no-store', 'X-Content-Type-Options': 'nosniff' });
    response.send(text);
    return ANSWERED;
  });
  bind(router, use.setAgentBudget, async ({ who, body }) => {
    await setBudget(who, body.agentId, body.budget);
    return { success: true as const };
  });
  bind(router, contract.checkout, async ({ who, body }) => ({ url: await startCheckout(who, body.plan) }));
  bind(router, contract.billingPortal, async ({ who }) => ({ url: await openPortal(who) }));
  bind(router, contract.changePlan, async ({ who, body }) => ({
    url: await changePaidPlan(who, body.plan, body.accepted),
  }));
  bind(router, contract.refreshPlan, async ({ who }) => {
    await refreshPaidPlan(who);
    return { success: true as const };
  });
  bind(router, contract.billingInvoices, async ({ who }) => ({ invoices: await listInvoices(who) }));
}

/**
 * The payment provider's events. Bind it where no session is read and the bytes of the body are kept. An event is stored
 * before it is acknowledged; it is applied in the background, and by the job where that fails.
 */
export function paymentWebhookRoute(router: Router): void {
  bind(router, contract.paymentWebhook, async ({ body, request }) => {
    if (!paymentsConfigured()) throw new AppError('not_found');
    const header = request.get('stripe-signature');
    if (!isSigned(header, bytesOf(request), env.STRIPE_WEBHOOK_SECRET)) throw new AppError('bad_signature');
    if (await receiveEvent(body)) runInBackground('a payment event', applyEvent(body.id));
    return { received: true as const };
  });
}
