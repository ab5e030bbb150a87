import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { env } from '../../../models/env.ts';
import { Turn, type TurnRow } from '../../../models/turn.ts';
import { conversationsInQueue, queueIdOf } from '../conversations/conversations.ts';

/** Longest time that a turn may block the ones behind it, in case it hangs. */
const MAX_BLOCK_MS = 60_000;
const POLL_MS = 250;

/** The last unfinished turn of each queue in this process. */
const queues = new Map<string, Promise<void>>();
/** Queues in which this process left a turn to the sweeper, with the time until which later turns check for it. */
const leftToSweeper = new Map<string, number>();
/** Before the first sweep, turns of the previous process may still be unhandled. */
let swept = false;

export function noteFirstSweep(): void {
  swept = true;
}

/** Records that a turn was left to the sweeper, so that later turns of its queue check the store for it first. */
export function noteLeftToSweeper(conversation: ConversationRow): void {
  const now = Date.now();
  if (leftToSweeper.size > 1000) for (const [key, until] of leftToSweeper) if (until < now) leftToSweeper.delete(key);
  leftToSweeper.set(String(queueIdOf(conversation)), now + MAX_BLOCK_MS);
}

/**
 * Starts handling a turn after the earlier ones of its queue; at once where there are none.
 * @param begin receives a function that releases the next turn, and whether this turn had to wait
 */
export function inOrder(conversation: ConversationRow, begin: (over: () => void, followed: boolean) => void): void {
  const key = String(queueIdOf(conversation));
  const before = queues.get(key);
  let release = () => {};
  const mine = new Promise<void>((resolve) => {
    release = resolve;
  });
  queues.set(key, mine);
  const over = () => {
    release();
    if (queues.get(key) === mine) queues.delete(key);
  };
  if (!before) {
    begin(over, false);
    return;
  }
  let waits = true;
  const go = () => {
    if (!waits) return;
    waits = false;
    clearTimeout(timer);
    begin(over, true);
  };
  const timer = setTimeout(go, MAX_BLOCK_MS);
  timer.unref();
  before.then(go, go);
}

/** Whether an earlier turn of the queue has files and is not handled yet. */
export const isBlockedByFiles = (turn: TurnRow, known?: ConversationRow): Promise<boolean> =>
  isBlockedBy({ 'files.0': { $exists: true } }, turn, known);

/** Whether an earlier turn of the queue has files, or was never tried, and is not handled yet. */
export const isBlockedByEarlier = (turn: TurnRow): Promise<boolean> =>
  isBlockedBy({ $or: [{ 'files.0': { $exists: true } }, { attempts: 0 }] }, turn);

async function isBlockedBy(such: object, turn: TurnRow, known?: ConversationRow): Promise<boolean> {
  const conversation = known ?? (await Conversation.findById(turn.conversationId).lean());
  if (!conversation) return false;
  const holding = await Turn.exists({
    accountId: turn.accountId,
    status: 'stored',
    conversationId: { $in: await conversationsInQueue(conversation) },
    createdAt: { $gt: new Date(Date.now() - MAX_BLOCK_MS) },
    $and: [
      { $or: [{ createdAt: { $lt: turn.createdAt } }, { createdAt: turn.createdAt, _id: { $lt: turn._id } }] },
      such,
    ],
  });
  return holding !== null;
}

/**
 * Waits until no earlier turn of the queue has unhandled files, whichever process handles it. Reads the store only
 * where another process, the previous one, or the sweeper may have such a turn.
 * @returns whether it had to wait
 */
export async function waitForEarlier(turn: TurnRow, conversation: ConversationRow): Promise<boolean> {
  const isAlone =
    swept &&
    !env.MONGODB_URI &&
    env.ROLE === 'all' &&
    (leftToSweeper.get(String(queueIdOf(conversation))) ?? 0) < Date.now();
  if (isAlone) return false;
  let held = false;
  // Terminates: turns older than a minute do not count.
  while (await isBlockedByFiles(turn, conversation)) {
    held = true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return held;
}
