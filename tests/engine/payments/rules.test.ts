/** @environment payments */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { whatNoLongerFits } from '../../../bot/engine/payments/fits.ts';
import { creditsOfInvoices } from '../../../bot/engine/payments/invoiceCredits.ts';
import { choosePaidPlan } from '../../../bot/engine/payments/readPaidPlan.ts';
import { isSigned } from '../../../bot/engine/payments/signature.ts';
import { formOf, type Invoice, type StripeSubscription } from '../../../bot/engine/payments/stripe.ts';
import { planByHand, planByPayment, planThatCounts, type SubscriptionRow } from '../../../models/subscription.ts';
import '../../environments/payments.ts';
import { PRICES } from '../../fakes/stripe/books.ts';

const NOW = Date.parse('2027-01-10T12:00:00Z');

describe('a signature', () => {
  const body = Buffer.from('{"id":"evt_1"}');
  const at = NOW / 1000;
  const sign = (secret = 'whsec_arc', seconds = at, of = body) =>
    `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.`).update(of).digest('hex')}`;
  const accepts = (header: string | undefined, of = body) => isSigned(header, of, 'whsec_arc', NOW);

  test('is accepted for five minutes, to the second, and no earlier than five minutes ahead', () => {
    expect([0, -300, -301, 300, 301].map((shift) => accepts(sign('whsec_arc', at + shift)))).toEqual([
      true,
      true,
      false,
      true,
      false,
    ]);
  });

  test('is of these bytes and this secret', () => {
    expect(accepts(sign('whsec_other'))).toBe(false);
    expect(accepts(sign(), Buffer.from('{"id":"evt_2"}'))).toBe(false);
    expect(accepts(sign().replace('v1=', 'v0='))).toBe(false);
    expect(accepts(`${sign()}0`)).toBe(false);
    expect(accepts(`t=${at},v1=${'é'.repeat(64)}`)).toBe(false);
    expect([accepts(undefined), accepts(''), accepts('t=x,v1=y'), accepts('v1=a')]).toEqual(Array(4).fill(false));
  });

  test('may be one of two while the secret is replaced', () => {
    expect(accepts(`${sign('whsec_old')},${sign().split(',')[1]}`)).toBe(true);
  });

  test('does not hold for another time than the signed one', () => {
    expect(accepts(sign('whsec_arc', at - 400).replace(String(at - 400), String(at)))).toBe(false);
  });
});

test('nested fields are written in brackets', () => {
  expect(
    formOf({ mode: 'subscription', line_items: [{ price: 'p', quantity: 1 }], metadata: { plan: 'pro' } }),
  ).toEqual([
    ['mode', 'subscription'],
    ['line_items[0][price]', 'p'],
    ['line_items[0][quantity]', '1'],
    ['metadata[plan]', 'pro'],
  ]);
});

describe('the credits of invoices', () => {
  const AMOUNTS = { starter: 1900, pro: 4900 };
  type Part = [plan: 'starter' | 'pro', share: number, proration?: boolean];
  let made = 0;
  function invoice(reason: string, parts: Part[], change: Partial<Invoice> = {}): Invoice {
    made += 1;
    const data = parts.map(([plan, share, proration = false]) => ({
      amount: Math.round(AMOUNTS[plan] * share),
      proration,
      price: { id: PRICES[plan], unit_amount: AMOUNTS[plan] },
    }));
    const id = `in_${made}`;
    return { id, created: made, billing_reason: reason, status: 'paid', lines: { data }, ...change } as Invoice;
  }
  const creditsOf = (...all: Invoice[]) => creditsOfInvoices(all).map(({ credits }) => credits);
  const first = (plan: 'starter' | 'pro') => invoice('subscription_create', [[plan, 1]]);
  const month = (plan: 'starter' | 'pro') => invoice('subscription_cycle', [[plan, 1]]);
  const change = (from: 'starter' | 'pro', to: 'starter' | 'pro', share: number) =>
    invoice('subscription_update', [
      [from, -share, true],
      [to, share, true],
    ]);

  test('are those of the plan, for each month', () => {
    expect(creditsOf(first('starter'), month('starter'), month('pro'))).toEqual([500_000, 500_000, 2_000_000]);
  });

  test('of a larger plan within the month are the difference for the rest of it', () => {
    expect(creditsOf(first('starter'), change('starter', 'pro', 0.5))).toEqual([500_000, 750_000]);
  });

  test('are not taken back with a smaller plan, and going back and forth brings no more', () => {
    const all = [first('pro'), change('pro', 'starter', 0.5), change('starter', 'pro', 0.5)];
    expect(creditsOf(...all)).toEqual([2_000_000, 0, 0]);
    expect(creditsOf(...all, change('pro', 'starter', 0.2), month('starter'))).toEqual([2_000_000, 0, 0, 0, 500_000]);
  });

  test('do not depend on the order in which invoices are read, and only paid ones count', () => {
    const [one, two] = [first('starter'), change('starter', 'pro', 0.5)];
    expect(creditsOf(two, one)).toEqual([500_000, 750_000]);
    expect(creditsOf(first('pro'), { ...month('pro'), status: 'open' })).toEqual([2_000_000]);
    expect(creditsOf(change('starter', 'pro', 0.5))).toEqual([]);
  });

  test('of a price that is none of ours are none', () => {
    const other = first('pro');
    for (const line of other.lines.data) line.price = { id: 'price_other', unit_amount: 100 };
    expect(creditsOf(other)).toEqual([0]);
  });
});

describe('what a company pays for', () => {
  const subscription = (id: string, plan: 'starter' | 'pro' | 'other', change: Partial<StripeSubscription> = {}) => ({
    id,
    status: 'active',
    created: 1,
    current_period_end: NOW / 1000 + 86_400,
    cancel_at: null,
    cancel_at_period_end: false,
    items: { data: [{ id: `si_${id}`, price: { id: plan === 'other' ? 'price_other' : PRICES[plan] } }] },
    ...change,
  });
  const choose = (...all: StripeSubscription[]) => choosePaidPlan(all, NOW);

  test('is the largest plan that holds, then the newest, and several are counted', () => {
    const [ended, small, large] = [
      subscription('a', 'pro', { status: 'canceled', created: 9 }),
      subscription('b', 'starter', { created: 2 }),
      subscription('c', 'pro'),
    ];
    expect(choose(ended, small)).toMatchObject({ subscriptionId: 'b', plan: 'starter', running: 1 });
    expect(choose(small, large, ended)).toMatchObject({ subscriptionId: 'c', itemId: 'si_c', running: 2 });
    expect(choose(small, subscription('d', 'starter', { created: 3 }))).toMatchObject({ subscriptionId: 'd' });
    expect(choose(ended)).toMatchObject({ status: 'canceled', running: 0 });
    expect([choose(), choose(subscription('e', 'other'))]).toEqual([null, null]);
  });

  test('ends where Stripe says so', () => {
    const end = NOW / 1000 + 86_400;
    expect(choose(subscription('a', 'pro'))?.endsAt).toBeNull();
    expect(choose(subscription('a', 'pro', { cancel_at_period_end: true }))?.endsAt).toEqual(new Date(end * 1000));
    expect(choose(subscription('a', 'pro', { cancel_at: end - 60 }))?.endsAt).toEqual(new Date((end - 60) * 1000));
  });
});

describe('the plan that counts', () => {
  const paid = (plan: 'starter' | 'pro', status = 'active', endsAt: Date | null = null) =>
    ({ plan, status, endsAt }) as NonNullable<SubscriptionRow['paid']>;
  const row = (change: Partial<SubscriptionRow>) => ({ plan: 'trial', status: 'trial', ...change }) as SubscriptionRow;
  const counts = (change: Partial<SubscriptionRow>) => planThatCounts(row(change), NOW)?.plan ?? null;
  const by = { status: 'active' } as const;

  test('is the larger of the one by hand and the one that is paid for', () => {
    expect(counts({})).toBeNull();
    expect(counts({ paid: paid('starter') })).toBe('starter');
    expect(counts({ ...by, plan: 'starter', paid: paid('pro') })).toBe('pro');
    expect(counts({ ...by, plan: 'enterprise', paid: paid('pro') })).toBe('enterprise');
    expect(counts({ ...by, plan: 'enterprise', planEndsAt: new Date(NOW), paid: paid('pro') })).toBe('pro');
  });

  test('of two alike is the one that lasts longer', () => {
    const end = new Date(NOW + 1);
    const both = row({ ...by, plan: 'pro', planEndsAt: end, paid: paid('pro') });
    expect(planThatCounts(both, NOW)).toEqual({ plan: 'pro', endsAt: null });
    expect(planThatCounts({ ...both, planEndsAt: null, paid: paid('pro', 'active', end) }, NOW)?.endsAt).toBeNull();
  });

  test('holds until its end, and while a failed payment is tried again', () => {
    const at = (time: number) => planByPayment({ paid: paid('pro', 'active', new Date(time)) }, NOW);
    expect([at(NOW + 1), at(NOW)]).toEqual([expect.objectContaining({ plan: 'pro' }), null]);
    const holds = (status: string) => planByPayment({ paid: paid('pro', status) }, NOW) !== null;
    expect(['active', 'trialing', 'past_due'].every(holds)).toBe(true);
    expect(['unpaid', 'canceled', 'incomplete', 'incomplete_expired', 'paused'].some(holds)).toBe(false);
    expect(planByHand(row({ plan: 'pro', status: 'expired' }), NOW)).toBeNull();
  });
});

test('a smaller plan says what no longer fits, an equal or larger one nothing', () => {
  const fits = (plan: string, hired: number, now: 'starter' | 'pro' = 'pro') =>
    whatNoLongerFits(plan, { plan: now, hired });
  const CREDITS = 'Each month brings 500,000 credits instead of 2,000,000.';
  expect(fits('starter', 3)).toEqual([CREDITS]);
  expect(fits('starter', 4)).toEqual([
    'Starter allows 3 agents and you have 4. They keep working, but you can hire no other until you have fewer than 3.',
    CREDITS,
  ]);
  expect([fits('starter', 3, 'starter'), fits('pro', 9), fits('pro', 9, 'starter'), fits('none', 9)]).toEqual([
    [],
    [],
    [],
    [],
  ]);
});
