import { billingPortal, billingSummary, checkout } from '../../models/contracts/billing.ts';
import { call } from './call.ts';
import { useCall } from './useCall.ts';

/** The plan, and what was used. */
export function useBilling() {
  return useCall(billingSummary, {});
}

/** Goes to the payment provider to take a plan. */
export async function takePlan(plan: 'starter' | 'pro'): Promise<void> {
  const { url } = await call(checkout, { body: { plan } });
  window.location.assign(url);
}

/** Goes to the payment provider's own pages. */
export async function openPortal(): Promise<void> {
  const { url } = await call(billingPortal);
  window.location.assign(url);
}
