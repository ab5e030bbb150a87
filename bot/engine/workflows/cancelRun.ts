import { Types } from 'mongoose';
import { AppError } from '../../../models/contracts/errors.ts';
import type { Address } from '../../../models/contracts/turn.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import { may } from '../../../models/policies/actions.ts';
import { mayAnswer, waitsForText } from '../../../models/policies/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { readTimeZone } from '../accounts/timeZone.ts';
import { answerable, conversationKey } from '../conversations/conversations.ts';
import { say } from '../delivery/say.ts';
import { describeResolution } from '../delivery/viewInterrupt.ts';
import { runs } from './lease.ts';
import { conversationOfRun, countDecided, questionOf, withdraw } from './withdraw.ts';
import { staysCancellable } from './workflow.ts';

/** Most attempts while the run changes state concurrently. */
const MAX_ATTEMPTS = 10;

/**
 * Cancels a run: stops its execution, withdraws its pending question. Ended runs are not changed. An answer that was
 * recorded first wins, and the caller is told.
 * @throws AppError not_found, not_allowed, review_not_yours, already_answered, conflict
 */
export async function cancelRun(who: Who, runId: Types.ObjectId | string): Promise<void> {
  await cancelOne(who, runId);
  await cancelAskedThatWait(who, runId);
}

/** Withdraws the questions of runs that a cancelled run has asked other agents for, unless people have decided rows. */
async function cancelAskedThatWait(who: Who, runId: Types.ObjectId | string): Promise<void> {
  const { accountId } = who;
  const run = await Run.findOne({ _id: runId, accountId }, { conversationId: 1 }).lean();
  const waiting = await Run.find(
    { accountId, conversationId: run?.conversationId ?? null, status: 'waiting', 'askedBy.runId': String(runId) },
    { _id: 1 },
  ).lean();
  for (const { _id } of waiting) {
    await cancelRun(who, _id).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    });
  }
}

async function cancelOne(who: Who, runId: Types.ObjectId | string): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const run = await Run.findOne({ _id: runId, accountId: who.accountId }).lean();
    if (!run) throw new AppError('not_found');
    if (!may(who, 'run.cancel', run)) throw new AppError('not_allowed');
    const question = await questionOf(run);
    const goesOn = run.status === 'ready' && staysCancellable(run);
    if (question?.status === 'resolved' && !goesOn) throw await answeredFirst(who, run, question);
    if (run.status === 'waiting') {
      requireWithdrawable(who, question);
      if ((await withdraw(run, await conversationOfRun(run), undefined, { by: who.userId })) === 'withdrawn') return;
    } else if (run.status === 'ready') {
      // Conditional on the round: a question asked meanwhile is looked at in the next attempt.
      const noted = await Run.updateOne(
        { _id: run._id, status: 'ready', round: run.round },
        { $set: { cancelRequested: true } },
      );
      if (noted.matchedCount === 1) {
        runs.abort(run._id);
        return;
      }
    } else return;
  }
  throw new AppError('conflict');
}

/** People's decisions in an open review, and a first signature, are withdrawn only by somebody who may answer it. */
function requireWithdrawable(who: Who, question: InterruptRow | null): void {
  if (question?.status !== 'pending' || mayAnswer(who, question)) return;
  const begun = question.firstSignature
    ? `Somebody has signed an answer to question ${question._id}`
    : `People have decided rows of the open review (question ${question._id})`;
  if (!question.firstSignature && countDecided(question) === 0) return;
  throw new AppError('review_not_yours', {
    text: `${begun}, and cancelling would withdraw it. Only a person who may answer it can do that. ${waitsForText(who, question)}`,
  });
}

async function answeredFirst(who: Who, { status }: RunRow, question: InterruptRow): Promise<AppError> {
  const told = question.resolution
    ? describeResolution(question.resolution, await readTimeZone(who.accountId), question)
    : 'Answered';
  const next = status === 'ready' || status === 'waiting' ? ', and the work continues with it' : '';
  return new AppError('already_answered', {
    text: `This can’t be cancelled any more: it was answered already. ${told}. That answer stands${next}.`,
  });
}

/**
 * Cancels the runs of a conversation that a member may cancel, e.g. for the platform's Stop button. Refusals are posted
 * there.
 */
export async function cancelRunsAt(who: Who, address: Address): Promise<void> {
  const { accountId } = who;
  const conversation = await Conversation.findOne({ accountId, key: conversationKey(address) }).lean();
  if (!conversation) return;
  const at = { accountId, conversationId: conversation._id };
  await cancelEach(who, conversation, await findRuns({ ...at, status: { $in: ['ready', 'waiting'] } }));
}

/**
 * Cancels what is in progress in a conversation and its sibling threads, as far as a member may cancel it, because they
 * said so. A question that waits stays: people's decisions are not withdrawn by a word. Refusals are posted there.
 * @returns whether anything of theirs was in progress
 */
export async function cancelInProgress(who: Who, conversation: ConversationRow): Promise<boolean> {
  const { accountId } = who;
  const conversationId = { $in: [...(await answerable(conversation))].map((id) => new Types.ObjectId(id)) };
  return cancelEach(who, conversation, await findRuns({ accountId, conversationId, status: 'ready' }));
}

const findRuns = (where: Parameters<typeof Run.find>[0]) => Run.find(where, { _id: 1, userId: 1 }).lean();

/** @returns whether the member may cancel any of the runs */
async function cancelEach(
  who: Who,
  conversation: ConversationRow,
  runs: readonly Pick<RunRow, '_id' | 'userId'>[],
): Promise<boolean> {
  const own = runs.filter((run) => may(who, 'run.cancel', run));
  for (const { _id } of own) {
    try {
      await cancelRun(who, _id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await say(conversation, { key: `run:${_id}:not-cancelled`, kind: 'refused', text: error.message });
    }
  }
  return own.length > 0;
}
