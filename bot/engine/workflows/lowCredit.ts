import { LIMITS } from '../../../models/contracts/limits.ts';
import { LedgerEntry } from '../../../models/ledgerEntry.ts';
import { Member } from '../../../models/member.ts';
import { readBalance } from '../credits/credits.ts';
import { mailMember } from '../delivery/deliverMail.ts';
import { say } from '../delivery/say.ts';
import type { PlacedRun } from './execution.ts';

/**
 * Warns in the conversation of a run, and the owners by mail, when fewer than `LIMITS.credits.low` credits are left: once
 * after each grant.
 */
export async function warnOfLowCredit({ run: { accountId }, conversation }: PlacedRun): Promise<void> {
  const { tokensRemaining: remaining } = await readBalance(accountId);
  if (remaining >= LIMITS.credits.low) return;
  const granted = await LedgerEntry.findOne({ accountId, kind: 'grant' }).sort({ seq: -1 }).lean();
  // The grant itself left the balance low, so whoever made it knows.
  if (!granted || granted.balanceAfter < LIMITS.credits.low) return;
  const key = `credits-low:${granted.seq}`;
  for (const { userId } of await Member.find({ accountId, roles: 'owner' }, { userId: 1 }).lean())
    await mailMember({ accountId, userId }, key, 'creditsLow', { remaining });
  if (!conversation) return;
  const text = `${remaining.toLocaleString('en-GB')} credits are left. The account owner can add more under Billing.`;
  await say(conversation, { key, messageType: 'system', kind: 'text', text });
}
