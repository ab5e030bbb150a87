import { AppError } from '../../../models/contracts/errors.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { cancelRun } from './cancelRun.ts';

/**
 * Withdraws an open question that an agent's work waits for, and ends that work.
 * @returns the question as it stands then
 * @throws AppError not_found, not_available for a closed question and for one of a program, which withdraws its own;
 * and as cancelling that work
 */
export async function withdrawWork(who: Who, interruptId: number): Promise<InterruptRow> {
  const read = () => Interrupt.findOne({ _id: interruptId, accountId: who.accountId }).lean();
  const row = await read();
  if (!row) throw new AppError('not_found');
  if (row.status !== 'pending') throw new AppError('not_available', { text: `Question ${interruptId} is closed.` });
  if (!row.runId)
    throw new AppError('not_available', {
      text: `Question ${interruptId} is asked by ${row.outside?.name ?? 'a program'}, which alone can withdraw it.`,
    });
  await cancelRun(who, row.runId);
  return requireRow(await read());
}
