import { Account } from '../../../models/account.ts';
import type { Interrupt as Question } from '../../../models/contracts/interrupts.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import { viewInterrupt } from '../delivery/viewInterrupt.ts';

const EACH = 100;

/** The inbox over all agents of an account: what waits, and what was settled last. */
export async function listQuestions(accountId: number, who: Who | null = null): Promise<Question[]> {
  const [account, pending, settled] = await Promise.all([
    Account.findById(accountId, { timeZone: 1 }).lean(),
    Interrupt.find({ accountId, status: 'pending' }).sort({ _id: -1 }).limit(EACH).lean(),
    Interrupt.find({ accountId, status: { $in: ['resolved', 'cancelled'] } })
      .sort({ _id: -1 })
      .limit(EACH)
      .lean(),
  ]);
  const zone = account?.timeZone ?? 'Europe/London';
  return ([...pending, ...settled] as InterruptRow[]).map((row) => viewInterrupt(row, who, zone));
}

/** One question as a person sees it; null where it is not this account's. */
export async function findQuestion(who: Who, interruptId: number): Promise<Question | null> {
  const [account, row] = await Promise.all([
    Account.findById(who.accountId, { timeZone: 1 }).lean(),
    Interrupt.findOne({ _id: interruptId, accountId: who.accountId }).lean(),
  ]);
  return row ? viewInterrupt(row as InterruptRow, who, account?.timeZone ?? 'Europe/London') : null;
}
