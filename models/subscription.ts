import { entity } from './store/entity.ts';

/** Trial or plan of an account. */
export type SubscriptionRow = {
  _id: number;
  accountId: number;
  plan: 'trial' | 'starter' | 'pro' | 'enterprise';
  status: 'trial' | 'active' | 'expired';
  trialEndsAt: Date;
  /** When an active plan ends; null or absent for a plan without an end. */
  planEndsAt?: Date | null;
};

export const Subscription = entity<SubscriptionRow>({
  name: 'Subscription',
  collection: 'subscriptions',
  scope: 'customer',
  fields: { _id: Number, plan: String, status: String, trialEndsAt: Date, planEndsAt: Date },
  indexes: [[{ accountId: 1 }, { unique: true }], [{ trialEndsAt: 1 }], [{ planEndsAt: 1 }]],
});
