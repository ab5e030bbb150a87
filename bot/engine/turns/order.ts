import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { env } from '../../../models/env.ts';
import { Turn, type TurnRow } from '../../../models/turn.ts';
import { conversationsInLine, lineOf } from '../conversations/conversations.ts';

/** A turn that hangs must not mute its conversation: what follows it waits this long at most. */
const MOST_HELD_MILLISECONDS = 60_000;
const LOOK_MILLISECONDS = 250;

/** The last turn of each conversation that this process has not carried on yet. */
const lines = new Map<string, Promise<void>>();
/** Turns that this process is carrying on for the first time. */
const begunHere = new Set<string>();
/** Conversations in which this process has left a turn to the sweeper, and until when that matters. */
const troubled = new Map<string, number>();
/** Until the first sweep is over, turns of an earlier life of this process may still be waiting. */
let swept = false;

export function noteSwept(): void {
  swept = true;
}

/** Whether this process carries a turn on already, and has not done so for too long. */
export const isBegunHere = ({ _id, createdAt }: Pick<TurnRow, '_id' | 'createdAt'>) =>
  begunHere.has(String(_id)) && Date.now() - createdAt.getTime() < MOST_HELD_MILLISECONDS;

/** Notes that a turn was left to the sweeper: what is said after it looks for it first. */
export function noteLeft(conversation: ConversationRow): void {
  const now = Date.now();
  if (troubled.size > 1000) for (const [key, until] of troubled) if (until < now) troubled.delete(key);
  troubled.set(String(lineOf(conversation)), now + MOST_HELD_MILLISECONDS);
}

/**
 * Begins with a turn once those before it in its conversation are carried on. A turn with nothing before it begins at
 * once.
 * @param begin gets what it must call when the next one may begin, and whether there was one before it
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

/** Whether an earlier turn of the conversation brings files and is not carried on yet. */
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
 * Waits until no earlier turn of the conversation brings files any more, wherever it is being carried on. The store is
 * asked only where another process, an earlier life of this one, or the sweeper may hold such a turn.
 * @returns whether there was one
 */
export async function waitForEarlier(turn: TurnRow, conversation: ConversationRow): Promise<boolean> {
  const isAlone = swept && !env.MONGODB_URI && (troubled.get(String(lineOf(conversation))) ?? 0) < Date.now();
  if (isAlone) return false;
  let held = false;
  // It ends: what is older than a minute holds nothing.
  while (await isHeld(turn, conversation)) {
    held = true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
  }
  return held;
}
