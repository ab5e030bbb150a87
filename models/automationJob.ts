import type { Types } from 'mongoose';
import { entity } from './store/entity.ts';

/** One time at which scheduled work was started, or could not be. */
export type ScheduledStart = {
  /** The time, or what started it by hand: once per job. */
  key: string;
  at: Date;
  /** The run; null where none was started. */
  runId: Types.ObjectId | null;
  /** Why none was started, as a sentence. */
  refused: string | null;
  /** True where that needs somebody's attention; false e.g. while the last run still waits for an answer. */
  isFailure: boolean;
};

/** A job keeps this many starts, the newest. */
export const KEPT_STARTS = 20;

/**
 * Scheduled work. A process claims a due time until `startingUntil`, starts it under a key of that time, and only then
 * advances `nextRunAt`: a time whose process ends in between is started by another one, and once.
 */
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
  /** Until then a process is starting the due time. Absent where none does. */
  startingUntil?: Date;
  lastRunAt: Date | null;
  lastOutcome: string | null;
  /** The newest starts, oldest first. Absent in rows of earlier versions. */
  starts?: ScheduledStart[];
  /** True while the newest start has to be looked at: whether its run failed, and how many before it did. */
  isUnsettled?: boolean;
  /** Failures before this time do not count: somebody switched it on again. */
  resumedAt?: Date | null;
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
    startingUntil: Date,
    lastRunAt: { type: Date, default: null },
    lastOutcome: { type: String, default: null },
    starts: { type: [Object], default: [] },
    isUnsettled: { type: Boolean, default: false },
    resumedAt: { type: Date, default: null },
    createdAt: { type: Date, default: Date.now },
  },
  indexes: [
    [{ enabled: 1, nextRunAt: 1 }],
    [{ accountId: 1 }],
    [{ isUnsettled: 1 }, { partialFilterExpression: { isUnsettled: true } }],
    [
      { accountId: 1, sameAs: 1 },
      { unique: true, partialFilterExpression: { sameAs: { $exists: true } } },
    ],
  ],
});
