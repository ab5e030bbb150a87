import type { AgentId } from './contracts/catalogueAgent.ts';
import { entity } from './store/entity.ts';

/** An agent that an account has hired. */
export type UserAgentRow = {
  _id: number;
  accountId: number;
  /** Who hired it. */
  userId: number;
  agentId: AgentId;
  /** One that was let go keeps its row, so that its work stays its own and it can be hired again. */
  status: 'hired' | 'onboarded' | 'let-go';
  tools: { id: string; enabled: boolean }[];
  /** Tools that write and may be used without asking, by an owner's choice. Absent in older rows. */
  allowedTools?: string[];
  hiredAt: Date;
  onboardedAt: Date | null;
};

/** The filter of agents that work for the company. */
export const HIRED = { status: { $ne: 'let-go' } } as const;

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
