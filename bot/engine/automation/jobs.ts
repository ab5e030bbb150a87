import { createHash } from 'node:crypto';
import { AutomationJob, type AutomationJobRow } from '../../../models/automationJob.ts';
import { findSchedule, SCHEDULES } from '../../../models/contracts/catalogue.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { nextId } from '../../../models/counter.ts';
import { type Action, may } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { isDuplicateKey } from '../../../models/store/duplicate.ts';
import { changing } from '../../../models/store/revisions.ts';
import { readTimeZone } from '../accounts/timeZone.ts';
import { requireActivePlan } from '../accounts/trial.ts';
import { canonicalSchedule, nextRun, nextRunIfAny } from './schedule.ts';

/** The schedulable work of this version, for refusals. */
const OFFERED = SCHEDULES.filter(({ status }) => status === 'working')
  .map(({ label }) => `“${label}”`)
  .join(', ');

/** Scheduled work of the account, oldest first. */
export const listJobs = (accountId: number) => AutomationJob.find({ accountId }).sort({ _id: 1 }).lean();

type What = Pick<AutomationJobRow, 'action' | 'prompt' | 'cronExpression'>;

/** @throws AppError bad_request */
const digestOfWork = ({ action, prompt, cronExpression }: What): string =>
  createHash('sha256')
    .update(JSON.stringify([action, prompt, canonicalSchedule(cronExpression)]))
    .digest('hex');

/**
 * Writes a job.
 * @throws AppError already_scheduled where another job does the same
 */
async function writeJob(accountId: number, sameAs: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await changing(accountId, ['automation'], write);
  } catch (error) {
    if (!isDuplicateKey(error, 'sameAs')) throw error;
    const standing = await AutomationJob.findOne({ accountId, sameAs }).lean();
    throw new AppError('already_scheduled', { name: standing?.name ?? '' });
  }
}

/** @throws AppError bad_request where the work needs a prompt and there is none */
function requireWords(action: string, prompt: string): void {
  const needs = findSchedule(action)?.needs;
  if (needs && !prompt)
    throw new AppError('bad_request', {}, { fields: { prompt: `Say what it is to do, e.g. “${needs.example}”.` } });
}

/** Schedules work. @throws AppError not_allowed, in_preparation, bad_request, already_scheduled */
export async function createJob(
  who: Who,
  it: { name: string; actionType: string; prompt: string; cronExpression: string; enabled: boolean },
): Promise<AutomationJobRow> {
  const { accountId, userId } = who;
  if (!may(who, 'schedule.create')) throw new AppError('not_allowed');
  const work = findSchedule(it.actionType);
  if (work?.status !== 'working')
    throw new AppError('in_preparation', {
      what: work?.doing ?? it.actionType,
      instead: `${OFFERED} can be scheduled.`,
    });
  requireWords(it.actionType, it.prompt);
  const sameAs = digestOfWork({ ...it, action: it.actionType });
  const row: AutomationJobRow = {
    _id: await nextId('automationJob'),
    accountId,
    userId,
    name: it.name,
    action: it.actionType,
    prompt: it.prompt,
    cronExpression: it.cronExpression,
    sameAs,
    enabled: it.enabled,
    nextRunAt: nextRun(it.cronExpression, await readTimeZone(accountId)),
    lastRunAt: null,
    lastOutcome: null,
    createdAt: new Date(),
  };
  await writeJob(accountId, sameAs, () => AutomationJob.create(row));
  return row;
}

/**
 * Changes scheduled work; the next run is computed from now. Resuming requires an active trial or plan.
 * @throws AppError not_found, not_allowed, bad_request, already_scheduled, trial_over
 */
export async function changeJob(
  who: Who,
  _id: number,
  change: Partial<Pick<AutomationJobRow, 'name' | 'prompt' | 'cronExpression' | 'enabled'>>,
): Promise<AutomationJobRow> {
  const { accountId } = who;
  const standing = await findJobFor(who, _id, 'schedule.change');
  if (change.enabled) await requireActivePlan(accountId);
  const changed = { ...standing, ...change };
  const nextRunAt = nextRun(changed.cronExpression, await readTimeZone(accountId));
  if (change.prompt !== undefined) requireWords(standing.action, change.prompt);
  // Jobs created under earlier rules can still be paused, resumed and renamed.
  const isOther = change.cronExpression !== undefined || change.prompt !== undefined;
  const sameAs = isOther ? digestOfWork(changed) : standing.sameAs;
  const resumed = change.enabled && !standing.enabled ? { resumedAt: new Date() } : {};
  await writeJob(accountId, sameAs ?? '', () =>
    AutomationJob.updateOne(
      { _id, accountId },
      { $set: { ...change, ...resumed, nextRunAt, ...(sameAs === undefined ? {} : { sameAs }) } },
    ),
  );
  return findJob(accountId, _id);
}

/** Recomputes future runs after a change of the account's time zone. Runs that are already due stay due. */
export async function recomputeNextRuns(accountId: number, now = new Date()): Promise<void> {
  const timeZone = await readTimeZone(accountId);
  const coming = await AutomationJob.find({ accountId, nextRunAt: { $gt: now } }).lean();
  await changing(accountId, ['automation'], () =>
    Promise.all(
      coming.map(({ _id, nextRunAt, cronExpression }) => {
        const counted = nextRunIfAny(cronExpression, timeZone, now) ?? nextRunAt;
        return AutomationJob.updateOne({ _id, accountId, nextRunAt, cronExpression }, { $set: { nextRunAt: counted } });
      }),
    ),
  );
}

/** @throws AppError not_found */
async function findJob(accountId: number, _id: number): Promise<AutomationJobRow> {
  const row = await AutomationJob.findOne({ _id, accountId }).lean();
  if (!row) throw new AppError('not_found');
  return row;
}

/**
 * A job, checked for an action on it.
 * @throws AppError not_found, not_allowed
 */
export async function findJobFor(who: Who, _id: number, action: Action): Promise<AutomationJobRow> {
  const row = await findJob(who.accountId, _id);
  if (!may(who, action, row)) throw new AppError('not_allowed');
  return row;
}

/** @throws AppError not_found, not_allowed */
export async function deleteJob(who: Who, _id: number): Promise<void> {
  const { accountId } = await findJobFor(who, _id, 'schedule.delete');
  const { deletedCount } = await changing(accountId, ['automation'], () => AutomationJob.deleteOne({ _id, accountId }));
  if (deletedCount !== 1) throw new AppError('not_found');
}
