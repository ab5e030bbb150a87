import { randomBytes } from 'node:crypto';

export const PRICES = { starter: 'price_starter_month', pro: 'price_pro_month' } as const;
/** Cents a month. */
const AMOUNTS: Record<string, number> = { [PRICES.starter]: 1900, [PRICES.pro]: 4900 };
const MONTH = 30 * 86_400;

export type Subscription = {
  id: string;
  customer: string;
  status: string;
  created: number;
  current_period_start: number;
  current_period_end: number;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  items: { data: { id: string; price: { id: string; unit_amount: number } }[] };
};
type Line = { amount: number; proration: boolean; price: { id: string; unit_amount: number } };
export type Event = { id: string; type: string; created: number; data: { object: object & { customer?: string } } };

/** A price as Stripe describes it. */
const monthly = (id: string) => ({
  ...{ id, active: true, unit_amount: AMOUNTS[id] ?? null, currency: 'usd', type: 'recurring' },
  recurring: { interval: 'month', interval_count: 1 } as { interval: string; interval_count: number } | null,
});

export const newId = (kind: string): string => `${kind}_${randomBytes(8).toString('hex')}`;
const priced = (id: string) => ({ id, unit_amount: AMOUNTS[id] ?? 0 });

/** What the fake Stripe knows: prices, customers, subscriptions, invoices, and an event for each change. */
export function makeBooks(url: () => string) {
  const customers = new Map<string, { id: string; email: string; metadata: object; deleted?: boolean }>();
  const subscriptions = new Map<string, Subscription>();
  const prices = new Map(Object.values(PRICES).map((id) => [id as string, monthly(id)]));
  const invoices: { id: string; customer: string; subscription: string; [field: string]: unknown }[] = [];
  const events: Event[] = [];
  /** Seconds since 1970; moved on by what happens, so that no two things happen at one moment. */
  let clock = Math.floor(Date.now() / 1000);
  const tick = () => {
    clock += 1;
    return clock;
  };

  function note(type: string, object: Event['data']['object']): Event {
    const event = { id: newId('evt'), type, created: tick(), data: { object: structuredClone(object) } };
    events.push(event);
    return event;
  }

  function bill({ id, customer }: Subscription, reason: string, lines: Line[], status = 'paid') {
    const total = lines.reduce((sum, { amount }) => sum + amount, 0);
    const number = `ARC-${String(invoices.length + 1).padStart(4, '0')}`;
    const invoice = {
      id: newId('in'),
      customer,
      subscription: id,
      number,
      billing_reason: reason,
      created: tick(),
      status,
      total,
      currency: 'usd',
      hosted_invoice_url: `${url()}/invoice/${number}`,
      lines: { data: lines },
    };
    invoices.push(invoice);
    return { invoice, event: note(status === 'paid' ? 'invoice.paid' : 'invoice.payment_failed', invoice) };
  }

  const fullLine = (price: string): Line => ({ amount: AMOUNTS[price] ?? 0, proration: false, price: priced(price) });
  const standing = (id: string) => {
    const it = subscriptions.get(id);
    if (!it) throw new Error(`no subscription ${id}`);
    return it;
  };
  const priceOf = (it: Subscription) => it.items.data[0]?.price.id ?? '';

  return {
    customers,
    subscriptions,
    prices,
    invoices,
    events,
    note,
    /** A payment on the checkout page. */
    subscribe(customer: string, price: string): Subscription {
      const created = tick();
      const it: Subscription = {
        id: newId('sub'),
        customer,
        status: 'active',
        created,
        current_period_start: created,
        current_period_end: created + MONTH,
        cancel_at: null,
        cancel_at_period_end: false,
        items: { data: [{ id: newId('si'), price: priced(price) }] },
      };
      subscriptions.set(it.id, it);
      note('customer.subscription.created', it);
      bill(it, 'subscription_create', [fullLine(price)]);
      return it;
    },
    /** Another plan with the given share of the month left, billed at once in proportion. */
    change(id: string, price: string, share = 0.5) {
      const it = standing(id);
      const [before, item] = [priceOf(it), it.items.data[0]];
      if (item) item.price = priced(price);
      note('customer.subscription.updated', it);
      const part = (of: string, sign: 1 | -1): Line => ({
        amount: Math.round(sign * share * (AMOUNTS[of] ?? 0)),
        proration: true,
        price: priced(of),
      });
      return bill(it, 'subscription_update', [part(before, -1), part(price, 1)]);
    },
    /** The next month begins; its payment succeeds or fails. */
    renew(id: string, isPaid = true) {
      const it = standing(id);
      it.current_period_start = it.current_period_end;
      it.current_period_end += MONTH;
      it.status = isPaid ? 'active' : 'past_due';
      note('customer.subscription.updated', it);
      return bill(it, 'subscription_cycle', [fullLine(priceOf(it))], isPaid ? 'paid' : 'open');
    },
    /** Ended by the customer: at the end of the month, or at once. */
    end(id: string, atOnce = false): Event {
      const it = standing(id);
      if (!atOnce) {
        it.cancel_at_period_end = true;
        return note('customer.subscription.updated', it);
      }
      it.status = 'canceled';
      return note('customer.subscription.deleted', it);
    },
  };
}
