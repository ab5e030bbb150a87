import { AppError } from '../../../models/contracts/errors.ts';
import { baseUrl } from '../../../models/env.ts';
import { may } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { planByHand, planByPayment, Subscription, type SubscriptionRow, sizeOf } from '../../../models/subscription.ts';
import { readPlaces } from '../accounts/readPlaces.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { whatNoLongerFits } from './fits.ts';
import { offered, priceOf } from './prices.ts';
import { paymentsConfigured, readPaidPlan } from './readPaidPlan.ts';
import { stripe } from './stripe.ts';

type Buyable = 'starter' | 'pro';
const MINUTE_MS = 60_000;
const backTo = (note: string) => `${baseUrl()}/?payment=${note}#billing`;
const nameOf = (plan: string) => offered(plan)?.name ?? plan;

function requirePayer(who: Who): void {
  if (!may(who, 'billing.change')) throw new AppError('not_allowed');
  if (paymentsConfigured()) return;
  throw new AppError('not_configured', {
    text: 'Payment is not configured on this server, so the plan was not changed. An administrator can add credits in the meantime.',
  });
}

/** What the provider says now, so that nobody pays for a second plan beside one that a late event would have told of. */
async function readNow(accountId: number): Promise<SubscriptionRow> {
  await readPaidPlan(accountId);
  return requireRow(await Subscription.findOne({ accountId }).lean());
}

/** The company as a customer of the provider; a customer that was deleted there is replaced. */
async function ensureCustomer({ accountId, email }: Who, { customerId }: SubscriptionRow): Promise<string> {
  const known = customerId ? await stripe.readCustomer(customerId) : null;
  if (known && !known.deleted) return known.id;
  const metadata = { account: accountId, server: baseUrl() };
  const { id } = await stripe.createCustomer(
    { email, metadata },
    `customer:${baseUrl()}:${accountId}:${customerId ?? 'first'}:${email}`,
  );
  // Owners who begin at the same moment with different e-mails would get one customer each.
  const standing = customerId ?? null;
  await Subscription.updateOne({ accountId, customerId: standing }, { $set: { customerId: id } });
  return (await Subscription.findOne({ accountId }).lean())?.customerId ?? id;
}

/**
 * Begins the payment of a plan on the provider's page. A page for the same plan that is still open is used again; one for
 * another plan is closed, so that nobody pays for two.
 * @returns its address
 * @throws AppError not_allowed, not_configured, plan_stands, provider_unavailable, not_available
 */
export async function startCheckout(who: Who, plan: Buyable, now = Date.now()): Promise<string> {
  requirePayer(who);
  const { accountId } = who;
  const row = await readNow(accountId);
  const [given, paid] = [planByHand(row, now), planByPayment(row, now)];
  if (given && given.endsAt === null && sizeOf(given.plan) >= sizeOf(plan))
    throw new AppError('plan_stands', { plan: nameOf(given.plan), next: 'An administrator of this server gave it.' });
  if (paid) throw new AppError('plan_stands', { plan: nameOf(paid.plan), next: 'Change or end it under Billing.' });
  await recordEvent(accountId, 'plan.checkout', {
    userId: who.userId,
    subject: `account:${accountId}`,
    outcome: plan,
  });
  const customer = await ensureCustomer(who, row);
  for (const { id, url, metadata } of await stripe.listOpenSessions(customer)) {
    if (metadata?.plan === plan && url) return url;
    await stripe.expireSession(id);
  }
  const { url } = await stripe.createSession(
    {
      mode: 'subscription',
      customer,
      line_items: [{ price: priceOf(plan), quantity: 1 }],
      metadata: { plan },
      success_url: backTo('done'),
      cancel_url: backTo('left'),
    },
    // Two presses at the same moment open one page.
    `checkout:${customer}:${plan}:${Math.floor(now / MINUTE_MS)}`,
  );
  if (!url) throw new AppError('provider_unavailable', { name: 'Stripe' });
  return url;
}

/**
 * Opens the page on which a change of the paid plan is confirmed: Stripe says there what it costs or gives back.
 * @param accepted whether the person has read what no longer fits
 * @returns its address
 * @throws AppError not_allowed, not_configured, not_found where nothing is paid for, plan_stands where it is that plan,
 *   plan_too_small where something does not fit and was not accepted
 */
export async function changePaidPlan(who: Who, plan: Buyable, accepted: boolean): Promise<string> {
  requirePayer(who);
  const { accountId } = who;
  const row = await readNow(accountId);
  const paid = planByPayment(row, Date.now());
  if (!paid || !row.customerId) throw new AppError('not_found');
  if (paid.plan === plan) throw new AppError('plan_stands', { plan: nameOf(plan), next: 'End it under Manage.' });
  const { hired } = await readPlaces(accountId);
  const unfit = whatNoLongerFits(plan, { plan: paid.plan, hired });
  if (unfit.length > 0 && !accepted) throw new AppError('plan_too_small', { text: unfit.join(' ') });
  await recordEvent(accountId, 'plan.checkout', {
    userId: who.userId,
    subject: `account:${accountId}`,
    outcome: `${paid.plan} to ${plan}`,
  });
  const change = {
    type: 'subscription_update_confirm',
    after_completion: { type: 'redirect', redirect: { return_url: backTo('done') } },
    subscription_update_confirm: {
      subscription: paid.subscriptionId,
      items: [{ id: paid.itemId, price: priceOf(plan), quantity: 1 }],
    },
  };
  const opened = { customer: row.customerId, return_url: backTo('left'), flow_data: change };
  return (await stripe.openPortal(opened)).url;
}

/**
 * Opens the provider's pages: card, address, invoices, and ending the plan.
 * @returns their address
 * @throws AppError not_allowed, not_configured, not_found where the company never began a payment
 */
export async function openPortal(who: Who): Promise<string> {
  requirePayer(who);
  const row = await Subscription.findOne({ accountId: who.accountId }).lean();
  if (!row?.customerId) throw new AppError('not_found');
  return (await stripe.openPortal({ customer: row.customerId, return_url: backTo('done') })).url;
}

/** Reads the paid plan at once, e.g. when a person comes back from paying before the event does. */
export async function refreshPaidPlan(who: Who): Promise<void> {
  requirePayer(who);
  await readPaidPlan(who.accountId);
}
