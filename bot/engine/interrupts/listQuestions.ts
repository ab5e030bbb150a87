import type { Interrupt as Question } from '../../../models/contracts/interrupts.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import { readTimeZone } from '../accounts/timeZone.ts';
import { viewInterrupt } from '../delivery/viewInterrupt.ts';

const EACH = 100;

/** The inbox over all agents of an account: what waits, and what was settled last. */
export async function listQuestions(accountId: number, who: Who | null = null): Promise<Question[]> {
  const [zone, pending, settled] = await Promise.all([
    readTimeZone(accountId),
    Interrupt.find({ accountId, status: 'pending' }).sort({ _id: -1 }).limit(EACH).lean(),
    Interrupt.find({ accountId, status: { $in: ['resolved', 'cancelled'] } })
      .sort({ _id: -1 })
      .limit(EACH)
      .lean(),
  ]);
  return ([...pending, ...settled] as InterruptRow[]).map((row) => viewInterrupt(row, who, zone));
}

/** One question as a person sees it; null where it is not this account's. */
export async function findQuestion(who: Who, interruptId: number): Promise<Question | null> {
  const [zone, row] = await Promise.all([
    readTimeZone(who.accountId),
    Interrupt.findOne({ _id: interruptId, accountId: who.accountId }).lean(),
  ]);
  return row ? viewInterrupt(row as InterruptRow, who, zone) : null;
}
