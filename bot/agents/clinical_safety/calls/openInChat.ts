import * as contract from '../../../../models/contracts/clinical_safety/analyses.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import type { ConversationFiles } from '../../../../models/conversation.ts';
import { StoredFile } from '../../../../models/file.ts';
import { isEnabled } from '../../../engine/accounts/integrations.ts';
import { dayOf } from '../../../engine/accounts/timeZone.ts';
import { defineCall } from '../../../engine/calls/call.ts';
import { setCurrentFiles } from '../../../engine/conversations/conversations.ts';
import { requireThread, startThread } from '../../../engine/conversations/threads.ts';
import { say } from '../../../engine/delivery/say.ts';
import { SPEAKER } from '../files/acceptFile.ts';
import { isKept } from '../files/currentFiles.ts';
import { requireAnalysis, workOn } from '../results/findAnalysis.ts';

/** Opens an analysis in a conversation of the person: an empty one, or a new one. Its files become the conversation's. */
export const openInChat = defineCall(contract.openAnalysisInChat, async ({ who, params }) => {
  const { accountId } = who;
  const analysis = await requireAnalysis(accountId, params.id);
  if (!analysis.resultFileId) throw new AppError('no_result');
  if (!(await isEnabled(accountId, 'arc-chat'))) throw new AppError('channel_off');
  const thread = await startThread(who);
  const conversation = await requireThread(who, thread.id);
  const ids = [analysis.logFileId, analysis.ticketsFileId].filter((id) => id !== null);
  const files = (await StoredFile.find({ _id: { $in: ids }, accountId }).lean()).filter(isKept);
  const current: ConversationFiles = Object.fromEntries(files.map(({ kind, _id }) => [kind, _id]));
  if (current['hazard-log']) await setCurrentFiles(conversation, current);
  await workOn(accountId, conversation._id, analysis._id);
  await say(conversation, {
    key: `opened:${conversation._id}:${analysis._id}`,
    kind: 'text',
    agent: SPEAKER,
    text: `This conversation works on the analysis of ${analysis.logFileName} of ${await dayOf(accountId, analysis.createdAt)}: ${analysis.headline}. What you ask here is answered from it.`,
    card: { hazardAnalysisId: analysis._id },
  });
  return { conversationId: thread.id };
});
