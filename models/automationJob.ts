import { entity } from './store/entity.ts';

/** Scheduled work. `nextRunAt` is advanced by one conditional write, so that each time is started once. */
export type AutomationJobRow = {
  _id: number;
  accountId: number;
  userId: number;
  name: string;
  /** The action that is started, from an agent's card. */
  action: string;
  prompt: string;
  cronExpression: string;
  /**
   * SHA-256 of action, prompt and schedule: unique per account, so that the same work is not scheduled twice. Absent in
   * the oldest rows.
   */
  sameAs?: string;
  enabled: boolean;
  nextRunAt: Date | null;
  lastRunAt: Date | null;
  lastOutcome: string | null;
  createdAt: Date;
};

export const AutomationJob = entity<AutomationJobRow>({
  name: 'AutomationJob',
  collection: 'automationJobs',
  scope: 'customer',
  fields: {
    _id: Number,
    userId: Number,
    name: String,
    action: String,
    prompt: { type: String, default: '' },
    cronExpression: String,
    sameAs: String,
    enabled: Boolean,
    nextRunAt: { type: Date, default: null },
    lastRunAt: { type: Date, default: null },
    lastOutcome: { type: String, default: null },
    createdAt: { type: Date, default: Date.now },
  },
  indexes: [
    [{ enabled: 1, nextRunAt: 1 }],
    [{ accountId: 1 }],
    [
      { accountId: 1, sameAs: 1 },
      { unique: true, partialFilterExpression: { sameAs: { $exists: true } } },
    ],
  ],
});
