import { Types } from 'mongoose';
import { Run, type RunRow } from '../../models/run.ts';
import { dangerouslyRunInEveryAccount } from '../../models/store/context.ts';
import { requireRow } from '../../models/store/requireRow.ts';
import { nextNumber } from './who.ts';

/** A run that is ready and not yet claimed. */
export const makeRun = (more: Partial<RunRow> = {}): RunRow => ({
  _id: new Types.ObjectId(),
  accountId: 1,
  workflow: 'general-answer',
  userAgentId: 5,
  agentId: 'clinical_safety',
  conversationId: null,
  userId: 7,
  startKey: String(nextNumber()),
  workspaceId: null,
  exclusive: null,
  goal: 'Try',
  channel: 'slack',
  status: 'ready',
  step: 'one',
  round: 0,
  state: {},
  version: 1,
  lease: null,
  cancelRequested: false,
  attempts: 1,
  reserved: 0,
  spent: 0,
  error: null,
  createdAt: new Date(),
  endedAt: null,
  ...more,
});

export async function keepRun(more: Partial<RunRow> = {}): Promise<RunRow> {
  const run = makeRun(more);
  await dangerouslyRunInEveryAccount(() => Run.create(run));
  return run;
}
export const readRun = async ({ _id }: Pick<RunRow, '_id'>) =>
  requireRow(await dangerouslyRunInEveryAccount(() => Run.findById(_id).lean()));
