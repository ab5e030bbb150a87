import type { Types } from 'mongoose';
import { runInBackground } from '../../../models/background.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import type { RunRow } from '../../../models/run.ts';
import { cancelInterrupts } from '../interrupts/cancelInterrupts.ts';
import { rowsOf } from '../questions/kinds/index.ts';
import { endCancelled } from './endRun.ts';
import { executeRun } from './executeRun.ts';
import { claimWaiting } from './saveRun.ts';

/** The pending or last question of a run; null where it has asked none. */
export async function questionOf({ state }: Pick<RunRow, 'state'>): Promise<InterruptRow | null> {
  if (typeof state.interruptId !== 'number') return null;
  return await Interrupt.findOne({ _id: state.interruptId }).lean();
}

/**
 * Number of rows that people have decided in an open review; preselected outcomes do not count, unless somebody has
 * signed them.
 */
export function countDecided(question: InterruptRow): number {
  if (question.firstSignature) return question.draft?.rows.length ?? 0;
  const preselected = new Map(rowsOf(question).map((row) => [row.id, row.preselected]));
  return (question.draft?.rows ?? []).filter(({ id, outcome }) => preselected.get(id) !== outcome).length;
}

type Withdrawal = 'withdrawn' | 'answered' | 'changed';

/**
 * Withdraws a waiting run's question and ends the run. Where an answer came first, nothing changes and the run
 * continues with it.
 * @param how who withdraws it, and which version of the review's draft it has to have
 * @returns `answered` where an answer came first, `changed` where the draft changed
 */
export async function withdraw(
  waiting: Pick<RunRow, '_id' | 'state'>,
  conversation: ConversationRow | null,
  why?: string,
  how: Parameters<typeof cancelInterrupts>[1] = {},
): Promise<Withdrawal> {
  await cancelInterrupts(waiting._id, how);
  const question = await questionOf(waiting);
  if (question?.status === 'resolved') return 'answered';
  if (question?.status === 'pending') return 'changed';
  const run = await claimWaiting(waiting._id, waiting.state.interruptId, true);
  if (run) await endCancelled({ run, conversation }, why);
  return 'withdrawn';
}

/**
 * Resumes a run with its answer, where it still waits for that question.
 * @returns the run, executing in this process; null where it does not wait, or another process was first
 */
export async function continueRun(runId: Types.ObjectId, answered: InterruptRow): Promise<RunRow | null> {
  const run = await claimWaiting(runId, answered._id);
  if (run) runInBackground('run', executeRun(run, undefined, answered));
  return run;
}

/** The conversation of a run. */
export const conversationOfRun = ({ conversationId }: Pick<RunRow, 'conversationId'>) =>
  conversationId ? Conversation.findById(conversationId).lean() : null;
