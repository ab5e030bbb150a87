import type { Types } from 'mongoose';
import { AppError } from '../../../models/contracts/errors.ts';
import type { Address } from '../../../models/contracts/turn.ts';
import { Conversation } from '../../../models/conversation.ts';
import { may } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { Run } from '../../../models/run.ts';
import { conversationKey } from '../turns/conversations.ts';
import { withdraw } from './executeRun.ts';
import { abortHere } from './lease.ts';

/**
 * Cancels a run: its work is stopped where it goes on, a waiting question is withdrawn. A run that has ended stays as
 * it is.
 * @throws AppError not_found, not_allowed
 */
export async function cancelRun(who: Who, runId: Types.ObjectId | string): Promise<void> {
  const standing = await Run.findOne({ _id: runId, accountId: who.accountId }, { userId: 1 }).lean();
  if (!standing) throw new AppError('not_found');
  if (!may(who, 'run.cancel', standing)) throw new AppError('not_allowed');
  const run = await Run.findOneAndUpdate(
    { _id: runId, accountId: who.accountId },
    { $set: { cancelRequested: true } },
    { returnDocument: 'after' },
  ).lean();
  if (!run) throw new AppError('not_found');
  abortHere(run._id);
  if (run.status !== 'waiting') return;
  await withdraw(run, run.conversationId ? await Conversation.findById(run.conversationId).lean() : null);
}

/** Cancels what a member may cancel of a conversation's runs, e.g. when somebody presses the platform's own Stop. */
export async function cancelRunsAt(who: Who, address: Address): Promise<void> {
  const { accountId } = who;
  const conversation = await Conversation.findOne({ accountId, key: conversationKey(address) }, { _id: 1 }).lean();
  if (!conversation) return;
  const at = { accountId, conversationId: conversation._id };
  const runs = await Run.find({ ...at, status: { $in: ['ready', 'waiting'] } }, { _id: 1, userId: 1 }).lean();
  for (const run of runs) if (may(who, 'run.cancel', run)) await cancelRun(who, run._id);
}
