import type { Interrupt as Question } from '../../../models/contracts/interrupts.ts';
import type { Address } from '../../../models/contracts/turn.ts';
import { Interrupt } from '../../../models/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import { requireHiredAgent } from '../accounts/hiredAgents.ts';
import { readTimeZone } from '../accounts/timeZone.ts';
import { conversationOf } from '../delivery/deliverQuestion.ts';
import { viewInterrupt } from '../delivery/viewInterrupt.ts';

/** Upper bounds of one inbox page; real inboxes stay far below. */
const MAX_PENDING = 500;
/** The same for the inbox of one agent. */
const MAX_PENDING_OF_AGENT = 100;
const MAX_SETTLED = 100;

/** The inbox over all agents of an account: pending questions, then the latest closed ones. */
export const listQuestions = (accountId: number, who: Who | null = null): Promise<Question[]> =>
  readInbox({ accountId }, MAX_PENDING, who);

/**
 * The inbox of one hired agent, as a person sees it.
 * @throws AppError not_found where the account has hired no such agent
 */
export async function listQuestionsOf(who: Who, userAgentId: number): Promise<Question[]> {
  await requireHiredAgent(who.accountId, userAgentId);
  return readInbox({ accountId: who.accountId, userAgentId }, MAX_PENDING_OF_AGENT, who);
}

async function readInbox(
  of: { accountId: number; userAgentId?: number },
  mostPending: number,
  who: Who | null,
): Promise<Question[]> {
  const [zone, pending, settled] = await Promise.all([
    readTimeZone(of.accountId),
    Interrupt.find({ ...of, status: 'pending' })
      .sort({ _id: -1 })
      .limit(mostPending)
      .lean(),
    Interrupt.find({ ...of, status: { $in: ['resolved', 'cancelled'] } })
      .sort({ _id: -1 })
      .limit(MAX_SETTLED)
      .lean(),
  ]);
  return [...pending, ...settled].map((row) => viewInterrupt(row, who, zone));
}

/** One question as a person sees it; null where the account has no such question. */
export async function findQuestion(who: Who, interruptId: number): Promise<Question | null> {
  const [zone, row] = await Promise.all([
    readTimeZone(who.accountId),
    Interrupt.findOne({ _id: interruptId, accountId: who.accountId }).lean(),
  ]);
  return row ? viewInterrupt(row, who, zone) : null;
}

/** A question asked in one conversation, without abilities; null where there is none. */
export async function findQuestionAskedIn(
  accountId: number,
  address: Address,
  interruptId: unknown,
): Promise<Question | null> {
  if (!Number.isInteger(interruptId)) return null;
  const row = await Interrupt.findOne({ _id: interruptId as number, accountId }).lean();
  const conversation = row && (await conversationOf(row));
  // A card's address names the channel, whichever thread it is in.
  const here =
    conversation?.address.channel === address.channel && conversation.address.conversation === address.conversation;
  return row && here ? viewInterrupt(row, null, await readTimeZone(accountId)) : null;
}
