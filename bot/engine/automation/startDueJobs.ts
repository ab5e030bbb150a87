import type { Types } from 'mongoose';
import { AutomationJob, type AutomationJobRow } from '../../../models/automationJob.ts';
import { AppError, type ErrorCode } from '../../../models/contracts/errors.ts';
import { env } from '../../../models/env.ts';
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

/** A process that has not started a job in this time has ended or hangs; another one starts it. */
const START_LEASE_MS = 60_000 * env.PATIENCE_FACTOR;
/** Jobs read at once. */
const BATCH = 200;

/** Jobs that no process is starting. */
const unclaimed = () => ({ $or: [{ startingUntil: null }, { startingUntil: { $lte: new Date() } }] });

const readDue = (now: Date, seen: readonly number[]): Promise<AutomationJobRow[]> =>
  dangerouslyRunInEveryAccount(() =>
    AutomationJob.find({ _id: { $nin: seen }, enabled: true, nextRunAt: { $lte: now }, ...unclaimed() })
      .sort({ nextRunAt: 1 })
      .limit(BATCH)
      .lean(),
  );

/**
 * Starts every due job, each scheduled time once, whichever processes do this and end meanwhile.
 * @returns the number of jobs started
 */
export async function startDueJobs(now = new Date()): Promise<number> {
  let started = 0;
  const seen: number[] = [];
  for (;;) {
    const due = await readDue(now, seen);
    if (due.length === 0) return started;
    for (const row of due) {
      seen.push(row._id);
      await runInAccount(row.accountId, async () => {
        if (await startIfFirst(row, now)) started += 1;
      }).catch((error: unknown) =>
        logger.error({ err: error, job: row._id }, 'scheduled work failed to start; it is retried'),
      );
    }
  }
}

const UNREADABLE = 'Not run: the times of this schedule can’t be read any more. Choose them again.';

/**
 * Claims a job's due time, starts it, and advances the job to its next time.
 * @returns false where another process claimed it, or there is no next time
 */
async function startIfFirst(row: AutomationJobRow, now: Date): Promise<boolean> {
  const { _id, accountId, nextRunAt: due } = row;
  const claimed = await AutomationJob.updateOne(
    { _id, nextRunAt: due, ...unclaimed() },
    { $set: { startingUntil: new Date(Date.now() + START_LEASE_MS) } },
  );
  if (claimed.modifiedCount !== 1) return false;
  const nextRunAt = nextRunIfAny(row.cronExpression, await readTimeZone(accountId), now);
  if (nextRunAt) await startJob(row, `${due?.getTime()}`, nextRunAt);
  else await changing(accountId, ['automation'], () => advance(row, null, { lastOutcome: UNREADABLE }));
  return nextRunAt !== null;
}

/** Ends the claim of a job with its next time, unless somebody has changed its times meanwhile. */
async function advance(
  row: AutomationJobRow,
  nextRunAt: Date | null,
  change: Partial<AutomationJobRow>,
): Promise<void> {
  const { _id, nextRunAt: due } = row;
  const $unset = { startingUntil: 1 } as const;
  const advanced = await AutomationJob.updateOne({ _id, nextRunAt: due }, { $set: { ...change, nextRunAt }, $unset });
  if (advanced.matchedCount === 0) await AutomationJob.updateOne({ _id }, { $set: change, $unset });
}

/**
 * Starts one job as its creator, and saves the outcome as a sentence. A refusal (no credits, no plan, no log) is saved
 * too; the job runs again at its next time.
 * @param time names the start: one run comes of it, however often it is tried
 * @param nextRunAt given where its due time is started
 */
export async function startJob(row: AutomationJobRow, time: string, nextRunAt?: Date): Promise<AutomationJobRow> {
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
  await changing(row.accountId, ['automation'], async () => {
    if (nextRunAt) await advance(row, nextRunAt, change);
    else await AutomationJob.updateOne({ _id: row._id }, { $set: change });
  });
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
