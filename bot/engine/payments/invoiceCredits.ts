import { offered, planOfPrice } from './prices.ts';
import type { Invoice } from './stripe.ts';

type Line = Invoice['lines']['data'][number];
const FULL = ['subscription_create', 'subscription_cycle'];

/** The credits that a line stands for: a month of its plan, or for a change within the month the part that it bills. */
function creditsOfLine({ amount, proration, price }: Line): number {
  const plan = price && planOfPrice(price.id);
  const month = plan ? (offered(plan)?.credits ?? 0) : 0;
  if (!proration) return month;
  return price?.unit_amount ? (month * amount) / price.unit_amount : 0;
}

/**
 * The credits that each paid invoice of one subscription brings. A change to a larger plan brings the difference for the
 * rest of the month; one to a smaller plan takes nothing, but going back and forth within a month brings nothing more.
 * @param invoices in any order; those before the first full month are left out, as what they changed is not known
 */
export function creditsOfInvoices(invoices: readonly Invoice[]): { invoice: Invoice; credits: number }[] {
  const paid = invoices.filter(({ status }) => status === 'paid');
  const ordered = paid.sort((one, other) => one.created - other.created || (one.id < other.id ? -1 : 1));
  const first = ordered.findIndex(({ billing_reason }) => FULL.includes(billing_reason));
  if (first === -1) return [];
  /** What the month's invoices add up to, and the most that they ever did. */
  let sum = 0;
  let most = 0;
  return ordered.slice(first).map((invoice) => {
    const added = invoice.lines.data.reduce((total, line) => total + creditsOfLine(line), 0);
    const begins = FULL.includes(invoice.billing_reason);
    const before = begins ? 0 : most;
    sum = begins ? added : sum + added;
    most = Math.max(before, sum);
    return { invoice, credits: Math.floor(most) - Math.floor(before) };
  });
}
