import { entity } from './store/entity.ts';

export type Plan = 'trial' | 'starter' | 'pro' | 'enterprise';

/** A plan that is paid for, as the payment provider said when it was last read. */
export type PaidPlan = {
  plan: 'starter' | 'pro';
  /** The provider's word: `active`, `trialing`, `past_due`, `unpaid`, `canceled` … */
  status: string;
  subscriptionId: string;
  /** The line of the subscription that a change of the plan replaces. */
  itemId: string;
  /** When it is next paid. */
  periodEnd: Date;
  /** When it ends; null where it renews. */
  endsAt: Date | null;
  /** Subscriptions that the company pays for: more than one is a mistake. */
  running: number;
};

/** Trial or plan of an account. */
export type SubscriptionRow = {
  _id: number;
  accountId: number;
  /** Set by an administrator, or the trial; what is paid for stands beside it. */
  plan: Plan;
  status: 'trial' | 'active' | 'expired';
  trialEndsAt: Date;
  /** When an active plan ends; null or absent for a plan without an end. */
  planEndsAt?: Date | null;
  /** The company as a customer of the payment provider; absent until its first checkout. */
  customerId?: string | null;
  /** Null or absent where nothing was ever paid for. */
  paid?: PaidPlan | null;
  /** Readings from the provider that were begun, and the number of the one that `paid` is from. */
  readingsBegun?: number;
  paidReading?: number;
};

export const Subscription = entity<SubscriptionRow>({
  name: 'Subscription',
  collection: 'subscriptions',
  scope: 'customer',
  fields: {
    _id: Number,
    plan: String,
    status: String,
    trialEndsAt: Date,
    planEndsAt: Date,
    customerId: String,
    paid: Object,
    readingsBegun: { type: Number, default: 0 },
    paidReading: { type: Number, default: 0 },
  },
  indexes: [
    [{ accountId: 1 }, { unique: true }],
    [{ trialEndsAt: 1 }],
    [{ planEndsAt: 1 }],
    [{ customerId: 1 }],
    [{ 'paid.endsAt': 1 }],
  ],
});

/** `past_due`: the provider tries the payment again and ends the subscription itself if that fails. */
const PAYING = ['active', 'trialing', 'past_due'];
const SIZES: readonly Plan[] = ['trial', 'starter', 'pro', 'enterprise'];

/** A plan's place in the order of size. */
export const sizeOf = (plan: Plan): number => SIZES.indexOf(plan);

type Standing = Pick<SubscriptionRow, 'plan' | 'status' | 'planEndsAt' | 'paid'>;
/** A plan that holds now, and when it ends; null for no end. */
type HeldPlan = { plan: Plan; endsAt: Date | null };

const holds = ({ endsAt }: HeldPlan, now: number) => endsAt === null || endsAt.getTime() > now;

/** The plan that an administrator gave, while it holds. */
export function planByHand({ plan, status, planEndsAt }: Standing, now: number): HeldPlan | null {
  const held = { plan, endsAt: planEndsAt ?? null };
  return status === 'active' && holds(held, now) ? held : null;
}

/** The plan that is paid for, while it holds. */
export function planByPayment({ paid }: Pick<Standing, 'paid'>, now: number): PaidPlan | null {
  return paid && PAYING.includes(paid.status) && holds(paid, now) ? paid : null;
}

/** The plan that counts: the larger of those that hold; null where neither does. Of two alike the one that lasts longer. */
export function planThatCounts(row: Standing, now: number): HeldPlan | null {
  const held = [planByHand(row, now), planByPayment(row, now)].filter((it) => it !== null);
  const lasts = ({ endsAt }: HeldPlan) => endsAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const [first] = held.sort((one, other) => sizeOf(other.plan) - sizeOf(one.plan) || lasts(other) - lasts(one));
  return first ? { plan: first.plan, endsAt: first.endsAt } : null;
}
