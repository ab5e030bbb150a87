import { agentsAllowed } from '../../../models/contracts/billing.ts';
import { LedgerEntry, type LedgerEntryRow } from '../../../models/ledgerEntry.ts';
import { Subscription } from '../../../models/subscription.ts';
import { readPlaces } from './readPlaces.ts';
import { readTimeZone } from './timeZone.ts';
import { readTrial } from './trial.ts';

const DAYS = 30;
const MOVEMENTS = 20;

/** The plan and the credits used, from the ledger alone. */
export async function readBillingSummary(accountId: number, now = new Date()) {
  const since = new Date(now.getTime() - DAYS * 86_400_000);
  const [subscription, trial, { plan, hired }, zone, rows] = await Promise.all([
    Subscription.findOne({ accountId }).lean(),
    readTrial(accountId, now.getTime()),
    readPlaces(accountId),
    readTimeZone(accountId),
    LedgerEntry.find({ accountId, createdAt: { $gte: since } })
      .sort({ seq: -1 })
      .lean(),
  ]);
  const newest = rows.length >= MOVEMENTS ? rows.slice(0, MOVEMENTS) : await newestRows(accountId);
  return {
    plan,
    status: trial.subscriptionStatus,
    trialEndsAt: (subscription?.trialEndsAt ?? now).toISOString(),
    agents: { hired, allowed: agentsAllowed(plan) },
    usage: usagePerDay(rows, zone, now),
    movements: newest.map(({ createdAt, note, agentId, channel, amount, balanceAfter }) => ({
      at: createdAt.toISOString(),
      note,
      agentId,
      channel,
      amount,
      balanceAfter,
    })),
  };
}

const newestRows = (accountId: number) => LedgerEntry.find({ accountId }).sort({ seq: -1 }).limit(MOVEMENTS).lean();

/** Credits used on each of the last 30 days in the account's time zone, including days without use; oldest first. */
export function usagePerDay(
  rows: readonly LedgerEntryRow[],
  timeZone: string,
  now: Date,
): { day: string; used: number }[] {
  const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const used = new Map<string, number>();
  // Counted by calendar date: a day on which the clocks change does not have 24 hours.
  const today = Date.parse(`${dayOf.format(now)}T00:00:00Z`);
  for (let back = DAYS - 1; back >= 0; back -= 1) {
    used.set(new Date(today - back * 86_400_000).toISOString().slice(0, 10), 0);
  }
  for (const { kind, amount, createdAt } of rows) {
    const day = dayOf.format(createdAt);
    if (kind !== 'grant' && used.has(day)) used.set(day, (used.get(day) ?? 0) - amount);
  }
  return [...used].map(([day, amount]) => ({ day, used: Math.max(0, amount) }));
}
