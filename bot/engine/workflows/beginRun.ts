import { Run, type RunRow } from '../../../models/run.ts';
import { type NewRun, requireStartable, startRun } from './startRun.ts';
import { type Asker, supersede } from './supersede.ts';
import { workflowNamed } from './workflow.ts';

/**
 * Starts a run and withdraws the question of an earlier one it replaces. Nothing is withdrawn for a run that may not
 * start.
 * @param asker called only where something would be withdrawn
 * @throws AppError as {@link startRun} and {@link supersede} do
 */
export async function beginRun(it: NewRun, asker: () => Promise<Asker>): Promise<{ run: RunRow; created: boolean }> {
  if (!workflowNamed(it.workflow).exclusive) return startOnce(it);
  // A repeated start must not withdraw its own run's question.
  const run = await findStarted(it);
  if (run) return { run, created: false };
  await requireStartable(it);
  await supersede(it.conversation, it.workflow, asker);
  return startRun(it);
}

const findStarted = ({ userAgent: { accountId }, startKey }: NewRun) => Run.findOne({ accountId, startKey }).lean();

/** Starts a run that withdraws nothing. A repeated start is looked for only where it is refused: most are the first. */
async function startOnce(it: NewRun): Promise<{ run: RunRow; created: boolean }> {
  try {
    return await startRun(it);
  } catch (error) {
    const run = await findStarted(it);
    if (run) return { run, created: false };
    throw error;
  }
}
