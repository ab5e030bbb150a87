import {
  billingInvoices,
  billingPortal,
  billingSummary,
  changePlan,
  checkout,
  refreshPlan,
} from '../../models/contracts/billing.ts';
import type { AgentBudget } from '../../models/contracts/creditUse.ts';
import {
  exportCreditUse,
  setAgentBudget as putBudget,
  readCreditUse,
  type UsePeriod,
} from '../../models/contracts/creditUse.ts';
import { call, download, urlOf } from './call.ts';
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

/** Who and what used the credits of a period, and the agents' budgets. */
export function useCreditUse(days: UsePeriod) {
  return useCall(readCreditUse, { query: { days } });
}

/** Saves every movement of a period as CSV. */
export const saveCreditUse = (days: UsePeriod): Promise<void> =>
  download(urlOf(exportCreditUse, { query: { days } }), `credits-${days}-days.csv`);

/** Sets what an agent may use in a month; null ends the limit. */
export async function setAgentBudget(agentId: AgentBudget['agentId'], budget: number | null): Promise<void> {
  await call(putBudget, { body: { agentId, budget } });
}
