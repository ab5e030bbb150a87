import type { Types } from 'mongoose';
import { AutomationJob, type AutomationJobRow } from '../../../models/automationJob.ts';
import { AppError, type ErrorCode } from '../../../models/contracts/errors.ts';
import { logger } from '../../../models/logger.ts';
import type { Who } from '../../../models/policies/who.ts';
import { Run } from '../../../models/run.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { changing } from '../../../models/store/revisions.ts';
import { UserAgent } from '../../../models/userAgent.ts';
import { identify } from '../accounts/identify.ts';
import { readTimeZone } from '../accounts/timeZone.ts';
import { agentForAction } from '../agents/registry.ts';
import { SCHEDULE_KEY } from '../audit/surfaceOfRun.ts';
import { openChat } from '../conversations/threads.ts';
import { startWork } from '../turns/startWork.ts';
import { waitsForAnswer } from '../workflows/supersede.ts';
import { questionOf } from '../workflows/withdraw.ts';
import { noteStart } from './history.ts';
import { nextRunIfAny } from './schedule.ts';

/**
 * Starts every due job, each scheduled time once.
 * @returns the number of jobs started
 */
export async function startDueJobs(now = new Date()): Promise<number> {
  const due = await dangerouslyRunInEveryAccount(() =>
    AutomationJob.find({ enabled: true, nextRunAt: { $lte: now } })
      .limit(200)
      .lean(),
  );
  let started = 0;
  for (const row of due) {
    await runInAccount(row.accountId, async () => {
      if (await startIfFirst(row, now)) started += 1;
    }).catch((error: unknown) =>
      logger.error({ err: error, job: row._id }, 'scheduled work failed to start; it is retried'),
    );
  }
  return started;
}

const UNREADABLE = 'Not run: the times of this schedule can’t be read any more. Choose them again.';

/**
 * Advances a job to its next time, which also claims it, and starts it.
 * @returns false where another process claimed it, or there is no next time
 */
async function startIfFirst(row: AutomationJobRow, now: Date): Promise<boolean> {
  const { _id, accountId, nextRunAt: due } = row;
  const nextRunAt = nextRunIfAny(row.cronExpression, await readTimeZone(accountId), now);
  const change = nextRunAt ? { nextRunAt } : { nextRunAt, lastOutcome: UNREADABLE };
  const claim = () => AutomationJob.updateOne({ _id, nextRunAt: due }, { $set: change });
  const claimed = await (nextRunAt ? claim() : changing(accountId, ['automation'], claim));
  if (claimed.modifiedCount !== 1 || !nextRunAt) return false;
  await startJob(row, `${due?.getTime()}`);
  return true;
}

/**
 * Starts one job as its creator, and saves the outcome as a sentence. A refusal (no credits, no plan, no log) is saved
 * too; the job runs again at its next time.
 */
export async function startJob(row: AutomationJobRow, time: string): Promise<AutomationJobRow> {
  const started = await attempt(row, time).catch((error: unknown): Attempt => {
    if (error instanceof AppError) return refusal(`Not run: ${error.message}`, !PASSING.has(error.code));
    logger.error({ err: error, job: row._id }, 'scheduled work could not be started');
    return refusal('Not run: something went wrong on our side. It runs again at its next time.');
  });
  const change = { lastRunAt: new Date(), lastOutcome: started.outcome };
  await noteStart(row, {
    key: time,
    at: change.lastRunAt,
    runId: started.runId,
    refused: started.runId ? null : started.outcome,
    isFailure: started.isFailure,
  });
  await changing(row.accountId, ['automation'], () => AutomationJob.updateOne({ _id: row._id }, { $set: change }));
  return { ...row, ...change };
}

/** The outcome of one start: a run, or the reason why there is none. */
type Attempt = { outcome: string; runId: Types.ObjectId | null; isFailure: boolean };

const refusal = (outcome: string, isFailure = true): Attempt => ({ outcome, runId: null, isFailure });

/** Refusals that end by themselves or that the company already knows of; they do not count as failures. */
const PASSING = new Set<ErrorCode>(['not_available', 'review_open', 'trial_over']);

/** Starts one job by hand. Several requests at once start one run. */
export const startJobNow = (row: AutomationJobRow): Promise<AutomationJobRow> =>
  // The key changes with the last start: a request that has not seen it yet finds the run that it started.
  startJob(row, `after-${row.lastRunAt?.getTime() ?? 0}`);

/** Prefix of the start keys of a job's runs. */
const startedBy = ({ _id }: AutomationJobRow) => `${SCHEDULE_KEY}${_id}:`;

const STILL_RUNNING = 'Its last work is still running. It is started again at its next time.';

/**
 * A job whose earlier run is executing or waits for an answer is not started again.
 * @throws AppError not_available, review_open
 */
async function requireEarlierOver(row: AutomationJobRow, startKey: string): Promise<void> {
  const earlier = await Run.findOne({
    accountId: row.accountId,
    startKey: { $gte: startedBy(row), $lt: `${SCHEDULE_KEY}${row._id};`, $ne: startKey },
    status: { $in: ['ready', 'waiting'] },
  }).lean();
  if (earlier?.status === 'ready') throw new AppError('not_available', { text: STILL_RUNNING });
  const question = earlier && (await questionOf(earlier));
  if (question?.status === 'pending') throw waitsForAnswer(question._id);
}

async function attempt(row: AutomationJobRow, time: string): Promise<Attempt> {
  const { accountId, userId } = row;
  const who: Who | null = await identify(userId, accountId, Date.now());
  if (!who) return refusal('Not run: the person who scheduled it is no longer a member of this account.');
  const does = agentForAction(row.action);
  const agentId = does?.agent.id ?? null;
  const userAgent = await UserAgent.findOne({ accountId, agentId }).lean();
  if (!does || userAgent?.status !== 'onboarded') throw new AppError('agent_not_ready');
  const conversation = await openChat({ accountId, userId });
  const startKey = `${startedBy(row)}${time}`;
  await requireEarlierOver(row, startKey);
  const route = await does.begin({ text: row.prompt, conversation, userAgent });
  const goal = row.prompt || row.name;
  const run = await startWork(who, userAgent, startKey, { ...route, goal }, 'schedule');
  const outcome = `Started as work ${run.workspaceId}; its result is in the chat.`;
  return { outcome, runId: run._id, isFailure: false };
}
