import {
  billingInvoices,
  billingPortal,
  billingSummary,
  changePlan,
  checkout,
  refreshPlan,
} from '../../models/contracts/billing.ts';
import { call } from './call.ts';
import { useCall } from './useCall.ts';

/** The plan and its usage. */
export function useBilling() {
  return useCall(billingSummary, {});
}

/** The invoices of the payment provider; read only for those who may see them. */
export function useInvoices(shown: boolean) {
  return useCall(billingInvoices, shown ? {} : null);
}

/** Goes to the payment provider's checkout for a plan. */
export async function startCheckout(plan: 'starter' | 'pro'): Promise<void> {
  const { url } = await call(checkout, { body: { plan } });
  window.location.assign(url);
}

/**
 * Goes to the payment provider's page for a change of the plan.
 * @param accepted whether the person has read what no longer fits
 */
export async function startPlanChange(plan: 'starter' | 'pro', accepted: boolean): Promise<void> {
  const { url } = await call(changePlan, { body: { plan, accepted } });
  window.location.assign(url);
}

/** Goes to the payment provider's customer portal. */
export async function openBillingPortal(): Promise<void> {
  const { url } = await call(billingPortal);
  window.location.assign(url);
}

/** Reads at once what is paid for, as the provider's own message may come later than the person. */
export async function refreshPaidPlan(): Promise<void> {
  await call(refreshPlan);
}
