import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { mannerOf, type TurnRow } from '../../../models/turn.ts';
import { identify } from '../accounts/identify.ts';
import { readGeneral } from '../intents/readGeneral.ts';
import { cancelInProgress } from '../workflows/cancelRun.ts';

/** Other things that are stopped elsewhere: "stop the schedule". */
const OF_SOMETHING_ELSE = /\b(?:schedules?|uploads?|questions?|reviews?|jobs?)\b/i;

/**
 * Stops what is in progress where a person says “stop”: not every place has a button for it.
 * @returns whether anything was in progress that they may stop
 */
export async function stopInWords(turn: TurnRow, conversation: ConversationRow, agentId: AgentId): Promise<boolean> {
  const { text, accountId, speaker } = turn;
  if (speaker.userId === null || mannerOf(turn) !== 'said') return false;
  if (OF_SOMETHING_ELSE.test(text) || readGeneral(text, agentId) !== 'cancel') return false;
  const who = await identify(speaker.userId, accountId, Date.now());
  return who !== null && cancelInProgress(who, conversation);
}
