import type { Types } from 'mongoose';
import type { AgentId } from './contracts/catalogueAgent.ts';
import { entity } from './store/entity.ts';

/**
 * A link that shows one result of an agent to whoever holds it, without an account. Read by its hash before any account
 * is known. It ends with the member who made it.
 */
export type SharedLinkRow = {
  _id: Types.ObjectId;
  accountId: number;
  /** The agent that shows the result. */
  agentId: AgentId;
  /** The agent's id of the result. */
  resultId: number;
  /** SHA-256 of the secret; the secret itself is shown once and kept nowhere. */
  secretHash: string;
  madeBy: number;
  createdAt: Date;
  expiresAt: Date;
  /** Null where it was never opened. */
  lastOpenedAt: Date | null;
  openings: number;
  /** Never null again once set. */
  revokedAt: Date | null;
};

export const SharedLink = entity<SharedLinkRow>({
  name: 'SharedLink',
  collection: 'sharedLinks',
  scope: 'system',
  fields: {
    _id: 'ObjectId',
    accountId: Number,
    agentId: String,
    resultId: Number,
    secretHash: String,
    madeBy: Number,
    createdAt: { type: Date, default: Date.now },
    expiresAt: Date,
    lastOpenedAt: { type: Date, default: null },
    openings: { type: Number, default: 0 },
    revokedAt: { type: Date, default: null },
  },
  ownerField: 'madeBy',
  indexes: [[{ secretHash: 1 }, { unique: true }], [{ accountId: 1, agentId: 1, resultId: 1 }]],
});
