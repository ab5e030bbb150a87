import { nextRuns } from '../../bot/engine/automation/schedule.ts';
import type { AutomationJobRow } from '../../models/automationJob.ts';
import type { AutomationJob } from '../../models/contracts/automation.ts';
import { may } from '../../models/policies/actions.ts';
import type { Who } from '../../models/policies/who.ts';

/** What all jobs of an account depend on: its time zone, and whether trial or plan are over, which pauses them. */
export type JobSetting = { timeZone: string; isOver: boolean };

/** Scheduled work as one viewer sees it. */
export const presentAutomationJob = (
  row: AutomationJobRow,
  who: Who,
  { timeZone, isOver }: JobSetting,
): AutomationJob => ({
  id: row._id,
  name: row.name,
  action: row.action,
  prompt: row.prompt,
  cronExpression: row.cronExpression,
  timeZone,
  enabled: row.enabled,
  nextRunAt: row.enabled && !isOver ? (row.nextRunAt?.toISOString() ?? null) : null,
  nextRuns: row.enabled && !isOver ? upcoming(row, timeZone) : [],
  lastRunAt: row.lastRunAt?.toISOString() ?? null,
  lastOutcome: row.lastOutcome,
  abilities: { change: may(who, 'schedule.change', row) },
});

const SHOWN_TIMES = 5;

/** The stored next time, which may be due, and the times after it. */
function upcoming({ nextRunAt, cronExpression }: AutomationJobRow, timeZone: string): string[] {
  if (!nextRunAt) return [];
  return [nextRunAt, ...nextRuns(cronExpression, timeZone, SHOWN_TIMES - 1, nextRunAt)].map((at) => at.toISOString());
}
