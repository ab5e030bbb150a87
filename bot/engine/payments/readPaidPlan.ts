import { isConfigured, PAYMENTS } from '../../../models/env.ts';
import { logger } from '../../../models/logger.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { changing } from '../../../models/store/revisions.ts';
import {
  type PaidPlan,
  planByPayment,
  Subscription,
  type SubscriptionRow,
  sizeOf,
} from '../../../models/subscription.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { grantCredits } from '../credits/credits.ts';
import { creditsOfInvoices } from './invoiceCredits.ts';
import { planOfPrice } from './prices.ts';
import { type Invoice, type StripeSubscription, stripe } from './stripe.ts';

export const paymentsConfigured = (): boolean => isConfigured(PAYMENTS);

const dateOf = (seconds: number) => new Date(seconds * 1000);

/** A subscription to one of our plans; null for one to something else. */
function paidPlanOf(it: StripeSubscription): (PaidPlan & { created: number }) | null {
  for (const { id, price } of it.items.data) {
    const plan = planOfPrice(price.id);
    if (!plan) continue;
    const ends = it.cancel_at ?? (it.cancel_at_period_end ? it.current_period_end : null);
    return {
      plan,
      status: it.status,
      subscriptionId: it.id,
      itemId: id,
      periodEnd: dateOf(it.current_period_end),
      endsAt: ends === null ? null : dateOf(ends),
      running: 0,
      created: it.created,
    };
  }
  return null;
}

/** What a company pays for: of its subscriptions one that holds, then the largest, then the newest. */
export function choosePaidPlan(all: readonly StripeSubscription[], now: number): PaidPlan | null {
  const ours = all.map(paidPlanOf).filter((it) => it !== null);
  const running = ours.filter((paid) => planByPayment({ paid }, now));
  const weight = (it: PaidPlan) => (running.includes(it as never) ? 10 : 0) + sizeOf(it.plan);
  const [chosen] = ours.sort((one, other) => weight(other) - weight(one) || other.created - one.created);
  if (!chosen) return null;
  const { created: _created, ...plan } = chosen;
  return { ...plan, running: running.length };
}

const describe = (it: PaidPlan | null | undefined) =>
  it ? `${it.plan} ${it.status}${it.endsAt ? ` until ${it.endsAt.toISOString().slice(0, 10)}` : ''}` : 'none';

/** Adds the credits of each paid invoice, once per invoice. */
async function grantInvoices(accountId: number, invoices: readonly Invoice[]): Promise<void> {
  const ids = new Set(invoices.flatMap(({ subscription }) => subscription ?? []));
  const ofEach = [...ids].flatMap((id) =>
    creditsOfInvoices(invoices.filter(({ subscription }) => subscription === id)),
  );
  for (const { invoice, credits } of ofEach) {
    if (credits <= 0) continue;
    await grantCredits(accountId, credits, `invoice:${invoice.id}`, `Paid, invoice ${invoice.number ?? invoice.id}`);
  }
}

/**
 * Reads what a company pays for from the provider and keeps it. Events are not trusted for it, so it does not matter in
 * which order they come. Of two readings at once, the one that began later is kept.
 * @throws AppError provider_unavailable, not_available
 */
export async function readPaidPlan(accountId: number): Promise<void> {
  await runInAccount(accountId, async () => {
    const row = await Subscription.findOneAndUpdate(
      { accountId },
      { $inc: { readingsBegun: 1 } },
      { returnDocument: 'after' },
    ).lean();
    if (!row?.customerId) return;
    const [subscriptions, invoices] = await Promise.all([
      stripe.listSubscriptions(row.customerId),
      stripe.listInvoices(row.customerId),
    ]);
    await keep(row, choosePaidPlan(subscriptions, Date.now()));
    await grantInvoices(accountId, invoices);
  });
}

async function keep(row: SubscriptionRow, paid: PaidPlan | null): Promise<void> {
  const { accountId, readingsBegun = 1, paidReading = 0 } = row;
  const [was, is] = [describe(row.paid), describe(paid)];
  if (is !== was || paid?.subscriptionId !== row.paid?.subscriptionId)
    await recordEvent(accountId, 'plan.paid', {
      userId: null,
      surface: 'payment',
      subject: `account:${accountId}`,
      outcome: is,
      // Readings at the same time see the same change, which is recorded once.
      key: `${accountId}:${paidReading}:${is}`,
    });
  if (paid && paid.running > 1) logger.warn({ account: accountId, running: paid.running }, 'pays for several plans');
  await changing(accountId, ['account', 'automation'], () =>
    Subscription.updateOne(
      { accountId, $or: [{ paidReading: { $exists: false } }, { paidReading: { $lt: readingsBegun } }] },
      { $set: { paid, paidReading: readingsBegun } },
    ),
  );
}

const OVER = ['canceled', 'incomplete_expired'];

/**
 * Ends what a company pays for, before its data is erased.
 * @returns false where this server has no keys for it and something is paid for
 * @throws AppError provider_unavailable, not_available
 */
export async function endPayments(accountId: number): Promise<boolean> {
  const row = await runInAccount(accountId, () => Subscription.findOne({ accountId }).lean());
  if (!row?.customerId) return true;
  if (!paymentsConfigured()) return planByPayment(row, Date.now()) === null;
  for (const { id, status } of await stripe.listSubscriptions(row.customerId))
    if (!OVER.includes(status)) await stripe.cancelSubscription(id);
  return true;
}
