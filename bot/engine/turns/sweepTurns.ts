import { runInBackground } from '../../../models/background.ts';
import { Conversation } from '../../../models/conversation.ts';
import { env } from '../../../models/env.ts';
import { logger } from '../../../models/logger.ts';
import { Message } from '../../../models/message.ts';
import { Run } from '../../../models/run.ts';
import type { TurnRow } from '../../../models/turn.ts';
import { say } from '../delivery/say.ts';
import { executeRun } from '../workflows/executeRun.ts';
import { finishTurn } from './finishTurns.ts';
import { isBlockedByEarlier, isBlockedByFiles, noteFirstSweep } from './order.ts';
import { handleClaimed, refusalKey, startKeyOf } from './processTurn.ts';
import { turns } from './turnWork.ts';

/** How long a turn waits for earlier ones before it is looked at again. */
const BLOCKED_MS = 300;
/** Where workers share the turns of web processes, the queue of one process does not keep a conversation's order. */
const isBlocked = env.ROLE === 'all' ? isBlockedByFiles : isBlockedByEarlier;

/**
 * Handles turns that were acknowledged and not finished, oldest first.
 * @returns the number claimed
 */
export async function sweepTurns(): Promise<number> {
  const claimed = await turns.sweep({ handle: sweepTurn, tellSetAside: (turn) => sayGivenUp(turn, SET_ASIDE) });
  noteFirstSweep();
  return claimed;
}

/** A turn that already has a run or a refusal is not handled again: its text might be routed differently now. */
async function sweepTurn(turn: TurnRow): Promise<void> {
  const { _id, accountId, conversationId } = turn;
  const [started, refused] = await Promise.all([
    Run.exists({ startKey: startKeyOf(turn) }),
    Message.exists({ accountId, conversationId, key: refusalKey(turn) }),
  ]);
  if (started || refused) {
    finishTurn(_id);
    return turns.letGo(turn);
  }
  if (await isBlocked(turn)) {
    // It was not begun this time.
    await turns.postpone(turn, new Date(Date.now() + BLOCKED_MS), { begun: (turn.begun ?? 1) - 1 });
    return turns.letGo(turn);
  }
  const work = await handleClaimed(turn, undefined, () => sayGivenUp(turn, FAILED)).catch((error: unknown) => {
    logger.error({ err: error, turn: String(_id) }, 'turn could not be handled');
    return null;
  });
  // The run sets its own account context and does not block other turns.
  if (work) runInBackground('run', executeRun(work.run, work.conversation));
}

async function sayGivenUp(turn: TurnRow, text: string): Promise<void> {
  const conversation = await Conversation.findById(turn.conversationId).lean();
  if (conversation) await say(conversation, { key: `turn:${turn._id}:failed`, kind: 'refused', text });
}

const FAILED = 'I could not process your last message, and nothing was done for it. Please send it again.';
const SET_ASIDE =
  'Arc stopped each time it began to work on one of your messages, so I have set that message aside. Nothing was done for it. Please say it in other words, or tell support.';
