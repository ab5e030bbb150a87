import type { Types } from 'mongoose';
import type { ShownRunStatus } from './contracts/runStatus.ts';
import { entity } from './store/entity.ts';
import { WORK_FIELDS, type WorkRow } from './store/workKind.ts';

export type RunStatus = 'ready' | 'waiting' | 'completed' | 'failed' | 'cancelled';

/** The status of a run as pages name it. */
export const shownStatusOf = (status: RunStatus): ShownRunStatus => (status === 'ready' ? 'running' : status);

/** What readers have seen of an answer that is not complete. */
export type RunDraft = {
  said: string;
  /** What the conversation's channel has shown of it: the platform's ids. */
  shown: Record<string, unknown> | null;
};

/** The run that asked for another agent's work. */
export type AskedBy = {
  runId: string;
  /** Catalogue ids of the agents that ask, the first one first; their number is the depth. */
  agents: string[];
};

/**
 * One execution of a workflow: work while it is ready. Its state is saved after each step by compare-and-set on `version`,
 * which each claim counts up too.
 */
export type RunRow = WorkRow & {
  _id: Types.ObjectId;
  accountId: number;
  workflow: string;
  userAgentId: number;
  agentId: string;
  conversationId: Types.ObjectId | null;
  /** The user who started it; permission to cancel follows from it. */
  userId: number | null;
  /** Idempotency key of the start: a turn, call or schedule time starts one run. */
  startKey: string;
  workspaceId: number | null;
  /** Exclusive group: a conversation has one ready run per group. Null: may run beside others. */
  exclusive: string | null;
  /** The goal, as people read it. */
  goal: string;
  /** Where it was started: arc, slack, teams or api. */
  channel: string;
  /** Set where another agent's run asked for this one. */
  askedBy?: AskedBy | null;
  status: RunStatus;
  step: string;
  /** Number of questions asked so far; part of the `askKey`. */
  round: number;
  state: Record<string, unknown>;
  version: number;
  /** The process that executes it. */
  lease: WorkRow['lease'] | null;
  cancelRequested: boolean;
  /** Attempts of the current step; too many failures or crashes end the run. */
  attempts: number;
  /** Credits set aside at the start. */
  reserved: number;
  /** What its steps and models have cost so far. */
  spent: number;
  error: string | null;
  /** The answer that it is writing; null where it writes none. Cleared when it ends. */
  draft?: RunDraft | null;
  createdAt: Date;
  endedAt: Date | null;
};

export const Run = entity<RunRow>({
  name: 'Run',
  collection: 'runs',
  scope: 'customer',
  fields: {
    _id: 'ObjectId',
    workflow: String,
    userAgentId: Number,
    agentId: String,
    conversationId: { type: 'ObjectId', default: null },
    userId: { type: Number, default: null },
    startKey: String,
    workspaceId: { type: Number, default: null },
    exclusive: { type: String, default: null },
    goal: String,
    channel: String,
    askedBy: { type: Object, default: null },
    status: String,
    step: String,
    round: { type: Number, default: 0 },
    state: Object,
    version: { type: Number, default: 0 },
    cancelRequested: { type: Boolean, default: false },
    reserved: { type: Number, default: 0 },
    spent: { type: Number, default: 0 },
    ...WORK_FIELDS,
    draft: { type: Object, default: null },
    createdAt: { type: Date, default: Date.now },
    endedAt: { type: Date, default: null },
  },
  indexes: [
    [{ accountId: 1, startKey: 1 }, { unique: true }],
    [{ status: 1, dueAt: 1 }],
    // For leases of the release before.
    [{ status: 1, 'lease.until': 1 }],
    [{ accountId: 1, conversationId: 1, status: 1 }],
    [{ accountId: 1, userAgentId: 1, status: 1 }],
    // At most one ready run per conversation and exclusive group, also under concurrent starts.
    [
      { accountId: 1, conversationId: 1, exclusive: 1 },
      {
        unique: true,
        name: 'oneAtATime',
        partialFilterExpression: { status: 'ready', exclusive: { $type: 'string' } },
      },
    ],
  ],
});
