import { AutomationJob, type AutomationJobRow } from '../../../models/automationJob.ts';
import type { AutomationAction } from '../../../models/contracts/automation.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { nextId } from '../../../models/counter.ts';
import type { Who } from '../../../models/policies/who.ts';
import { changing } from '../../../models/store/revisions.ts';
import { readTimeZone } from '../accounts/timeZone.ts';
import { requireActivePlan } from '../accounts/trial.ts';
import { nextRun } from './schedule.ts';

/** What can't be scheduled yet, and why; what is missing here can be. */
const NOT_YET: Partial<Record<AutomationAction, string>> = {
  cscr_generation:
    'Writing a clinical safety case report is not available in this version, so it can’t be scheduled. The hazard log analysis can.',
  mdr_technical_file:
    'Writing a technical file is not available in this version, so it can’t be scheduled. The hazard log analysis can.',
};

/** Scheduled work of the account, oldest first. */
export const listJobs = (accountId: number) =>
  AutomationJob.find({ accountId }).sort({ _id: 1 }).lean() as Promise<AutomationJobRow[]>;

/** Schedules work. @throws AppError not_available, bad_request */
export async function createJob(
  who: Who,
  it: { name: string; actionType: AutomationAction; prompt: string; cronExpression: string; enabled: boolean },
): Promise<AutomationJobRow> {
  const { accountId, userId } = who;
  const missing = NOT_YET[it.actionType];
  if (missing) throw new AppError('not_available', { text: missing });
  const row: AutomationJobRow = {
    _id: await nextId('automationJob'),
    accountId,
    userId,
    name: it.name,
    action: it.actionType,
    prompt: it.prompt,
    cronExpression: it.cronExpression,
    enabled: it.enabled,
    nextRunAt: nextRun(it.cronExpression, await readTimeZone(accountId)),
    lastRunAt: null,
    lastOutcome: null,
    createdAt: new Date(),
  };
  await changing(accountId, ['automation'], () => AutomationJob.create(row));
  return row;
}

/**
 * Changes scheduled work; a new expression or a resume is counted from now. To resume needs a trial or a plan.
 * @throws AppError not_found, bad_request, trial_over
 */
export async function changeJob(
  accountId: number,
  _id: number,
  change: Partial<Pick<AutomationJobRow, 'name' | 'prompt' | 'cronExpression' | 'enabled'>>,
): Promise<AutomationJobRow> {
  const standing = await findJob(accountId, _id);
  if (change.enabled) await requireActivePlan(accountId);
  const cronExpression = change.cronExpression ?? standing.cronExpression;
  const nextRunAt = nextRun(cronExpression, await readTimeZone(accountId));
  await changing(accountId, ['automation'], () =>
    AutomationJob.updateOne({ _id, accountId }, { $set: { ...change, nextRunAt } }),
  );
  return findJob(accountId, _id);
}

/** @throws AppError not_found */
export async function findJob(accountId: number, _id: number): Promise<AutomationJobRow> {
  const row = (await AutomationJob.findOne({ _id, accountId }).lean()) as AutomationJobRow | null;
  if (!row) throw new AppError('not_found');
  return row;
}

/** @throws AppError not_found */
export async function deleteJob(accountId: number, _id: number): Promise<void> {
  const { deletedCount } = await changing(accountId, ['automation'], () => AutomationJob.deleteOne({ _id, accountId }));
  if (deletedCount !== 1) throw new AppError('not_found');
}
