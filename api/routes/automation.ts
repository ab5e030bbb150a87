import type { Router } from 'express';
import { readTimeZone } from '../../bot/engine/accounts/timeZone.ts';
import { readTrial } from '../../bot/engine/accounts/trial.ts';
import { readHistory } from '../../bot/engine/automation/history.ts';
import { changeJob, createJob, deleteJob, findJobFor, listJobs } from '../../bot/engine/automation/jobs.ts';
import { startJobNow } from '../../bot/engine/automation/startDueJobs.ts';
import type { AutomationJobRow } from '../../models/automationJob.ts';
import * as contract from '../../models/contracts/automation.ts';
import type { Who } from '../../models/policies/who.ts';
import { bind } from '../middleware/bind.ts';
import { type JobSetting, presentAutomationJob } from '../present/automationJob.ts';

async function readSetting(accountId: number): Promise<JobSetting> {
  const [timeZone, trial] = await Promise.all([readTimeZone(accountId), readTrial(accountId)]);
  return { timeZone, isOver: trial.subscriptionStatus === 'expired' };
}

async function answer(who: Who, row: AutomationJobRow) {
  return { success: true as const, job: presentAutomationJob(row, who, await readSetting(who.accountId)) };
}

/** Scheduled work. */
export function automationRoutes(router: Router): void {
  bind(
    router,
    contract.listAutomationJobs,
    async ({ who }) => {
      const [rows, setting] = await Promise.all([listJobs(who.accountId), readSetting(who.accountId)]);
      return { jobs: rows.map((row) => presentAutomationJob(row, who, setting)) };
    },
    { topics: ['automation', 'account'] },
  );

  bind(router, contract.listScheduledRuns, async ({ who, params }) => ({
    runs: await readHistory(who, params.id),
  }));

  bind(router, contract.createAutomationJob, async ({ who, body }) => answer(who, await createJob(who, body)));

  bind(router, contract.changeAutomationJob, async ({ who, params, body }) => {
    const change = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    return answer(who, await changeJob(who, params.id, change));
  });

  bind(router, contract.runAutomationJob, async ({ who, params }) =>
    answer(who, await startJobNow(await findJobFor(who, params.id, 'schedule.run'))),
  );

  bind(router, contract.deleteAutomationJob, async ({ who, params }) => {
    await deleteJob(who, params.id);
    return { success: true as const };
  });
}
