import { fetchPublic } from '../../../bot/engine/network/fetchPublic.ts';
import { STRIPE_VERSION } from '../../../bot/engine/payments/stripe.ts';
import { PLANS } from '../../../models/contracts/billing.ts';
import { type Environment, env, isConfigured, PAYMENTS } from '../../../models/env.ts';
import { type Check, type Finding, fault, hint, ok } from './check.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024;

type Price = {
  active: boolean;
  /** In the smallest unit of the currency. */
  unit_amount: number | null;
  currency: string;
  /** Null for a price that is paid once. */
  recurring: { interval: string; interval_count: number } | null;
};

const SOLD = [
  { plan: 'starter', variable: 'STRIPE_PRICE_STARTER' },
  { plan: 'pro', variable: 'STRIPE_PRICE_PRO' },
] as const;

/** Whether Stripe has the prices of both plans, each paid every month. Nothing is changed there. */
export const paymentChecks = (from: Environment = env): Check[] => [
  {
    subject: 'Payments',
    async look() {
      if (!isConfigured(PAYMENTS, from))
        return [hint('off: nobody can buy a plan.', 'To sell plans by Stripe, see docs/billing.md.')];
      const same = from.STRIPE_PRICE_STARTER === from.STRIPE_PRICE_PRO;
      return [
        ...(same ? [fault('Starter and Pro have the same price.', 'Set STRIPE_PRICE_STARTER and _PRO apart.')] : []),
        ...(await Promise.all(SOLD.map((one) => lookAt(one, from)))),
      ];
    },
  },
];

async function lookAt({ plan, variable }: (typeof SOLD)[number], from: Environment): Promise<Finding> {
  const sold = PLANS.find(({ id }) => id === plan);
  const name = `${sold?.name ?? plan} (${from[variable]})`;
  const url = new URL(`/v1/prices/${encodeURIComponent(from[variable])}`, from.STRIPE_BASE_URL);
  const headers = { authorization: `Bearer ${from.STRIPE_SECRET_KEY}`, 'stripe-version': STRIPE_VERSION };
  const init = { headers, signal: AbortSignal.timeout(TIMEOUT_MS) };
  const bounds = { maxBytes: MAX_BYTES, trustedOrigin: url.origin };
  const answer = await fetchPublic(url, init, bounds).catch(() => null);
  if (!answer) return fault('Stripe does not answer.', 'Check the way to it, and STRIPE_BASE_URL.');
  if (answer.status === 401 || answer.status === 403)
    return fault(
      `Stripe does not let this key read the price of ${name}.`,
      'Check STRIPE_SECRET_KEY; a restricted key also needs read for prices.',
    );
  if (answer.status === 404) return fault(`Stripe has no price for ${name}.`, `Set ${variable} to an id of a price.`);
  if (!answer.ok) return fault(`Stripe answers ${answer.status} for ${name}.`, 'Try again in a moment.');
  return judgePrice(name, sold?.price ?? '', (await answer.json()) as Price);
}

/** @param shown what Arc's pages say: "$19/month" */
function judgePrice(name: string, shown: string, { active, recurring, unit_amount, currency }: Price): Finding {
  if (!active) return fault(`The price of ${name} is archived.`, 'Activate it at Stripe, or set another one.');
  if (recurring?.interval !== 'month' || recurring.interval_count !== 1)
    return fault(`The price of ${name} is not paid every month.`, 'Make a monthly recurring price at Stripe.');
  const amount = unit_amount === null ? 'no fixed amount' : `${unit_amount / 100} ${currency.toUpperCase()}`;
  return currency === 'usd' && `$${(unit_amount ?? 0) / 100}/month` === shown
    ? ok(`${name} is ${shown} at Stripe`)
    : hint(`${name} is ${amount} at Stripe, and Arc’s pages say ${shown}.`, 'Say to your customers which one holds.');
}
