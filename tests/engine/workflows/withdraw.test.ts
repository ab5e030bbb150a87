/** @environment store */
import { describe, expect, jest, test } from '@jest/globals';
import { resumeRun } from '../../../bot/engine/workflows/resumeRun.ts';
import { sweepWaiting } from '../../../bot/engine/workflows/sweepRuns.ts';
import { waitForRun } from '../../../bot/engine/workflows/waitForRun.ts';
import { continueRun, questionOf, withdraw } from '../../../bot/engine/workflows/withdraw.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { processName } from '../../../models/store/processName.ts';
import { nextNumber } from '../../factories/account.ts';
import { readRun } from '../../factories/runs.ts';
import { inEveryAccount } from '../../factories/turns.ts';
import { connectWorkflows, RESOLVED } from '../../factories/workflows.ts';

const kept = connectWorkflows(() => undefined);

describe('a waiting run', () => {
  const of = (run: RunRow) => inEveryAccount(() => withdraw(run, null));

  test('is withdrawn with its question, unless that is answered or its draft changed', async () => {
    const asked = await kept.ask({ draft: { rows: [], version: 4, savedAt: null, savedBy: null } });
    const other = await kept.ask();
    expect(await inEveryAccount(() => withdraw(asked.run, null, 'Why', { draftVersion: 3 }))).toBe('changed');
    expect([(await kept.question(asked.row)).status, (await readRun(asked.run)).status]).toEqual([
      'pending',
      'waiting',
    ]);
    expect(await inEveryAccount(() => withdraw(asked.run, null, 'Why', { draftVersion: 4 }))).toBe('withdrawn');
    expect([(await kept.question(asked.row)).status, (await readRun(asked.run)).status]).toEqual([
      'cancelled',
      'cancelled',
    ]);
    expect((await kept.question(other.row)).status).toBe('pending');
    const answered = await kept.ask(RESOLVED);
    expect(await of(answered.run)).toBe('answered');
    expect((await readRun(answered.run)).status).toBe('waiting');
    expect(await of(await kept.write({ status: 'waiting' }))).toBe('withdrawn');
    expect(await inEveryAccount(() => questionOf({ state: { interruptId: String(asked.row._id) } }))).toBeNull();
  });

  test('that had recorded its result is completed with it, and says that it stays', async () => {
    const conversation = await kept.open();
    const { run } = await kept.ask();
    const state = { ...run.state, recorded: 'Three notes recorded.' };
    await inEveryAccount(() => Run.updateOne({ _id: run._id }, { $set: { state } }));
    expect(await inEveryAccount(() => withdraw({ ...run, state }, conversation))).toBe('withdrawn');
    expect((await readRun(run)).status).toBe('completed');
    expect((await kept.said())[0]?.text).toBe('Stopped. What was recorded before stays.');
    const other = await kept.ask();
    expect(await inEveryAccount(() => withdraw(other.run, conversation))).toBe('withdrawn');
    expect((await kept.said())[1]?.text).toBe('Cancelled. Nothing was changed, and the files are still here.');
  });

  test('that had changed something says that this stays, and not that nothing was changed', async () => {
    const conversation = await kept.open();
    const { run } = await kept.ask();
    const state = { ...run.state, changed: true };
    await inEveryAccount(() => Run.updateOne({ _id: run._id }, { $set: { state } }));
    expect(await inEveryAccount(() => withdraw({ ...run, state }, conversation))).toBe('withdrawn');
    expect((await readRun(run)).status).toBe('cancelled');
    expect((await kept.said())[0]?.text).toBe('Stopped. What was approved and done before stays.');
  });

  test('continues with its answer, once, and with no other', async () => {
    const { run, row } = await kept.ask(RESOLVED, { cancelRequested: true });
    expect(await inEveryAccount(() => continueRun(run._id, { ...row, _id: nextNumber() }))).toBeNull();
    expect(await inEveryAccount(() => continueRun(run._id, row))).toMatchObject({
      status: 'ready',
      version: 2,
      attempts: 1,
      cancelRequested: false,
      lease: { owner: processName },
    });
    expect(await inEveryAccount(() => continueRun(run._id, row))).toBeNull();
    expect(await inEveryAccount(() => waitForRun(run._id, 10_000))).toMatchObject({ status: 'completed' });
    // Its answer is stored by now, and nothing is left to claim.
    await inEveryAccount(() => resumeRun(row));
    expect((await readRun(run)).status).toBe('completed');
  });

  test('whose answer can’t be claimed reports it, so that the sweeper retries', async () => {
    const { row } = await kept.ask(RESOLVED);
    const spy = jest.spyOn(Run, 'findOneAndUpdate').mockReturnValueOnce({ lean: async () => null } as never);
    try {
      await expect(inEveryAccount(() => resumeRun(row))).rejects.toThrow('could not be claimed');
    } finally {
      spy.mockRestore();
    }
  });

  test('is swept: it continues if answered, and ends if nothing is left to wait for', async () => {
    const [pending, answered, applied, gone, withdrawn, wanted] = [
      await kept.ask(),
      await kept.ask({ ...RESOLVED, outbox: ['resume'] }),
      await kept.ask({ ...RESOLVED, outbox: ['audit'] }),
      await kept.write({ status: 'waiting', state: { interruptId: nextNumber() } }),
      await kept.ask({ status: 'cancelled' }),
      await kept.ask({}, { cancelRequested: true }),
    ];
    const working = await kept.ask({}, { cancelRequested: true, status: 'ready' });
    expect(await sweepWaiting()).toBeGreaterThanOrEqual(4);
    expect(await inEveryAccount(() => waitForRun(applied.run._id, 10_000))).toMatchObject({ status: 'completed' });
    const statuses = await Promise.all([pending.run, answered.run, gone, withdrawn.run, wanted.run].map(readRun));
    expect(statuses.map(({ status }) => status)).toEqual(['waiting', 'waiting', 'cancelled', 'cancelled', 'cancelled']);
    expect((await kept.question(wanted.row)).status).toBe('cancelled');
    for (const { row } of [pending, working]) expect((await kept.question(row)).status).toBe('pending');
  });

  test('is not ended again by a late caller, who is told only of its own answer', async () => {
    const conversation = await kept.open();
    const { run, row } = await kept.ask({ status: 'cancelled' }, { status: 'cancelled' });
    expect(await inEveryAccount(() => withdraw(run, conversation))).toBe('withdrawn');
    expect(await kept.said()).toEqual([]);
    expect((await readRun(run)).version).toBe(1);
    const waiting = await kept.ask();
    await inEveryAccount(() => resumeRun({ ...row, ...RESOLVED, runId: waiting.run._id }));
    expect((await readRun(waiting.run)).status).toBe('waiting');
  });
});
