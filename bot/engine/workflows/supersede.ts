import { AppError } from '../../../models/contracts/errors.ts';
import { describeDecided } from '../../../models/contracts/questionRows.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import { mayAnswer, waitsForText } from '../../../models/policies/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { kindOf } from '../questions/kinds/index.ts';
import { hasEnded, isNotExecuting, waitForRun } from './waitForRun.ts';
import { continueRun, countDecided, questionOf, withdraw } from './withdraw.ts';
import { type Exclusive, workflowNamed } from './workflow.ts';

/**
 * Who starts work that would withdraw an open question: a member, who may name the question to withdraw, or a schedule,
 * which never withdraws.
 */
export type Asker = { who: Who | null; withdraws?: number | undefined } | 'schedule';

const MAX_ATTEMPTS = 5;
/** Longest wait for a brief step; its process may have died. */
const BRIEF_MS = 5000;
/** Longest wait for an answered run to end; after that the start is refused. */
const RECORDING_MS = 5000;

/**
 * Ends the waiting runs that a new exclusive run replaces. Their question is withdrawn only by somebody who may answer
 * it and, where its draft has decisions, only where they name it explicitly. A run whose question is answered ends
 * normally first.
 * @throws AppError review_open, review_not_yours, run_in_progress; then nothing is withdrawn
 */
export async function supersede(
  conversation: ConversationRow | null,
  workflow: string,
  asker: () => Promise<Asker>,
): Promise<void> {
  const { exclusive } = workflowNamed(workflow);
  if (!conversation || !exclusive) return;
  const { accountId, _id: conversationId } = conversation;
  await waitForBriefStep(conversation, workflow);
  const waiting = await Run.find({ accountId, conversationId, workflow, status: 'waiting' }).lean();
  if (waiting.length === 0) return;
  if (await Run.exists({ accountId, conversationId, workflow, status: 'ready' })) throw inProgress(exclusive);
  const by = await asker();
  for (const run of waiting) await withdrawEarlier(run, conversation, by, exclusive);
}

/** Waits for brief steps, so that nobody is refused while a question is being saved or an answer recorded. */
async function waitForBriefStep({ accountId, _id: conversationId }: ConversationRow, workflow: string): Promise<void> {
  const { steps } = workflowNamed(workflow);
  const brief = Object.keys(steps).filter((name) => steps[name]?.brief);
  const busy = await Run.findOne(
    { accountId, conversationId, workflow, status: 'ready', step: { $in: brief } },
    { _id: 1 },
  ).lean();
  if (busy) await waitForRun(busy._id, BRIEF_MS, isNotExecuting);
}

/** @returns the error for a second exclusive run */
const inProgress = ({ noun }: Exclusive): AppError => new AppError('run_in_progress', { noun });

async function withdrawEarlier(
  waiting: RunRow,
  conversation: ConversationRow,
  asker: Asker,
  work: Exclusive,
): Promise<void> {
  let run = waiting;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const question = await questionOf(run);
    if (question?.status === 'resolved') {
      run = await waitForRecord(run, question, work);
      if (hasEnded(run)) return;
      continue;
    }
    const confirmed = question?.status === 'pending' && requireWithdrawable(question, asker, work);
    const draftVersion = confirmed ? undefined : question?.draft?.version;
    const by = asker === 'schedule' ? null : asker.who?.userId;
    const kept = question && countDecided(question) > 0 ? work.replaced : 'Nothing had been decided in it yet.';
    const why = `A newer ${work.noun} takes the place of this one. ${kept}`;
    if ((await withdraw(run, conversation, why, { draftVersion, by })) === 'withdrawn') return;
  }
  throw new AppError('conflict');
}

/** Lets an answered run record its answer before the new one starts: it then has ended, or waits for the next answer. */
async function waitForRecord(run: RunRow, answered: InterruptRow, work: Exclusive): Promise<RunRow> {
  await continueRun(run._id, answered);
  const isRecorded = (now: RunRow) =>
    hasEnded(now) || (now.status === 'waiting' && now.state.interruptId !== answered._id);
  const recorded = await waitForRun(run._id, RECORDING_MS, isRecorded);
  if (!recorded) throw inProgress(work);
  return recorded;
}

/** The error for a schedule whose earlier question is pending. */
export const waitsForAnswer = (interruptId: number): AppError =>
  new AppError('review_open', {
    text: `question ${interruptId} waits. Answer it first; then the schedule runs at its next time.`,
  });

/**
 * @returns whether the asker named the question as the one to withdraw
 * @throws AppError review_open, review_not_yours
 */
function requireWithdrawable(question: InterruptRow, asker: Asker, work: Exclusive): boolean {
  const { _id, interruptType } = question;
  const named = kindOf(interruptType).hasDraft ? 'review' : 'question';
  if (asker === 'schedule') throw waitsForAnswer(_id);
  if (!asker.who || !mayAnswer(asker.who, question))
    throw new AppError('review_not_yours', {
      text: `A ${named} is open (question ${_id}), and a new ${work.noun} would withdraw it. Only a person who may answer it can do that. ${waitsForText(asker.who ?? { hasOfficer: true }, question)}`,
    });
  if (asker.withdraws === _id) return true;
  const view = kindOf(interruptType).rows?.(question, 'full');
  const decided = countDecided(question);
  if (!view || decided === 0) return false;
  const proposed = view.rows.length;
  const confirmation = confirmationFor(work, _id);
  throw new AppError(
    'review_open',
    {
      text: `${describeDecided(view.noun, decided, proposed)} in the open review. Complete it in the inbox, or say “${confirmation.words}”. ${work.keeps}`,
    },
    { standing: { interruptId: _id, decided, proposed, confirmation } satisfies OpenReview },
  );
}

/** The open review that blocks new work, as `review_open` carries it. */
export type OpenReview = {
  interruptId: number;
  decided: number;
  proposed: number;
  /** The button that confirms withdrawing it, and the message it sends. */
  confirmation: { label: string; words: string };
};

const confirmationFor = ({ noun }: Exclusive, interruptId: number): OpenReview['confirmation'] => ({
  label: `Start a new ${noun}`,
  words: `Start a new ${noun} and withdraw question ${interruptId}`,
});

const WITHDRAWS = /(?<!\b(?:not|never|without|don['’]?t)\b[^.;!?\n]{0,60})\bwithdraw question (\d{1,9})\b/i;

/** Id of the question that a text confirms to withdraw; undefined where there is none, also after a negation. */
export const questionWithdrawnIn = (text: string): number | undefined => Number(WITHDRAWS.exec(text)?.[1]) || undefined;
