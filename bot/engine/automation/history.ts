import {
  AutomationJob,
  type AutomationJobRow,
  KEPT_STARTS,
  type ScheduledStart,
} from '../../../models/automationJob.ts';
import type { ScheduledRun } from '../../../models/contracts/automation.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import type { Who } from '../../../models/policies/who.ts';
import { Run, type RunRow, shownStatusOf } from '../../../models/run.ts';
import { agentForAction } from '../agents/registry.ts';

/** Stores a start with its job, once per key; only the newest starts are kept. */
export async function noteStart({ _id, accountId }: AutomationJobRow, start: ScheduledStart): Promise<void> {
  await AutomationJob.updateOne(
    { _id, accountId, 'starts.key': { $ne: start.key } },
    { $push: { starts: { $each: [start], $slice: -KEPT_STARTS } }, $set: { isUnsettled: true } },
  );
}

/** The runs that a job's kept starts began, by id. */
export async function runsOf({ accountId, starts = [] }: AutomationJobRow): Promise<Map<string, RunRow>> {
  const ids = starts.flatMap(({ runId }) => runId ?? []);
  const runs = await Run.find({ accountId, _id: { $in: ids } }).lean();
  return new Map(runs.map((run) => [String(run._id), run]));
}

/** The reason of a refused start without "Not run:", which is said beside it. */
export const reasonOf = (refused: string | null): string | null =>
  refused?.replace(/^Not run: (.)/, (_whole, first: string) => first.toUpperCase()) ?? null;

/**
 * The last starts of scheduled work with status, reason and credits, newest first. The link to the chat is only for the
 * person whose run it is.
 * @throws AppError not_found
 */
export async function readHistory(who: Who, jobId: number): Promise<ScheduledRun[]> {
  const { accountId } = who;
  const job = await AutomationJob.findOne({ _id: jobId, accountId }).lean();
  if (!job) throw new AppError('not_found');
  const runs = await runsOf(job);
  const agent = agentForAction(job.action);
  const pages = await agent?.agent.workPages?.(
    accountId,
    [...runs.values()].map(({ _id }) => _id),
  );
  return (job.starts ?? []).toReversed().map(({ at, runId, refused }): ScheduledRun => {
    const run = runs.get(String(runId));
    return {
      at: at.toISOString(),
      status: run ? shownStatusOf(run.status) : 'not-started',
      text: run ? run.error : reasonOf(refused),
      credits: run?.spent ?? 0,
      result: pages?.get(String(runId)) ?? null,
      chat: run?.conversationId && who.userId === run.userId ? `/arc-chat?conversation=${run.conversationId}` : null,
    };
  });
}
