import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { LedgerEntry, type LedgerEntryRow, ledger } from '../../../models/ledgerEntry.ts';

/** Credits left and used, from the last row of the ledger. */
export async function readBalance(accountId: number): Promise<{ tokensRemaining: number; tokensUsed: number }> {
  const head = await ledger.head(accountId);
  return { tokensRemaining: head?.balanceAfter ?? 0, tokensUsed: head?.usedAfter ?? 0 };
}

/** Grants credits, once per key. */
export function grantCredits(accountId: number, amount: number, key: string, note: string): Promise<LedgerEntryRow> {
  return ledger.append(accountId, { key, kind: 'grant', amount, note });
}

/** The first credits of an account. */
export function grantSignUpCredits(accountId: number): Promise<LedgerEntryRow> {
  return grantCredits(accountId, LIMITS.credits.signUp, 'sign-up', 'Credits at sign-up');
}

export type Charge = {
  accountId: number;
  runId: string;
  agentId: string;
  channel: string;
  /** The person whose work it is; null for schedules. */
  userId?: number | null;
  /** The company's month as "2026-11", and the agent's budget in it; null where it has none. */
  within?: { month: string; budget: number | null };
};

/**
 * Checks that the credits suffice. Not a reservation: concurrent runs may use them first.
 * @throws AppError out_of_credit with what remains and what is needed
 */
export async function requireCredit(accountId: number, amount: number): Promise<void> {
  const { tokensRemaining } = await readBalance(accountId);
  if (tokensRemaining < amount) {
    throw new AppError('out_of_credit', { remaining: tokensRemaining, needed: amount });
  }
}

/** Credits that an agent has used in a month of the company's. */
export async function readUsedInMonth(accountId: number, agentId: string, month: string): Promise<number> {
  const head = await ledger.head(accountId);
  return head?.month?.name === month ? (head.month.used[agentId] ?? 0) : 0;
}

/**
 * Checks that an agent's budget of the month covers an amount. Not a reservation, like {@link requireCredit}.
 * @throws AppError over_budget
 */
export async function requireBudget(
  accountId: number,
  agentId: string,
  { month, budget }: NonNullable<Charge['within']>,
  needed: number,
): Promise<void> {
  if (budget === null) return;
  const used = await readUsedInMonth(accountId, agentId, month);
  if (used + needed > budget) throw new AppError('over_budget', { budget, used, needed });
}

/**
 * Reserves credits for a run, once: at its start, or later for a purpose.
 * @returns the entry; that of the first time where it is repeated
 * @throws AppError out_of_credit where fewer remain, over_budget; then nothing is written
 */
export function reserveCredits(
  charge: Charge,
  amount: number,
  note: string,
  purpose?: string,
): Promise<LedgerEntryRow> {
  return ledger.append(charge.accountId, {
    ...charge,
    key: keyOf(charge.runId, purpose),
    kind: 'reserve',
    amount: -amount,
    note,
  });
}

const keyOf = (runId: string, purpose?: string) => `run:${runId}:reserve${purpose ? `:${purpose}` : ''}`;

/**
 * The credits that were reserved for a run, in all or for one purpose; 0 where none were. The ledger knows it also where
 * the process died before the run did.
 */
export async function readReserved({ accountId, runId }: Charge, purpose?: string): Promise<number> {
  const key = keyOf(runId, purpose);
  // By the key, which has an index: ":" follows the first reservation's key in all others.
  const rows = await LedgerEntry.find({ accountId, key: { $gte: key, $lt: `${key};` } }).lean();
  return rows.reduce((sum, { amount }) => sum - amount, 0);
}

/**
 * Settles a run: refunds unused reserved credits, or charges the excess. Writes nothing where both agree and no language
 * model answered.
 */
export async function settleCredits(
  charge: Charge,
  reserved: number,
  cost: number,
  note: string,
  model: string | null = null,
): Promise<void> {
  if (reserved === cost && model === null) return;
  await ledger.append(charge.accountId, {
    ...charge,
    model,
    key: `run:${charge.runId}:settle`,
    kind: 'settle',
    amount: reserved - cost,
    note,
  });
}
