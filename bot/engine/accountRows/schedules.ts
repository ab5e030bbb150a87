import type { AutomationJobRow } from '../../../models/automationJob.ts';
import { findSchedule } from '../../../models/contracts/catalogue.ts';
import { momentText } from '../../../models/contracts/zonedText.ts';
import { readTimeZone } from '../accounts/timeZone.ts';
import { listJobs } from '../automation/jobs.ts';
import type { Entity, Nouns } from '../queries/entity.ts';
import { stateField } from '../queries/flagField.ts';
import { namedField } from '../queries/namedField.ts';

export const SCHEDULES: Nouns = {
  one: 'schedule',
  many: 'schedules',
  names: [
    'scheduled task',
    'scheduled tasks',
    'scheduled job',
    'scheduled jobs',
    'automation',
    'automations',
    'scheduled run',
    'scheduled runs',
    'scheduled check',
    'scheduled checks',
    'scheduled thing',
    'scheduled things',
    'recurring job',
    'recurring jobs',
    'recurring task',
    'recurring tasks',
    'recurring check',
    'recurring checks',
    'timer',
    'timers',
  ],
};

/** An account's scheduled work. */
export async function schedules(accountId: number): Promise<Entity<AutomationJobRow>> {
  const [rows, timeZone] = await Promise.all([listJobs(accountId), readTimeZone(accountId)]);
  return {
    id: 'schedules',
    ...SCHEDULES,
    rows,
    fields: [
      stateField(
        'on',
        'on, active, enabled, switched on, running, turned on, live, working, in use, activated',
        ({ enabled }) => enabled,
        {
          opposite:
            'off, disabled, paused, switched off, turned off, inactive, deactivated, stopped, suspended, on hold, not running, dormant',
        },
      ),
      namedField(
        { id: 'work', names: ['work', 'kind', 'type'], noun: 'kind of work' },
        ({ action }) => findSchedule(action)?.label ?? action,
      ),
      namedField(
        { id: 'outcome', names: ['outcome', 'last outcome'], noun: 'outcome' },
        ({ lastOutcome }) => lastOutcome,
      ),
    ],
    outside: ({ name }) => [name],
    line: ({ name, enabled, nextRunAt }) =>
      `${name} (${enabled && nextRunAt ? `next on ${momentText(nextRunAt, timeZone)}` : 'switched off'})`,
  };
}
