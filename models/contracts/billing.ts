import { z } from 'zod';
import { endpoint, isoDate } from './endpoint.ts';

export const PLANS = [
  { id: 'starter', name: 'Starter', price: '$19/month', agents: 3, credits: 500_000, features: ['Up to 3 agents'] },
  {
    id: 'pro',
    name: 'Pro',
    price: '$49/month',
    agents: null,
    credits: 2_000_000,
    features: ['Unlimited agents', 'All integrations', 'Priority support', 'Advanced analytics'],
  },
  { id: 'enterprise', name: 'Enterprise', price: 'Custom', agents: null, credits: null, features: ['Custom'] },
] as const;

/** The number of working agents that a plan allows at once; `null`: any number, as in the trial. */
export const agentsAllowed = (
  plan: string,
  plans: readonly { id: string; agents: number | null }[] = PLANS,
): number | null => plans.find(({ id }) => id === plan)?.agents ?? null;

/** "The free trial, Pro and Enterprise allow any number of agents, Starter up to 3." */
export function describeAgentsAllowed(): string {
  const all = [{ id: 'trial', name: 'the free trial' }, ...PLANS];
  const free = all.filter(({ id }) => agentsAllowed(id) === null).map(({ name }) => name);
  const limited = all.filter(({ id }) => agentsAllowed(id) !== null);
  const text = [
    `${free.slice(0, -1).join(', ')} and ${free.at(-1)} allow any number of agents`,
    ...limited.map(({ id, name }) => `${name} up to ${agentsAllowed(id)}`),
  ].join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

export const billingSummary = endpoint({
  method: 'get',
  path: '/api/billing',
  summary: 'The plan and the credits used, from the ledger',
  policy: 'signed-in',
  scopes: ['usage:read'],
  answer: z.object({
    plan: z.enum(['trial', 'starter', 'pro', 'enterprise']),
    status: z.enum(['trial', 'active', 'expired']),
    trialEndsAt: isoDate,
    agents: z.object({ hired: z.number().int(), allowed: z.number().int().nullable() }),
    /** Credits used per day in the account's zone, the last 30 days, oldest first. */
    usage: z.array(z.object({ day: z.string(), used: z.number().int() })),
    /** The newest movements of the ledger. */
    movements: z.array(
      z.object({
        at: isoDate,
        note: z.string(),
        agentId: z.string().nullable(),
        channel: z.string().nullable(),
        amount: z.number().int(),
        balanceAfter: z.number().int(),
      }),
    ),
    /** False where no payment provider is configured. */
    paymentConfigured: z.boolean(),
    /** The plan that an administrator gave, while it holds. */
    planByHand: z.object({ plan: z.enum(['starter', 'pro', 'enterprise']), endsAt: isoDate.nullable() }).nullable(),
    /** What is paid for, while it holds. */
    payment: z
      .object({
        plan: z.enum(['starter', 'pro']),
        /** A payment failed; the provider tries again. */
        isOverdue: z.boolean(),
        renewsAt: isoDate,
        /** Null where it renews. */
        endsAt: isoDate.nullable(),
        /** Subscriptions that are paid for: more than one is a mistake. */
        running: z.number().int(),
      })
      .nullable(),
    /** Whether the company is a customer of the payment provider, so that there may be invoices. */
    hasPaid: z.boolean(),
    /** What the company has that a plan does not allow, as sentences; `now` for the plan that counts. */
    noLongerFits: z.object({ now: z.array(z.string()), starter: z.array(z.string()), pro: z.array(z.string()) }),
  }),
});

const planBody = z.object({ plan: z.enum(['starter', 'pro']) });
const redirect = z.object({ url: z.string() });

export const checkout = endpoint({
  method: 'post',
  path: '/api/billing/checkout',
  summary: 'Begin a payment',
  policy: 'owner',
  body: planBody,
  answer: redirect,
});
export const billingPortal = endpoint({
  method: 'post',
  path: '/api/billing/portal',
  summary: 'Open the payment provider’s pages',
  policy: 'owner',
  answer: redirect,
});
export const changePlan = endpoint({
  method: 'post',
  path: '/api/billing/plan',
  summary: 'Change the plan that is paid for, on a page of the payment provider that says what it costs',
  policy: 'owner',
  body: planBody.extend({
    /** Without it, a plan that is too small for what the company has is refused with what no longer fits. */
    accepted: z.boolean().default(false),
  }),
  answer: redirect,
});
export const refreshPlan = endpoint({
  method: 'post',
  path: '/api/billing/refresh',
  summary: 'Read at once from the payment provider what is paid for',
  policy: 'owner',
  answer: z.object({ success: z.literal(true) }),
});

const invoice = z.object({
  id: z.string(),
  number: z.string(),
  at: isoDate,
  /** In the smallest unit of the currency. */
  total: z.number().int(),
  /** ISO 4217. */
  currency: z.string(),
  /** The provider’s word: open, paid, uncollectible, void. */
  status: z.string(),
  /** The provider’s page of it; null where there is none. */
  url: z.string().nullable(),
});
export type InvoiceView = z.infer<typeof invoice>;
export const billingInvoices = endpoint({
  method: 'get',
  path: '/api/billing/invoices',
  summary: 'The company’s invoices, newest first, from the payment provider',
  policy: 'owner',
  answer: z.object({ invoices: z.array(invoice) }),
});

export const paymentWebhook = endpoint({
  method: 'post',
  path: '/api/billing/webhook',
  summary: 'Events of the payment provider, signed by it; no session is read',
  policy: 'public',
  body: z.object({
    id: z.string().min(1).max(255),
    type: z.string().min(1).max(255),
    /** Seconds since 1970. */
    created: z.number().int(),
    data: z.object({ object: z.object({ customer: z.unknown().optional() }) }),
  }),
  answer: z.object({ received: z.literal(true) }),
});
