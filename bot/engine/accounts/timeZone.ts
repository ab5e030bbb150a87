import { Account } from '../../../models/account.ts';
import { changes } from '../../../models/store/revisions.ts';

const known = new Map<number, string>();
changes.on('changed', (accountId, topics) => {
  if (topics.includes('account')) known.delete(accountId);
});

/** The account's time zone; kept until the account changes, here or in another process. */
export async function readTimeZone(accountId: number): Promise<string> {
  const kept = known.get(accountId);
  if (kept) return kept;
  const account = await Account.findById(accountId, { timeZone: 1 }).lean();
  const zone = account?.timeZone ?? 'Europe/London';
  if (known.size > 10_000) known.clear();
  known.set(accountId, zone);
  return zone;
}
