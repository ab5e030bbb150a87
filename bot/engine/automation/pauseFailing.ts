import { AutomationJob, type AutomationJobRow, type ScheduledStart } from '../../../models/automationJob.ts';
import { logger } from '../../../models/logger.ts';
import { Member } from '../../../models/member.ts';
import type { RunRow } from '../../../models/run.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { changing } from '../../../models/store/revisions.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { openChat } from '../conversations/threads.ts';
import { mailMember } from '../delivery/deliverMail.ts';
import { say } from '../delivery/say.ts';
import { reasonOf, runsOf } from './history.ts';

/** Scheduled work is paused after this many failures in a row, because each may cost credits unnoticed. */
const MAX_FAILURES = 5;

/**
 * Reviews scheduled work whose newest start has ended: mails the first failure, and pauses the work after
 * {@link MAX_FAILURES} in a row. The person who scheduled it is told of each once.
 */
export async function reviewSchedules(): Promise<void> {
  const unsettled = await dangerouslyRunInEveryAccount(() =>
    AutomationJob.find({ isUnsettled: true }).sort({ _id: 1 }).limit(200).lean(),
  );
  for (const row of unsettled) {
    await runInAccount(row.accountId, () => review(row)).catch((error: unknown) =>
      logger.error(
        { err: error, job: row._id },
        'scheduled work could not be reviewed; the next run of the job retries',
      ),
    );
  }
}

async function review(row: AutomationJobRow): Promise<void> {
  const { _id, accountId, starts = [] } = row;
  const newest = starts.at(-1);
  if (!newest) return;
  const runs = await runsOf(row);
  const run = runs.get(String(newest.runId));
  if (run && (run.status === 'ready' || run.status === 'waiting')) return;
  const failed = failuresInARow(row, runs);
  const first = failed.at(0);
  if (first) {
    const reason = run?.error ?? reasonOf(newest.refused) ?? 'It failed.';
    if (failed.length >= MAX_FAILURES && row.enabled) await pause(row, newest.key, failed.length, reason);
    else if (failed.length < MAX_FAILURES) await mailTo(row, `failed:${first.key}`, 0);
  }
  // Last, and only if no further start came: after a crash in between, the keys drop effects that were already written.
  await AutomationJob.updateOne(
    { _id, accountId, 'starts.key': newest.key, lastRunAt: row.lastRunAt },
    { $set: { isUnsettled: false } },
  );
}

/** The failures in a row at the end of a job's starts since it was last switched on, oldest first. */
function failuresInARow(
  { starts = [], resumedAt }: AutomationJobRow,
  runs: ReadonlyMap<string, RunRow>,
): ScheduledStart[] {
  const counted = starts.filter(
    ({ at, runId, isFailure }) => at > (resumedAt ?? new Date(0)) && (runId !== null || isFailure),
  );
  const isFailed = ({ runId }: ScheduledStart) => runId === null || runs.get(String(runId))?.status === 'failed';
  return counted.slice(counted.findLastIndex((start) => !isFailed(start)) + 1);
}

async function pause(row: AutomationJobRow, key: string, failures: number, reason: string): Promise<void> {
  const { _id, accountId, userId, name } = row;
  const lastOutcome = `Paused after ${failures} failures in a row. The last reason: ${reason}`;
  await recordEvent(accountId, 'schedule.paused', {
    userId: null,
    surface: 'schedule',
    subject: `schedule:${_id}`,
    outcome: `after ${failures} failures`,
    key: `${_id}:${key}`,
  });
  await changing(accountId, ['automation'], () =>
    AutomationJob.updateOne(
      { _id, accountId, enabled: true },
      { $set: { enabled: false, nextRunAt: null, lastOutcome } },
    ),
  );
  if (await Member.exists({ accountId, userId })) {
    const text = `I have paused the schedule “${name}” after ${failures} failures in a row. The last reason: ${reason} Switch it on again under “Stay compliant in future”.`;
    const chat = await openChat({ accountId, userId });
    await say(chat, { key: `schedule:${_id}:paused:${key}`, messageType: 'system', kind: 'text', text });
  }
  await mailTo(row, `paused:${key}`, failures);
}

/** Mails the person who scheduled the work, or the owners if that person has left. */
async function mailTo(
  { _id, accountId, userId, name }: AutomationJobRow,
  key: string,
  failures: number,
): Promise<void> {
  const creator = await Member.find({ accountId, userId }, { userId: 1 }).lean();
  const readers = creator.length > 0 ? creator : await Member.find({ accountId, roles: 'owner' }, { userId: 1 }).lean();
  for (const reader of readers)
    await mailMember({ accountId, userId: reader.userId }, `schedule:${_id}:${key}`, 'scheduleFailed', {
      name,
      failures,
    });
}
