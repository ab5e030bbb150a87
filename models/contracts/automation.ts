import { z } from 'zod';
import { SCHEDULES } from './catalogue.ts';
import { endpoint, idParam, isoDate } from './endpoint.ts';

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
  lastRunAt: isoDate.nullable(),
  /** How the last run started, or why it did not, as a sentence. */
  lastOutcome: z.string().nullable(),
  /** Whether the requesting user may change, run and delete it: its creator and the owner. */
  abilities: z.object({ change: z.boolean() }),
});
export type AutomationJob = z.infer<typeof automationJob>;

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
    name: z.string().trim().min(1, 'Please enter a name.').max(200),
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
    name: z.string().trim().min(1).max(200).optional(),
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
