import { AppError } from '../../../models/contracts/errors.ts';
import { may } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { planByHand, planByPayment, Subscription } from '../../../models/subscription.ts';
import { readPlaces } from '../accounts/readPlaces.ts';
import { whatNoLongerFits } from './fits.ts';
import { paymentsConfigured } from './readPaidPlan.ts';
import { type Invoice, stripe } from './stripe.ts';

/** What is paid for, and what would not fit another plan; from Arc's own rows alone, so that it never waits for others. */
export async function readPayment(accountId: number, now = Date.now()) {
  const [row, places] = await Promise.all([Subscription.findOne({ accountId }).lean(), readPlaces(accountId, now)]);
  const paid = row && planByPayment(row, now);
  const given = row && planByHand(row, now);
  return {
    paymentConfigured: paymentsConfigured(),
    planByHand:
      given && given.plan !== 'trial' ? { plan: given.plan, endsAt: given.endsAt?.toISOString() ?? null } : null,
    payment: paid && {
      plan: paid.plan,
      isOverdue: paid.status === 'past_due',
      renewsAt: paid.periodEnd.toISOString(),
      endsAt: paid.endsAt?.toISOString() ?? null,
      running: paid.running,
    },
    hasPaid: Boolean(row?.customerId),
    noLongerFits: {
      now: whatNoLongerFits(places.plan, places),
      starter: whatNoLongerFits('starter', places),
      pro: whatNoLongerFits('pro', places),
    },
  };
}

const isWebAddress = (url: string | null): url is string => url !== null && /^https?:\/\//.test(url);

const presentInvoice = ({ id, number, created, total, currency, status, hosted_invoice_url: url }: Invoice) => ({
  id,
  number: number ?? id,
  at: new Date(created * 1000).toISOString(),
  total,
  currency: currency.toUpperCase(),
  status: status ?? 'draft',
  url: isWebAddress(url) ? url : null,
});

/**
 * The company's invoices, newest first, at most a hundred; none where it never began a payment.
 * @throws AppError not_allowed, provider_unavailable, not_available
 */
export async function listInvoices(who: Who) {
  if (!may(who, 'billing.change')) throw new AppError('not_allowed');
  const row = await Subscription.findOne({ accountId: who.accountId }).lean();
  if (!paymentsConfigured() || !row?.customerId) return [];
  const invoices = await stripe.listInvoices(row.customerId);
  return invoices.filter(({ status }) => status !== 'draft').map(presentInvoice);
}
