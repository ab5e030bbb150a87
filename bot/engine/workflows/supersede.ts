import { AppError } from '../../../models/contracts/errors.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import { mayAnswer } from '../../../models/policies/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { kindOf, rowsOf } from '../questions/kinds/index.ts';
import { RESTED, waitForRun } from './waitForRun.ts';
import { continueRun, questionOf, withdraw } from './withdraw.ts';
import { workflowNamed } from './workflow.ts';

/** Who starts work that would withdraw an open question: a member, or a schedule, which never does. */
export type Asker = { who: Who | null; withdraws?: number | undefined } | 'schedule';

const WITHDRAWN =
  'A newer analysis takes the place of this one. What was decided is kept for the new review; the rest is proposed again.';
const MOST_LOOKS = 5;
/** How long a brief step is waited for; its process may have died. */
const BRIEF_MS = 5000;
/** Recording an answer takes a moment; what takes longer is told instead. */
const RECORDED_MILLISECONDS = 5000;

/**
 * Makes way for work of which a conversation has one at a time: an open question of the earlier work is withdrawn, by
 * whoever may answer it, and with decisions in its draft only where they ask for that in so many words. An answered
 * question is not withdrawn: its run ends first.
 * @throws AppError review_open, review_not_yours, run_in_progress; then nothing is withdrawn
 */
export async function supersede(
  conversation: ConversationRow | null,
  workflow: string,
  asker: () => Promise<Asker>,
): Promise<void> {
  if (!conversation || !workflowNamed(workflow).exclusive) return;
  const { accountId, _id: conversationId } = conversation;
  await waitForBriefStep(conversation, workflow);
  const waiting = await Run.find({ accountId, conversationId, workflow, status: 'waiting' }).lean();
  if (waiting.length === 0) return;
  if (await Run.exists({ accountId, conversationId, workflow, status: 'ready' })) throw new AppError('run_in_progress');
  const by = await asker();
  for (const run of waiting) await makeWay(run, conversation, by);
}

/** Between a question and the save that its run waits, and between an answer and the run's end, nobody is refused. */
async function waitForBriefStep({ accountId, _id: conversationId }: ConversationRow, workflow: string): Promise<void> {
  const { steps } = workflowNamed(workflow);
  const brief = Object.keys(steps).filter((name) => steps[name]?.brief);
  const busy = await Run.findOne(
    { accountId, conversationId, workflow, status: 'ready', step: { $in: brief } },
    { _id: 1 },
  ).lean();
  if (busy) await waitForRun(busy._id, BRIEF_MS, RESTED);
}

async function makeWay(run: RunRow, conversation: ConversationRow, asker: Asker): Promise<void> {
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const question = await questionOf(run);
    if (question?.status === 'resolved') return waitForRecord(run, question);
    const confirmed = question?.status === 'pending' && requireWithdrawable(question, asker);
    const version = confirmed ? undefined : question?.draft?.version;
    if ((await withdraw(run, conversation, WITHDRAWN, version)) === 'withdrawn') return;
  }
  throw new AppError('conflict');
}

/** Lets a run that was answered end before the new one begins. */
async function waitForRecord(run: RunRow, answered: InterruptRow): Promise<void> {
  await continueRun(run._id, answered);
  if (!(await waitForRun(run._id, RECORDED_MILLISECONDS))) throw new AppError('run_in_progress');
}

/** Why a schedule begins nothing: it withdraws no open question, and asks none twice. */
export const waitsForAnswer = (interruptId: number): AppError =>
  new AppError('review_open', {
    text: `question ${interruptId} waits. Answer it first; then the next time can run.`,
  });

/**
 * @returns whether the asker named the question as the one to withdraw
 * @throws AppError review_open, review_not_yours
 */
function requireWithdrawable(question: InterruptRow, asker: Asker): boolean {
  const { _id, interruptType } = question;
  const named = kindOf(interruptType).hasDraft ? 'review' : 'question';
  if (asker === 'schedule') throw waitsForAnswer(_id);
  if (!asker.who || !mayAnswer(asker.who, question))
    throw new AppError('review_not_yours', {
      text: `A ${named} is open (question ${_id}), and a new analysis would withdraw it. Only a person who may answer it can do that: ask the owner or an approver.`,
    });
  if (asker.withdraws === _id) return true;
  const { decided, proposed } = countDecided(question);
  if (decided === 0) return false;
  throw new AppError(
    'review_open',
    {
      text: `${decided} of ${proposed} ${proposed === 1 ? 'proposal is' : 'proposals are'} decided in the open review. Complete it in the inbox, or say “${confirmationFor(_id)}”: what is decided on unchanged proposals is kept for the new review.`,
    },
    { standing: { interruptId: _id, decided, proposed } },
  );
}

/** The words by which a person confirms that an open question is withdrawn. */
export const confirmationFor = (interruptId: number) => `Start a new analysis and withdraw question ${interruptId}`;

/** How many rows people have decided on in an open review; what it began with does not count. */
function countDecided(question: InterruptRow): { decided: number; proposed: number } {
  const rows = rowsOf(question);
  const prefilled = new Set(rows.filter(({ earlier }) => earlier).map(({ id }) => id));
  const decided = (question.draft?.rows ?? []).filter(
    ({ id, outcome }) => !(outcome === 'rejected' && prefilled.has(id)),
  );
  return { decided: decided.length, proposed: rows.length };
}
