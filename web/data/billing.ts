import { billingPortal, billingSummary, checkout } from '../../models/contracts/billing.ts';
import { call } from './call.ts';
import { useCall } from './useCall.ts';

/** The plan and its usage. */
export function useBilling() {
  return useCall(billingSummary, {});
}

/** Redirects to the payment provider's checkout for a plan. */
export async function startCheckout(plan: 'starter' | 'pro'): Promise<void> {
  const { url } = await call(checkout, { body: { plan } });
  window.location.assign(url);
}

/** Redirects to the payment provider's customer portal. */
export async function openBillingPortal(): Promise<void> {
  const { url } = await call(billingPortal);
  window.location.assign(url);
}
