import type { AgentId } from './contracts/catalogueAgent.ts';
import { entity } from './store/entity.ts';

/** An agent that an account has hired. */
export type UserAgentRow = {
  _id: number;
  accountId: number;
  /** Who hired it. */
  userId: number;
  agentId: AgentId;
  status: 'hired' | 'onboarded';
  tools: { id: string; enabled: boolean }[];
  /** Tools that write and may be used without asking, by an owner's choice. Absent in older rows. */
  allowedTools?: string[];
  hiredAt: Date;
  onboardedAt: Date | null;
};

export const UserAgent = entity<UserAgentRow>({
  name: 'UserAgent',
  collection: 'userAgents',
  scope: 'customer',
  fields: {
    _id: Number,
    userId: Number,
    agentId: String,
    status: String,
    tools: [{ _id: false, id: String, enabled: Boolean }],
    allowedTools: { type: [String], default: undefined },
    hiredAt: { type: Date, default: Date.now },
    onboardedAt: { type: Date, default: null },
  },
  indexes: [[{ accountId: 1, agentId: 1 }, { unique: true }]],
});
