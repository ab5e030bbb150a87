/** @environment store */
import { expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { readValue, writeValue } from '../../../bot/engine/handover/handedValues.ts';
import { onWorkers, sweepHandovers } from '../../../bot/engine/handover/handover.ts';
import { Handover, type HandoverRow } from '../../../models/handover.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { insertRow } from '../../../models/store/insert.ts';
import { connectTestStore, nextNumber } from '../../factories/account.ts';
import { eventually } from '../../factories/person.ts';

connectTestStore();
const done: { input: unknown; accountId: number | null }[] = [];
onWorkers<string, string>({
  name: 'made up',
  waitMs: () => 1000,
  run: async (input, accountId) => {
    done.push({ input, accountId });
    return `${input}, done`;
  },
});

/** What a web process has stored, which ended meanwhile. @returns the row after a worker's sweep */
async function handOver(task: string, expiresInMs: number, accountId = nextNumber()): Promise<HandoverRow> {
  const _id = new Types.ObjectId();
  await runInAccount(accountId, async () =>
    insertRow(Handover, {
      ...{ _id, accountId, task, input: await writeValue(_id, accountId, 'a file'), status: 'due', outcome: null },
      ...{ expiresAt: new Date(Date.now() + expiresInMs), dueAt: new Date(0), attempts: 0, lease: null },
    } as never),
  );
  await dangerouslyRunInEveryAccount(sweepHandovers);
  const read = () => runInAccount(accountId, () => Handover.findOne({ _id, status: { $ne: 'due' } }).lean());
  return (await eventually(read, 'the end of a handover')) as HandoverRow;
}

test('what somebody still waits for is done once, in its account, and its outcome is kept for them', async () => {
  const accountId = nextNumber();
  const row = await handOver('made up', 60_000, accountId);
  expect(row.status).toBe('done');
  expect(await readValue(row._id, row.outcome as never)).toEqual({ output: 'a file, done' });
  expect(done.splice(0)).toEqual([{ input: 'a file', accountId }]);
});

test.each([
  ['what nobody waits for any more', 'made up', -1],
  ['what this release does not know', 'of another release', 60_000],
])('%s is not done', async (_what, task, expiresInMs) => {
  expect(await handOver(task, expiresInMs)).toMatchObject({ status: 'cancelled', outcome: null });
  expect(done).toEqual([]);
});
