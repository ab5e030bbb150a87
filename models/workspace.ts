import type { Types } from 'mongoose';
import { entity } from './store/entity.ts';

/** One piece of work of an agent, as people see it. The run behind it holds the execution state. */
export type WorkspaceRow = {
  _id: number;
  accountId: number;
  userAgentId: number;
  agentId: string;
  runId: Types.ObjectId;
  status: 'working' | 'waiting' | 'completed' | 'failed' | 'cancelled';
  goal: string;
  thinking: string | null;
  output: string | null;
  createdAt: Date;
};

export const Workspace = entity<WorkspaceRow>({
  name: 'Workspace',
  collection: 'workspaces',
  scope: 'customer',
  fields: {
    _id: Number,
    userAgentId: Number,
    agentId: String,
    runId: 'ObjectId',
    status: String,
    goal: String,
    thinking: { type: String, default: null },
    output: { type: String, default: null },
    createdAt: { type: Date, default: Date.now },
  },
  indexes: [[{ accountId: 1, userAgentId: 1, createdAt: -1 }], [{ runId: 1 }, { unique: true }]],
});
