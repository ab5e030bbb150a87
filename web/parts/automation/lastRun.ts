import type { AutomationJob } from '../../../models/contracts/automation.ts';
import { momentOf } from '../../data/words.ts';

/** Time and outcome of a job's last run, as one sentence; null if it has not run yet. */
export function lastRunText({
  lastRunAt,
  lastOutcome,
  timeZone,
}: Pick<AutomationJob, 'lastRunAt' | 'lastOutcome' | 'timeZone'>): string | null {
  if (!lastRunAt) return null;
  const outcome = lastOutcome ?? 'started';
  // Outcomes from the server are sentences that already end with a full stop.
  return `Last ${momentOf(lastRunAt, timeZone)}: ${outcome}${outcome.endsWith('.') ? '' : '.'}`;
}
