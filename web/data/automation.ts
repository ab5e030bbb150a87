import { mutate } from 'swr';
import {
  type AutomationJob,
  changeAutomationJob,
  createAutomationJob,
  deleteAutomationJob,
  listAutomationJobs,
  listScheduledRuns,
  runAutomationJob,
} from '../../models/contracts/automation.ts';
import { POLLS } from '../../models/contracts/limits.ts';
import { call, urlOf } from './call.ts';
import { useCall } from './useCall.ts';

/** Scheduled jobs of the account. */
export function useJobs() {
  return useCall(listAutomationJobs, {}, { poll: POLLS.jobs });
}

/** The last runs of a job with their outcomes; polled while they are shown. */
export const useScheduledRuns = (id: number) => useCall(listScheduledRuns, { params: { id } }, { poll: POLLS.jobs });

const refreshJobs = () => mutate(urlOf(listAutomationJobs));

/** Schedules a job; enabled unless told otherwise. */
export async function createJob(job: {
  name: string;
  actionType: string;
  prompt: string;
  cronExpression: string;
  enabled?: boolean;
}): Promise<AutomationJob> {
  const answer = await call(createAutomationJob, { body: { enabled: true, ...job } });
  await refreshJobs();
  return answer.job;
}

/** Pauses or resumes a job. */
export async function setJobEnabled(id: number, enabled: boolean): Promise<void> {
  await call(changeAutomationJob, { params: { id }, body: { enabled } });
  await refreshJobs();
}

/** Runs a job now. */
export async function runJob(id: number): Promise<AutomationJob> {
  const answer = await call(runAutomationJob, { params: { id } });
  await Promise.all([refreshJobs(), mutate(urlOf(listScheduledRuns, { params: { id } }))]);
  return answer.job;
}

/** Removes a job. */
export async function removeJob(id: number): Promise<void> {
  await call(deleteAutomationJob, { params: { id } });
  await refreshJobs();
}
