import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { env } from '../../../models/env.ts';
import { Turn, type TurnRow } from '../../../models/turn.ts';
import { conversationsInLine, lineOf } from '../conversations/conversations.ts';

/** Longest time that a turn may block the ones behind it, in case it hangs. */
const MOST_HELD_MILLISECONDS = 60_000;
const LOOK_MILLISECONDS = 250;

/** The last unfinished turn of each queue in this process. */
const lines = new Map<string, Promise<void>>();
/** Ids of the turns that this process is handling for the first time. */
const begunHere = new Set<string>();
/** Queues in which this process left a turn to the sweeper, with the time until which later turns check for it. */
const troubled = new Map<string, number>();
/** Before the first sweep, turns of the previous process may still be unhandled. */
let swept = false;

export function noteSwept(): void {
  swept = true;
}

/** Whether this process is handling a turn, and not for too long. */
export const isBegunHere = ({ _id, createdAt }: Pick<TurnRow, '_id' | 'createdAt'>) =>
  begunHere.has(String(_id)) && Date.now() - createdAt.getTime() < MOST_HELD_MILLISECONDS;

/** Records that a turn was left to the sweeper, so that later turns of its queue check the store for it first. */
export function noteLeft(conversation: ConversationRow): void {
  const now = Date.now();
  if (troubled.size > 1000) for (const [key, until] of troubled) if (until < now) troubled.delete(key);
  troubled.set(String(lineOf(conversation)), now + MOST_HELD_MILLISECONDS);
}

/**
 * Starts handling a turn after the earlier ones of its queue; at once where there are none.
 * @param begin receives a function that releases the next turn, and whether this turn had to wait
 */
export function inOrder(
  { _id }: Pick<TurnRow, '_id'>,
  conversation: ConversationRow,
  begin: (over: () => void, followed: boolean) => void,
): void {
  const key = String(lineOf(conversation));
  begunHere.add(String(_id));
  const before = lines.get(key);
  let release = () => {};
  const mine = new Promise<void>((resolve) => {
    release = resolve;
  });
  lines.set(key, mine);
  const over = () => {
    release();
    begunHere.delete(String(_id));
    if (lines.get(key) === mine) lines.delete(key);
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
  const timer = setTimeout(go, MOST_HELD_MILLISECONDS);
  timer.unref();
  before.then(go, go);
}

/** Whether an earlier turn of the queue has files and is not handled yet. */
export async function isHeld(turn: TurnRow, known?: ConversationRow): Promise<boolean> {
  const conversation = known ?? (await Conversation.findById(turn.conversationId).lean());
  if (!conversation) return false;
  const holding = await Turn.exists({
    accountId: turn.accountId,
    status: 'stored',
    conversationId: { $in: await conversationsInLine(conversation) },
    createdAt: { $gt: new Date(Date.now() - MOST_HELD_MILLISECONDS) },
    $or: [{ createdAt: { $lt: turn.createdAt } }, { createdAt: turn.createdAt, _id: { $lt: turn._id } }],
    'files.0': { $exists: true },
  });
  return holding !== null;
}

/**
 * Waits until no earlier turn of the queue has unhandled files, whichever process handles it. Reads the store only
 * where another process, the previous one, or the sweeper may have such a turn.
 * @returns whether it had to wait
 */
export async function waitForEarlier(turn: TurnRow, conversation: ConversationRow): Promise<boolean> {
  const isAlone = swept && !env.MONGODB_URI && (troubled.get(String(lineOf(conversation))) ?? 0) < Date.now();
  if (isAlone) return false;
  let held = false;
  // Terminates: turns older than a minute do not count.
  while (await isHeld(turn, conversation)) {
    held = true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
  }
  return held;
}
