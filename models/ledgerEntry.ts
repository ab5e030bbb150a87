import type { Types } from 'mongoose';
import { AppError } from './contracts/errors.ts';
import { makeChain } from './store/appendOnly.ts';
import { entity } from './store/entity.ts';

/** One movement of credits; never changed. The last row holds the balance and the total used. */
export type LedgerEntryRow = {
  _id: Types.ObjectId;
  accountId: number;
  seq: number;
  key: string;
  kind: 'grant' | 'reserve' | 'settle';
  /** Positive gives, negative takes. */
  amount: number;
  balanceAfter: number;
  usedAfter: number;
  runId: string | null;
  agentId: string | null;
  channel: string | null;
  /** The person whose work it is; null for schedules and grants. Absent in rows of earlier versions. */
  userId?: number | null;
  /** The language model that answered; null where none did. Absent in rows of earlier versions, and where work begins. */
  model?: string | null;
  /** What each agent has used in the company's month, by agent id; absent until a row has one. */
  month?: { name: string; used: Record<string, number> } | null;
  note: string;
  createdAt: Date;
};

export const LedgerEntry = entity<LedgerEntryRow>({
  name: 'LedgerEntry',
  collection: 'ledgerEntries',
  scope: 'customer',
  fields: {
    _id: 'ObjectId',
    seq: { type: Number, immutable: true },
    key: { type: String, immutable: true },
    kind: { type: String, immutable: true },
    amount: { type: Number, immutable: true },
    balanceAfter: { type: Number, immutable: true },
    usedAfter: { type: Number, immutable: true },
    runId: { type: String, default: null, immutable: true },
    agentId: { type: String, default: null, immutable: true },
    channel: { type: String, default: null, immutable: true },
    userId: { type: Number, default: null, immutable: true },
    model: { type: String, default: null, immutable: true },
    month: { type: Object, default: null, immutable: true },
    note: { type: String, immutable: true },
    createdAt: { type: Date, immutable: true },
  },
  indexes: [
    [{ accountId: 1, seq: 1 }, { unique: true }],
    [{ accountId: 1, key: 1 }, { unique: true }],
  ],
});

type LedgerMovement = Pick<LedgerEntryRow, 'kind' | 'amount' | 'note'> &
  Partial<Pick<LedgerEntryRow, 'runId' | 'agentId' | 'channel' | 'userId' | 'model'>> & {
    /** The company's month as "2026-11", and what the agent may use in it; null where that is not limited. */
    within?: { month: string; budget: number | null };
  };

/** What each agent has used in the month of a movement, after it. A refund of an earlier month's work counts as nothing. */
function monthAfter(before: LedgerEntryRow['month'], { within, agentId, amount }: LedgerMovement) {
  if (!within || !agentId) return before ?? null;
  const used = before?.name === within.month ? before.used : {};
  return { name: within.month, used: { ...used, [agentId]: Math.max(0, (used[agentId] ?? 0) - amount) } };
}

/**
 * The account's ledger. A reservation that exceeds the balance, or the agent's budget of the month, is refused inside the
 * append, so that concurrent reservations can't overdraw either.
 * @throws AppError out_of_credit, over_budget
 */
export const ledger = makeChain<LedgerMovement, LedgerEntryRow>(LedgerEntry, (before, movement) => {
  const remaining = before?.balanceAfter ?? 0;
  const balanceAfter = remaining + movement.amount;
  const month = monthAfter(before?.month, movement);
  if (movement.kind === 'reserve' && movement.amount < 0) {
    if (balanceAfter < 0)
      throw new AppError('out_of_credit', { remaining: Math.max(0, remaining), needed: -movement.amount });
    const budget = movement.within?.budget ?? null;
    const used = month?.used[movement.agentId ?? ''] ?? 0;
    if (budget !== null && used > budget)
      throw new AppError('over_budget', { budget, used: used + movement.amount, needed: -movement.amount });
  }
  return {
    kind: movement.kind,
    amount: movement.amount,
    balanceAfter,
    usedAfter: (before?.usedAfter ?? 0) - (movement.kind === 'grant' ? 0 : movement.amount),
    runId: movement.runId ?? null,
    agentId: movement.agentId ?? null,
    channel: movement.channel ?? null,
    userId: movement.userId ?? null,
    model: movement.model ?? null,
    month,
    note: movement.note,
    createdAt: new Date(),
  };
});
