/** @environment store */
import { describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { conversationKey } from '../../../bot/engine/conversations/conversations.ts';
import { cancelRun, cancelRunsAt } from '../../../bot/engine/workflows/cancelRun.ts';
import { runs } from '../../../bot/engine/workflows/lease.ts';
import { Conversation } from '../../../models/conversation.ts';
import { Interrupt } from '../../../models/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { codeOf, makeWho, nextNumber } from '../../factories/account.ts';
import { makeInterrupt, makeProposal } from '../../factories/interrupt.ts';
import { readRun } from '../../factories/runs.ts';
import { inEveryAccount, openPlace, readMessages } from '../../factories/turns.ts';
import { connectWorkflows, RESOLVED } from '../../factories/workflows.ts';

let accountId = 0;
let who: Who;
const kept = connectWorkflows((made) => {
  ({ accountId, who } = made);
});
const keep = (more: Partial<RunRow> = {}) => kept.write({ workflow: 'kept-shared', ...more });
const refusal = (code: string) => expect.objectContaining({ code });

describe('cancelling a run', () => {
  const cancel = (run: Pick<RunRow, '_id'>, by = who) => inEveryAccount(() => cancelRun(by, run._id));

  test('is for people with permission in its account', async () => {
    const run = await kept.write({ userId: nextNumber() });
    await expect(cancel({ _id: new Types.ObjectId() })).rejects.toEqual(refusal('not_found'));
    await expect(cancel(run, { ...who, accountId: nextNumber() })).rejects.toEqual(refusal('not_found'));
    await expect(cancel(run, { ...who, roles: ['member'] })).rejects.toEqual(refusal('not_allowed'));
    expect((await readRun(run)).cancelRequested).toBe(false);
    const own = await kept.write();
    await cancel(own, { ...who, roles: ['member'] });
    expect((await readRun(own)).cancelRequested).toBe(true);
  });

  test('stops the work here, and withdraws its pending question', async () => {
    const [run, other] = [await kept.write(), await kept.write()];
    const isStopped = await inEveryAccount(() =>
      runs.hold(run, async (signal) => {
        await cancel(run);
        return signal.aborted;
      }),
    );
    expect(isStopped).toBe(true);
    expect([(await readRun(run)).cancelRequested, (await readRun(other)).cancelRequested]).toEqual([true, false]);
    const waiting = await kept.ask();
    await cancel(waiting.run);
    expect([(await kept.question(waiting.row)).status, (await readRun(waiting.run)).status]).toEqual([
      'cancelled',
      'cancelled',
    ]);
    const over = await kept.write({ status: 'completed' });
    await cancel(over);
    expect(await readRun(over)).toMatchObject({ status: 'completed', cancelRequested: false });
  });

  test('whose open review has decisions of people is for whoever may answer the review', async () => {
    const member: Who = { ...who, roles: ['member'] };
    const rows = [makeProposal({ id: 'a' })];
    const reviewing = (decided: { id: string; outcome: 'accepted' }[]) =>
      kept.ask(
        {
          interruptType: 'hazard_review',
          context: { rows },
          draft: { rows: decided, version: 1, savedAt: null, savedBy: null },
        },
        { userId: who.userId },
      );
    const begun = await reviewing([{ id: 'a', outcome: 'accepted' }]);
    await expect(cancel(begun.run, member)).rejects.toMatchObject({
      code: 'review_not_yours',
      values: { text: expect.stringContaining(`question ${begun.row._id}`) },
    });
    expect((await kept.question(begun.row)).status).toBe('pending');
    await cancel(begun.run);
    expect((await kept.question(begun.row)).status).toBe('cancelled');
    const untouched = await reviewing([]);
    await cancel(untouched.run, member);
    // Each says who withdrew it.
    expect(await kept.question(untouched.row)).toMatchObject({ status: 'cancelled', withdrawnBy: member.userId });
  });

  test('whose question has a first signature is for whoever may answer it', async () => {
    const member: Who = { ...who, roles: ['member'] };
    const firstSignature = {
      ...{ userId: 9, name: 'Bo', via: 'inbox' as const, at: new Date(), reason: 'Read', registration: null },
      ...{ outcome: 'approved' as const, answerDigest: 'd' },
    };
    const { run, row } = await kept.ask({ interruptType: 'approval', firstSignature }, { userId: who.userId });
    await expect(cancel(run, member)).rejects.toMatchObject({
      code: 'review_not_yours',
      values: { text: expect.stringMatching(/^Somebody has signed an answer to question \d+, and cancelling/) },
    });
    await cancel(run);
    expect((await kept.question(row)).status).toBe('cancelled');
  });

  test.each<[status: RunRow['status'], more: string]>([
    ['waiting', ', and the work continues with it.'],
    ['ready', ', and the work continues with it.'],
    ['completed', '.'],
  ])('reports an earlier answer, if it is %s', async (status, more) => {
    const { run } = await kept.ask(RESOLVED, { status });
    await expect(cancel(run)).rejects.toMatchObject({
      code: 'already_answered',
      values: {
        text: `This can’t be cancelled any more: it was answered already. Approved by Bo in the inbox, 14:02. That answer stands${more}`,
      },
    });
    expect(await readRun(run)).toMatchObject({ status, cancelRequested: false });
  });

  test('with the platform’s Stop cancels the author’s own runs there, and names those that can’t be', async () => {
    const conversation = await kept.open();
    const at = { conversationId: conversation._id };
    const foreign = nextNumber();
    await inEveryAccount(() =>
      Conversation.create({
        accountId: foreign,
        key: conversationKey(conversation.address),
        address: conversation.address,
      }),
    );
    const [mine, theirs, elsewhere, over] = [
      await kept.write(at),
      await kept.write({ ...at, userId: nextNumber() }),
      await kept.write({ conversationId: (await kept.open())._id }),
      await kept.write({ ...at, status: 'failed' }),
    ];
    const answered = await kept.ask(RESOLVED, at);
    const stop = (by: Who) => inEveryAccount(() => cancelRunsAt(by, conversation.address));
    await stop({ ...who, accountId: foreign, roles: ['member'] });
    await stop({ ...who, roles: ['member'] });
    const requested = await Promise.all([mine, theirs, elsewhere, over].map(readRun));
    expect(requested.map(({ cancelRequested }) => cancelRequested)).toEqual([true, false, false, false]);
    expect(await kept.said()).toEqual([
      {
        key: `run:${answered.run._id}:not-cancelled`,
        kind: 'refused',
        text: expect.stringContaining('That answer stands'),
      },
    ]);
    await stop(who);
    expect((await readRun(theirs)).cancelRequested).toBe(true);
    await inEveryAccount(() => cancelRunsAt(who, { ...conversation.address, conversation: 'none' }));
  });
});

describe('cancelling a changing run', () => {
  test('reports a conflict after ten attempts that each found the run changed', async () => {
    const who = makeWho({ accountId });
    const run = await keep({ userId: who.userId });
    const looks = jest.spyOn(Run, 'findOne');
    jest.spyOn(Run, 'updateOne').mockResolvedValue({ matchedCount: 0 } as never);
    expect(await codeOf(inEveryAccount(() => cancelRun(who, run._id)))).toBe('conflict');
    expect(looks).toHaveBeenCalledTimes(10);
  });

  test('with the platform’s Stop is silent about ended runs', async () => {
    const who = makeWho({ accountId });
    const conversation = await openPlace(accountId);
    const _id = nextNumber();
    const row = makeInterrupt({ _id, accountId, askKey: String(_id), status: 'resolved' });
    await inEveryAccount(() => Interrupt.create(row));
    const at = { conversationId: conversation._id, userId: who.userId, state: { interruptId: _id } };
    await keep({ ...at, status: 'completed' });
    await inEveryAccount(() => cancelRunsAt(who, conversation.address));
    expect(await readMessages(accountId)).toEqual([]);
    const going = await keep({ ...at, status: 'ready' });
    await inEveryAccount(() => cancelRunsAt(who, conversation.address));
    expect(await readMessages(accountId)).toMatchObject([{ key: `run:${going._id}:not-cancelled`, kind: 'refused' }]);
  });

  /** Runs something after the run was read. */
  const afterLook = (change: () => Promise<unknown>) => {
    const find = Run.findOne.bind(Run) as (...given: unknown[]) => { lean(): Promise<unknown> };
    const late = (...given: unknown[]) => ({
      async lean() {
        const row = await find(...given).lean();
        await change();
        return row;
      },
    });
    jest.spyOn(Run, 'findOne').mockImplementationOnce(late as never);
  };

  test('leaves a run that ended meanwhile, and reports requests and answers', async () => {
    const over = await kept.write();
    afterLook(() => Run.updateOne({ _id: over._id }, { $set: { status: 'completed' } }));
    await inEveryAccount(() => cancelRun(who, over._id));
    expect(await readRun(over)).toMatchObject({ status: 'completed', cancelRequested: false });
    const { run, row } = await kept.ask(RESOLVED, { status: 'ready', round: 0, state: {} });
    afterLook(() => Run.updateOne({ _id: run._id }, { $set: { round: 1, state: { interruptId: row._id } } }));
    expect(await codeOf(inEveryAccount(() => cancelRun(who, run._id)))).toBe('already_answered');
    expect((await readRun(run)).cancelRequested).toBe(false);
  });

  test('with the platform’s Stop is silent about our own faults', async () => {
    const conversation = await kept.open();
    await kept.write({ conversationId: conversation._id });
    const fault = new Error('the store is lost');
    jest.spyOn(Run, 'updateOne').mockRejectedValueOnce(fault as never);
    await expect(inEveryAccount(() => cancelRunsAt(who, conversation.address))).rejects.toBe(fault);
    expect(await kept.said()).toEqual([]);
  });

  test('in a conversation that does not exist cancels nothing', async () => {
    const conversation = await kept.open();
    const run = await kept.write({ conversationId: conversation._id });
    await inEveryAccount(() => cancelRunsAt(who, { ...conversation.address, conversation: 'none' }));
    expect((await readRun(run)).cancelRequested).toBe(false);
  });

  test('of a pending question is reported where the question was asked', async () => {
    const conversation = await kept.open();
    const { run } = await kept.ask({}, { conversationId: conversation._id });
    await inEveryAccount(() => cancelRun(who, run._id));
    expect(await kept.said()).toMatchObject([{ key: `run:${run._id}:end`, kind: 'cancelled' }]);
  });
});
