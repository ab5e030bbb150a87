import { Types } from 'mongoose';
import type { Turn as Said } from '../../../models/contracts/turn.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { logger } from '../../../models/logger.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { isDuplicateKey } from '../../../models/store/duplicate.ts';
import { insertRow } from '../../../models/store/insert.ts';
import { Turn, type TurnRow } from '../../../models/turn.ts';
import { adjustSlots, runWhenSlotFree } from './concurrency.ts';
import { inOrder, noteLeftToSweeper, waitForEarlier } from './order.ts';
import { processTurn } from './processTurn.ts';
import { turns } from './turnWork.ts';

/** After this wait another process may have taken the turn over, so its claim is read again. */
const RECHECK_AFTER_MS = 5000;
const isMine = ({ _id, accountId, lease }: TurnRow) =>
  runInAccount(accountId, () => Turn.exists({ _id, status: 'stored', 'lease.id': lease?.id ?? null }));

/**
 * Stores a turn with one insert: from then on it is acknowledged and can't be lost. Handling starts at once, here or, from
 * a web process, in a worker, and is not awaited.
 * @returns the stored turn, and `first: false` where the event was stored before
 */
export async function acceptTurn(
  conversation: ConversationRow,
  said: Said,
  { clientId = null, taskFor = null }: Partial<Pick<TurnRow, 'clientId' | 'taskFor'>> = {},
): Promise<{ turn: TurnRow; first: boolean }> {
  const row: TurnRow = {
    ...said,
    _id: new Types.ObjectId(),
    accountId: conversation.accountId,
    status: 'stored',
    ...turns.newClaim(),
    conversationId: conversation._id,
    clientId,
    taskFor,
    createdAt: new Date(),
  };
  const begun = performance.now();
  try {
    await insertRow(Turn, row);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const standing = await Turn.findOne({ channel: said.channel, eventId: said.eventId }).lean();
    if (!standing) throw error;
    return { turn: standing, first: false };
  }
  const stored = performance.now();
  if (!turns.noteClaim(row)) return { turn: row, first: true };
  adjustSlots(stored - begun);
  const carryOn = async (over: () => void, followed: boolean) => {
    const held = await runInAccount(row.accountId, () => waitForEarlier(row, conversation));
    // Earlier turns may have changed the conversation (a new file, another agent): read it again.
    const known = followed || held ? undefined : conversation;
    const waited = performance.now() - stored;
    if (waited < RECHECK_AFTER_MS || (await isMine(row))) await processTurn(row, known, over);
    else turns.letGo(row);
  };
  inOrder(conversation, (over, followed) => {
    const taken = runWhenSlotFree(() =>
      carryOn(over, followed)
        .catch((error: unknown) => {
          turns.letGo(row);
          noteLeftToSweeper(conversation);
          logger.error({ err: error, turn: String(row._id) }, 'turn is left to the sweeper');
        })
        .finally(over),
    );
    if (taken) return;
    over();
    turns.letGo(row);
    logger.warn({ turn: String(row._id) }, 'too many turns waiting: left to the sweeper');
  });
  return { turn: row, first: true };
}
