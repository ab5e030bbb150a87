import { LIMITS } from '../../../models/contracts/limits.ts';
import { LedgerEntry } from '../../../models/ledgerEntry.ts';
import { Member } from '../../../models/member.ts';
import { readBalance } from '../credits/credits.ts';
import { mailMember } from '../delivery/deliverMail.ts';
import { say } from '../delivery/say.ts';
import type { PlacedRun } from './execution.ts';

/**
 * Says in the conversation of a run, and to the owners by mail, that few credits are left: once for each time that some
 * were added.
 */
export async function warnOfLowCredit({ run: { accountId }, conversation }: PlacedRun): Promise<void> {
  const { tokensRemaining: remaining } = await readBalance(accountId);
  if (remaining >= LIMITS.credits.low) return;
  const granted = await LedgerEntry.findOne({ accountId, kind: 'grant' }).sort({ seq: -1 }).lean();
  // What was added did not last beyond a few credits: that is known.
  if (!granted || granted.balanceAfter < LIMITS.credits.low) return;
  const key = `credits-low:${granted.seq}`;
  for (const { userId } of await Member.find({ accountId, roles: 'owner' }, { userId: 1 }).lean())
    await mailMember({ accountId, userId }, key, 'creditsLow', { remaining });
  if (!conversation) return;
  const text = `${remaining.toLocaleString('en-GB')} credits are left. The account owner can add more under Billing.`;
  await say(conversation, { key, messageType: 'system', kind: 'text', text });
}
