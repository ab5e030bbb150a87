import type { Types } from 'mongoose';
import { entity } from './store/entity.ts';

export type RunStatus = 'ready' | 'waiting' | 'completed' | 'failed' | 'cancelled';

/** A piece of work in named steps; its state is saved after each by compare-and-set on the version. */
export type RunRow = {
  _id: Types.ObjectId;
  accountId: number;
  workflow: string;
  userAgentId: number;
  agentId: string;
  conversationId: Types.ObjectId | null;
  /** Who asked; their rights are the run's rights. */
  userId: number | null;
  /** The turn or call that started it; unique, so that a turn starts one run. */
  startKey: string;
  workspaceId: number | null;
  /** Runs of one word exclude each other in a conversation; null for what may go on side by side. */
  exclusive: string | null;
  /** What people read as its goal. */
  goal: string;
  /** Where it was asked for: arc, slack, teams, api, schedule. */
  channel: string;
  status: RunStatus;
  step: string;
  /** How often this step asked; part of the askKey. */
  round: number;
  state: Record<string, unknown>;
  version: number;
  /** Which process runs it, and until when it may be believed to. */
  lease: { owner: string; until: Date } | null;
  cancelRequested: boolean;
  /** How often the present step has begun; a step that fails or ends the process each time ends the run. */
  attempts: number;
  /** Credits set aside at the start. */
  reserved: number;
  /** What its steps and models have cost so far. */
  spent: number;
  error: string | null;
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
    status: String,
    step: String,
    round: { type: Number, default: 0 },
    state: Object,
    version: { type: Number, default: 0 },
    lease: { type: Object, default: null },
    cancelRequested: { type: Boolean, default: false },
    attempts: { type: Number, default: 0 },
    reserved: { type: Number, default: 0 },
    spent: { type: Number, default: 0 },
    error: { type: String, default: null },
    createdAt: { type: Date, default: Date.now },
    endedAt: { type: Date, default: null },
  },
  indexes: [
    [{ accountId: 1, startKey: 1 }, { unique: true }],
    [{ status: 1, 'lease.until': 1 }],
    [{ accountId: 1, conversationId: 1, status: 1 }],
    [{ accountId: 1, userAgentId: 1, status: 1 }],
    // One conversation has one analysis on the way at a time, however many ask at once.
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
