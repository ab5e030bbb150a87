import { entity } from './store/entity.ts';

/**
 * An event of the payment provider, by its id, so that one that comes twice is stored once. What it says about plans is
 * not kept: the provider is asked for the current state instead.
 */
export type PaymentEventRow = {
  /** The provider's id. */
  _id: string;
  type: string;
  customerId: string | null;
  /** Null until applied, and for customers of nobody here. */
  accountId: number | null;
  /** When the provider made it. */
  madeAt: Date;
  receivedAt: Date;
  /** Whether it was seen in the provider's list; the newest of these is where the next reading of the list begins. */
  isListed: boolean;
  appliedAt: Date | null;
};

export const PaymentEvent = entity<PaymentEventRow>({
  name: 'PaymentEvent',
  collection: 'paymentEvents',
  scope: 'system',
  fields: {
    _id: String,
    type: String,
    customerId: { type: String, default: null },
    accountId: { type: Number, default: null },
    madeAt: Date,
    receivedAt: Date,
    isListed: { type: Boolean, default: false },
    appliedAt: { type: Date, default: null },
  },
  indexes: [[{ isListed: 1, madeAt: 1 }], [{ appliedAt: 1 }], [{ accountId: 1 }]],
});
