import type { Types } from 'mongoose';
import { AppError } from '../../../models/contracts/errors.ts';
import { Conversation } from '../../../models/conversation.ts';
import type { Who } from '../../../models/policies/who.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { cancelInterrupts } from '../interrupts/cancelInterrupts.ts';
import { claimWaiting, endCancelled } from './executeRun.ts';
import { abortHere } from './lease.ts';

/**
 * Cancels a run: its work is stopped where it goes on, a waiting question is withdrawn. A run that has ended stays as
 * it is.
 * @throws AppError not_found
 */
export async function cancelRun(who: Who, runId: Types.ObjectId | string): Promise<void> {
  const run = await Run.findOneAndUpdate(
    { _id: runId, accountId: who.accountId },
    { $set: { cancelRequested: true } },
    { returnDocument: 'after' },
  ).lean();
  if (!run) throw new AppError('not_found');
  abortHere(run._id);
  if (run.status === 'waiting') await endWaiting(run);
}

async function endWaiting(waiting: RunRow): Promise<void> {
  await cancelInterrupts(waiting._id);
  const run = await claimWaiting(waiting);
  if (!run) return;
  const conversation = run.conversationId ? await Conversation.findById(run.conversationId).lean() : null;
  await endCancelled(run, conversation);
}
