import { z } from 'zod';
import { AppError } from '../../../../models/contracts/errors.ts';
import { identify } from '../../../engine/accounts/identify.ts';
import { createJob } from '../../../engine/automation/jobs.ts';
import { defineTool } from '../../../engine/thinking/tool.ts';

/** Schedules the analysis of the log. The same schedule is not made twice, so a repeat after a crash changes nothing. */
export const scheduleAnalysis = defineTool({
  name: 'schedule_analysis',
  description:
    'Schedules a regular analysis of the hazard log. `cronExpression` has five fields in the company’s time zone: “0 9 * * 1” is Mondays at 9.',
  input: z.object({ name: z.string().min(1).max(80), cronExpression: z.string().min(9).max(40) }),
  label: 'Schedule an analysis of the hazard log',
  argumentLabels: { name: 'Name of the schedule', cronExpression: 'When (cron expression)' },
  effect: 'writes',
  async run({ name, cronExpression }, { accountId, userId }) {
    const who = userId === null ? null : await identify(userId, accountId, Date.now());
    if (!who) throw new AppError('not_allowed');
    const what = { actionType: 'hazard_log_analysis', prompt: '', enabled: true };
    try {
      await createJob(who, { ...what, name, cronExpression });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'already_scheduled') throw error;
      return { text: 'An analysis is scheduled at these times.' };
    }
    return { text: `The schedule “${name}” is made: ${cronExpression}.` };
  },
});
