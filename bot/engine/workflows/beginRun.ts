import { Run, type RunRow } from '../../../models/run.ts';
import { type NewRun, requireStartable, startRun } from './startRun.ts';
import { type Asker, supersede } from './supersede.ts';

/**
 * Starts a run and withdraws the question of an earlier one it replaces. Nothing is withdrawn for a run that may not
 * start.
 * @param asker called only where something would be withdrawn
 * @throws AppError as {@link startRun} and {@link supersede} do
 */
export async function beginRun(it: NewRun, asker: () => Promise<Asker>): Promise<{ run: RunRow; created: boolean }> {
  // A repeated start must not withdraw its own run's question.
  const run = await Run.findOne({ accountId: it.userAgent.accountId, startKey: it.startKey }).lean();
  if (run) return { run, created: false };
  await requireStartable(it);
  await supersede(it.conversation, it.workflow, asker);
  return startRun(it);
}
