import type { AutomationJob } from '../../../models/contracts/automation.ts';
import { momentOf } from '../../data/words.ts';

/** When a job last ran and what came of it, as one sentence; null where it has not run yet. */
export function lastRunText({
  lastRunAt,
  lastOutcome,
  timeZone,
}: Pick<AutomationJob, 'lastRunAt' | 'lastOutcome' | 'timeZone'>): string | null {
  if (!lastRunAt) return null;
  const outcome = lastOutcome ?? 'started';
  // The server's outcomes are sentences and end with a full stop of their own.
  return `Last ${momentOf(lastRunAt, timeZone)}: ${outcome}${outcome.endsWith('.') ? '' : '.'}`;
}
