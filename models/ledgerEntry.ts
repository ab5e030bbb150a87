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
    note: { type: String, immutable: true },
    createdAt: { type: Date, immutable: true },
  },
  indexes: [
    [{ accountId: 1, seq: 1 }, { unique: true }],
    [{ accountId: 1, key: 1 }, { unique: true }],
  ],
});

type LedgerMovement = Pick<LedgerEntryRow, 'kind' | 'amount' | 'note'> &
  Partial<Pick<LedgerEntryRow, 'runId' | 'agentId' | 'channel'>>;

/**
 * The account's ledger. A reservation that exceeds the balance is refused inside the append, so that concurrent
 * reservations can't overdraw it.
 * @throws AppError out_of_credit
 */
export const ledger = makeChain<LedgerMovement, LedgerEntryRow>(LedgerEntry, (before, movement) => {
  const remaining = before?.balanceAfter ?? 0;
  const balanceAfter = remaining + movement.amount;
  if (movement.kind === 'reserve' && movement.amount < 0 && balanceAfter < 0)
    throw new AppError('out_of_credit', { remaining: Math.max(0, remaining), needed: -movement.amount });
  return {
    kind: movement.kind,
    amount: movement.amount,
    balanceAfter,
    usedAfter: (before?.usedAfter ?? 0) - (movement.kind === 'grant' ? 0 : movement.amount),
    runId: movement.runId ?? null,
    agentId: movement.agentId ?? null,
    channel: movement.channel ?? null,
    note: movement.note,
    createdAt: new Date(),
  };
});
