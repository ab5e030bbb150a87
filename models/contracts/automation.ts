import { z } from 'zod';
import { SCHEDULES } from './catalogue.ts';
import { endpoint, idParam, isoDate } from './endpoint.ts';
import { shownName } from './oneLine.ts';
import { SHOWN_RUN_STATUSES } from './runStatus.ts';

const automationAction = z.enum(SCHEDULES.map(({ action }) => action));

export const CRON_PRESETS = {
  daily: '0 9 * * *',
  weekly: '0 9 * * 1',
  monthly: '0 9 1 * *',
  quarterly: '0 9 1 */3 *',
} as const;
export const DEFAULT_CRON = CRON_PRESETS.weekly;

export const automationJob = z.object({
  id: z.number().int(),
  name: z.string(),
  action: z.string(),
  prompt: z.string(),
  cronExpression: z.string(),
  /** The time zone in which the expression is evaluated. */
  timeZone: z.string(),
  enabled: z.boolean(),
  /** Null while paused: switched off, or no active trial or plan. */
  nextRunAt: isoDate.nullable(),
  /** The next five times, the first of which is `nextRunAt`; none while paused. */
  nextRuns: z.array(isoDate),
  lastRunAt: isoDate.nullable(),
  /** How the last run started, or why it did not, as a sentence. */
  lastOutcome: z.string().nullable(),
  /** Whether the requesting user may change, run and delete it: its creator and the owner. */
  abilities: z.object({ change: z.boolean() }),
});
export type AutomationJob = z.infer<typeof automationJob>;

const scheduledRun = z.object({
  at: isoDate,
  status: z.enum(['not-started', ...SHOWN_RUN_STATUSES]),
  /** Why it was not started, or failed. */
  text: z.string().nullable(),
  /** Credits used. */
  credits: z.number().int(),
  /** Path of the page with its result; null without one. */
  result: z.string().nullable(),
  /** Path of its conversation; null for people who can't read it. */
  chat: z.string().nullable(),
});
export type ScheduledRun = z.infer<typeof scheduledRun>;

export const listScheduledRuns = endpoint({
  method: 'get',
  path: '/api/automation/jobs/:id/runs',
  summary: 'The last twenty starts of scheduled work with outcome and cost, newest first',
  policy: 'signed-in',
  params: z.object({ id: idParam }),
  answer: z.object({ runs: z.array(scheduledRun) }),
});

export const listAutomationJobs = endpoint({
  method: 'get',
  path: '/api/automation/jobs',
  summary: 'Scheduled work',
  policy: 'signed-in',
  answer: z.object({ jobs: z.array(automationJob) }),
});

export const createAutomationJob = endpoint({
  method: 'post',
  path: '/api/automation/jobs',
  summary: 'Schedule work, at most once an hour; the same work at the same times is refused',
  policy: 'signed-in',
  startsWork: true,
  body: z.object({
    name: shownName(200, 'Please enter a name.'),
    actionType: automationAction,
    prompt: z.string().trim().max(8000).default(''),
    cronExpression: z.string().trim().min(1, 'Invalid CRON expression').max(100),
    enabled: z.boolean().default(true),
  }),
  answer: z.object({ success: z.literal(true), job: automationJob }),
});

export const changeAutomationJob = endpoint({
  method: 'patch',
  path: '/api/automation/jobs/:id',
  summary: 'Pause, resume or change scheduled work',
  policy: 'signed-in',
  params: z.object({ id: idParam }),
  body: z.object({
    name: shownName(200, 'Please enter a name.').optional(),
    prompt: z.string().trim().max(8000).optional(),
    cronExpression: z.string().trim().min(1).max(100).optional(),
    enabled: z.boolean().optional(),
  }),
  answer: z.object({ success: z.literal(true), job: automationJob }),
});

export const runAutomationJob = endpoint({
  method: 'post',
  path: '/api/automation/jobs/:id/run',
  summary: 'Run scheduled work now',
  policy: 'signed-in',
  startsWork: true,
  params: z.object({ id: idParam }),
  answer: z.object({ success: z.literal(true), job: automationJob }),
});

export const deleteAutomationJob = endpoint({
  method: 'delete',
  path: '/api/automation/jobs/:id',
  summary: 'Remove scheduled work',
  policy: 'signed-in',
  params: z.object({ id: idParam }),
  answer: z.object({ success: z.literal(true) }),
});
