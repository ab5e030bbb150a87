import { PLANS } from '../../../models/contracts/billing.ts';
import { env } from '../../../models/env.ts';

/** The plans that can be bought, each with the id of its price at the provider. */
export const priceOf = (plan: 'starter' | 'pro'): string =>
  plan === 'starter' ? env.STRIPE_PRICE_STARTER : env.STRIPE_PRICE_PRO;

/** The plan of a price; null for a price that is none of ours. */
export function planOfPrice(price: string): 'starter' | 'pro' | null {
  if (price === env.STRIPE_PRICE_PRO) return 'pro';
  return price === env.STRIPE_PRICE_STARTER ? 'starter' : null;
}

/** A plan as it is offered. */
export const offered = (plan: string) => PLANS.find(({ id }) => id === plan);
