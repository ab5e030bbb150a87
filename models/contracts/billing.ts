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

export const billingSummary = endpoint({
  method: 'get',
  path: '/api/billing',
  summary: 'The plan and the credits used, from the ledger',
  policy: 'signed-in',
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
  summary: 'Change the plan',
  policy: 'owner',
  body: planBody,
  answer: z.object({ success: z.literal(true) }),
});
