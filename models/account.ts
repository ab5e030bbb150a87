import type { OnboardingStep } from './contracts/account.ts';
import { leastConsent, type Preferences } from './contracts/preferences.ts';
import { entity } from './store/entity.ts';

/** A customer company. Its id is the tenant scope: every row of scope `customer` carries it as `accountId`. */
type AccountRow = {
  _id: number;
  name: string;
  timeZone: string;
  locale: string;
  currency: string;
  onboarding: { step: OnboardingStep; completed: boolean };
  channelConsent: Preferences['channelConsent'];
  quietHours: Preferences['quietHours'];
  /** Absent or null: the usual ones. */
  workingHours?: Preferences['workingHours'] | null;
  /** Absent or null: none. */
  holidays?: Preferences['holidays'] | null;
  clinicalSafetyOfficer: Preferences['clinicalSafetyOfficer'];
  signsAnswers?: boolean;
  signsTwice?: boolean;
  /** Credits that an agent may use in a month, by agent id; an agent without one is not limited. */
  budgets?: Record<string, number> | null;
  /**
   * Set once its erasure has begun; absent or null before. `isSwept`: it was erased a second time, after all work on it
   * had ended.
   */
  erasure?: { by: number; at: Date; isSwept: boolean } | null;
  createdAt: Date;
};

export const Account = entity<AccountRow>({
  name: 'Account',
  collection: 'accounts',
  scope: 'system',
  accountField: '_id',
  fields: {
    _id: Number,
    name: { type: String, required: true },
    timeZone: { type: String, default: 'Europe/London' },
    locale: { type: String, default: 'en-GB' },
    currency: { type: String, default: 'GBP' },
    onboarding: { step: { type: String, default: 'preferences' }, completed: { type: Boolean, default: false } },
    channelConsent: { type: Object, default: leastConsent },
    quietHours: { type: Object, default: null },
    workingHours: { type: Object, default: null },
    holidays: { type: Object, default: null },
    clinicalSafetyOfficer: { type: Object, default: null },
    signsAnswers: { type: Boolean, default: false },
    signsTwice: { type: Boolean, default: false },
    budgets: { type: Object, default: null },
    erasure: { type: Object, default: null },
    createdAt: { type: Date, default: Date.now },
  },
});
