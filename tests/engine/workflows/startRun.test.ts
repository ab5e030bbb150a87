/** @environment store */
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { grantCredits, readBalance } from '../../../bot/engine/credits/credits.ts';
import { beginRun } from '../../../bot/engine/workflows/beginRun.ts';
import { executeRun } from '../../../bot/engine/workflows/executeRun.ts';
import { runs } from '../../../bot/engine/workflows/lease.ts';
import { requireStartable, startRun } from '../../../bot/engine/workflows/startRun.ts';
import { sweepRuns } from '../../../bot/engine/workflows/sweepRuns.ts';
import { registerWorkflow } from '../../../bot/engine/workflows/workflow.ts';
import { Account } from '../../../models/account.ts';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { LedgerEntry } from '../../../models/ledgerEntry.ts';
import type { Who } from '../../../models/policies/who.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { processName } from '../../../models/store/processName.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { changing } from '../../../models/store/revisions.ts';
import { Subscription } from '../../../models/subscription.ts';
import type { UserAgentRow } from '../../../models/userAgent.ts';
import { Workspace } from '../../../models/workspace.ts';
import { codeOf, giveTrial, nextNumber } from '../../factories/account.ts';
import { eventually } from '../../factories/person.ts';
import { readRun } from '../../factories/runs.ts';
import { inEveryAccount, openPlace, readMessages } from '../../factories/turns.ts';
import { connectWorkflows } from '../../factories/workflows.ts';

let accountId = 0;
let who: Who;
const kept = connectWorkflows((made) => {
  ({ accountId, who } = made);
});
const keep = (more: Partial<RunRow> = {}) => kept.write({ workflow: 'kept-shared', ...more });
const { statusOf } = kept;
const until = (run: RunRow, status: RunRow['status']) =>
  eventually(async () => (await kept.statusOf(run)) === status, `the run to be ${status}`);
const refusal = (code: string) => expect.objectContaining({ code });

describe('a run that is started', () => {
  const agent = findAgent('clinical_safety')!;
  const grant = (amount: number) => inEveryAccount(() => grantCredits(accountId, amount, 'k', 'n'));
  const subscribe = () => {
    const trialEndsAt = new Date(Date.now() + 86_400_000);
    return inEveryAccount(() => Subscription.create({ _id: nextNumber(), accountId, status: 'trial', trialEndsAt }));
  };
  const pay = () => Promise.all([subscribe(), grant(100)]);
  const given = (conversation: ConversationRow | null, more: object = {}) => ({
    workflow: 'kept-titled',
    userAgent: { _id: 5, accountId } as UserAgentRow,
    agent,
    conversation,
    userId: who.userId,
    startKey: String(nextNumber()),
    goal: 'Try',
    state: { a: 1 },
    ...more,
  });
  const start = (it: ReturnType<typeof given>) => inEveryAccount(() => startRun(it));
  const remaining = async () => (await inEveryAccount(() => readBalance(accountId))).tokensRemaining;

  test('needs a budget of its agent that covers it, or none', async () => {
    await pay();
    const userAgent = { accountId, agentId: 'clinical_safety' } as unknown as UserAgentRow;
    const check = async (budget: number | null) => {
      await changing(accountId, ['account'], () =>
        Account.updateOne(
          { _id: accountId },
          { $set: { name: 'Quillmere', budgets: budget === null ? null : { clinical_safety: budget } } },
          { upsert: true },
        ),
      );
      return codeOf(inEveryAccount(() => requireStartable({ workflow: 'kept-titled', userAgent })));
    };
    expect([await check(9), await check(10), await check(null)]).toEqual(['over_budget', 'done', 'done']);
  });

  test('needs its workflow’s tool switched on, or the one named instead', async () => {
    await pay();
    const step = { label: 'Only', run: async () => ({ done: { output: 'done' } }) };
    const workflow = 'kept-gated';
    registerWorkflow({
      name: workflow,
      title: null,
      first: 'one',
      reserve: 0,
      tool: 'hazardanalysis',
      steps: { one: step },
    });
    const begin = (tools: [id: string, enabled: boolean][], tool?: string) => {
      const its = tools.map(([id, enabled]) => ({ id, enabled }));
      const userAgent = { accountId, agentId: 'clinical_safety', tools: its } as unknown as UserAgentRow;
      return inEveryAccount(() => requireStartable({ workflow, userAgent, tool }));
    };
    await expect(begin([['hazardanalysis', true]])).resolves.toBeUndefined();
    await expect(begin([['hazardanalysis', false]])).rejects.toEqual(refusal('tool_off'));
    await expect(begin([])).rejects.toEqual(refusal('tool_off'));
    const other: [string, boolean][] = [
      ['hazardanalysis', false],
      ['clinicalsafety', true],
    ];
    await expect(begin(other, 'clinicalsafety')).resolves.toBeUndefined();
    await expect(begin([['hazardanalysis', true]], 'clinicalsafety')).rejects.toEqual(refusal('tool_off'));
  });

  test('is stored, paid for, leased to this process and shown as work', async () => {
    await pay();
    const conversation = await kept.open();
    const { run, created } = await start(given(conversation));
    expect(created).toBe(true);
    expect(await readRun(run)).toMatchObject({
      accountId,
      workflow: 'kept-titled',
      userAgentId: 5,
      agentId: 'clinical_safety',
      conversationId: conversation._id,
      userId: who.userId,
      exclusive: 'kept-titled',
      goal: 'Try',
      channel: 'slack',
      status: 'ready',
      step: 'one',
      round: 0,
      state: { a: 1 },
      version: 1,
      lease: { owner: processName },
      cancelRequested: false,
      attempts: 1,
      reserved: 10,
      spent: 0,
      error: null,
      endedAt: null,
    });
    expect(await remaining()).toBe(90);
    expect(await inEveryAccount(() => Workspace.find({ accountId }).lean())).toMatchObject([
      {
        _id: run.workspaceId,
        userAgentId: 5,
        agentId: 'clinical_safety',
        runId: run._id,
        status: 'working',
        goal: 'Try',
      },
    ]);
    const plain = await start(given(null, { workflow: 'kept-plain' }));
    expect(plain.run).toMatchObject({ workspaceId: null, exclusive: null, channel: 'api', conversationId: null });
    expect(await remaining()).toBe(90);
    const paid = await inEveryAccount(() => LedgerEntry.find({ accountId, kind: 'reserve' }).sort({ seq: 1 }).lean());
    // What reserves nothing has no row of its own.
    expect(paid.map(({ note, userId, month }) => [note, userId, month?.used])).toEqual([
      ['Titled', who.userId, { clinical_safety: 10 }],
    ]);
    await executeRun(run, conversation);
    kept.next = async () => ({ next: 'two', cost: 3, state: { model: 'gpt-5' } });
    await executeRun(plain.run, null);
    const settled = await inEveryAccount(() => LedgerEntry.find({ accountId, kind: 'settle' }).sort({ seq: 1 }).lean());
    expect(settled.map(({ note, amount, model }) => [note, amount, model])).toEqual([
      ['Titled', 10, null],
      ['Answer in chat', -3, 'gpt-5'],
    ]);
  });

  test('passes on the store’s error, unless a run of its kind exists', async () => {
    await pay();
    const fault = (index: object) => Object.assign(new Error('twice'), { code: 11000, keyPattern: index });
    for (const [index, told] of [
      [{ exclusive: 1 }, refusal('run_in_progress')],
      [{ workspaceId: 1 }, fault({ workspaceId: 1 })],
    ] as const) {
      jest.spyOn(Run.collection, 'insertOne').mockRejectedValueOnce(fault(index) as never);
      await expect(start(given(await kept.open()))).rejects.toEqual(told);
    }
    expect(await remaining()).toBe(100);
  });

  test('is started once per key, and one at a time in a conversation', async () => {
    await pay();
    const [conversation, elsewhere] = [await kept.open(), await kept.open()];
    const it = given(conversation);
    const { run } = await start(it);
    expect(await start(it)).toMatchObject({ created: false, run: { _id: run._id } });
    await expect(start(given(conversation))).rejects.toEqual(refusal('run_in_progress'));
    expect(await start(given(elsewhere))).toMatchObject({ created: true });
    expect(await remaining()).toBe(80);
    expect(await inEveryAccount(() => Run.countDocuments({ accountId }))).toBe(2);
  });

  test('is refused without credits or a plan, and leaves nothing', async () => {
    const conversation = await kept.open();
    await grant(100);
    await expect(start(given(conversation))).rejects.toEqual(refusal('trial_over'));
    accountId = nextNumber();
    await Promise.all([subscribe(), grant(9)]);
    await expect(start(given(conversation))).rejects.toEqual(refusal('out_of_credit'));
    expect(await inEveryAccount(() => Run.countDocuments({ accountId }))).toBe(0);
    expect(await inEveryAccount(() => Workspace.countDocuments({ accountId }))).toBe(0);
    expect(await start(given(null, { workflow: 'kept-plain' }))).toMatchObject({ created: true });
  });

  test('in place of a waiting one withdraws nothing if it can’t be paid for, or exists already', async () => {
    const conversation = await kept.open();
    const { run, row } = await kept.ask({}, { conversationId: conversation._id });
    const begin = (it: ReturnType<typeof given>) => inEveryAccount(() => beginRun(it, async () => ({ who })));
    await grant(100);
    await expect(begin(given(conversation))).rejects.toEqual(refusal('trial_over'));
    expect((await kept.question(row)).status).toBe('pending');
    await subscribe();
    expect(await begin(given(conversation, { startKey: run.startKey }))).toMatchObject({
      created: false,
      run: { _id: run._id },
    });
    expect((await kept.question(row)).status).toBe('pending');
    expect(await begin(given(conversation))).toMatchObject({ created: true });
    expect([(await kept.question(row)).status, (await readRun(run)).status]).toEqual(['cancelled', 'cancelled']);
  });

  test('that withdraws nothing and is started again is the same, also where nothing could be started any more', async () => {
    await Promise.all([subscribe(), grant(10)]);
    const it = given(await kept.open(), { workflow: 'kept-shared' });
    const begin = (one: ReturnType<typeof given>) => inEveryAccount(() => beginRun(one, async () => ({ who })));
    const { run, created } = await begin(it);
    expect([created, await remaining()]).toEqual([true, 0]);
    expect(await begin(it)).toMatchObject({ created: false, run: { _id: run._id } });
    await expect(begin({ ...it, startKey: String(nextNumber()) })).rejects.toEqual(refusal('out_of_credit'));
  });

  test('charges what its steps cost, and returns the rest', async () => {
    await pay();
    const conversation = await kept.open();
    kept.next = async ({ progress, say }) => {
      await say({ key: 'mine', kind: 'text', text: 'Hello' });
      progress('Now', 1, 2);
      return { next: 'two', cost: 4, state: { b: 2 } };
    };
    const { run } = await start(given(conversation));
    await executeRun(run, conversation);
    expect(await readRun(run)).toMatchObject({
      status: 'completed',
      spent: 4,
      state: { a: 1, b: 2 },
      step: 'two',
      lease: null,
      error: null,
      version: 3,
    });
    expect((await readRun(run)).endedAt).toEqual(expect.any(Date));
    expect(await remaining()).toBe(96);
    expect(await kept.said()).toEqual([{ key: `run:${run._id}:mine`, kind: 'text', text: 'Hello' }]);
    expect(await inEveryAccount(() => Workspace.find({ accountId }).lean())).toMatchObject([
      { status: 'completed', output: 'done' },
    ]);
    expect(kept.shown.at(-1)?.status).toBe('completed');
    expect(kept.ended).toEqual([]);
    expect(runs.isHeld(run._id)).toBe(false);
  });
});

describe('a run that can’t be paid for', () => {
  const start = (conversation: ConversationRow) => {
    const it = { workflow: 'kept-shared', agent: findAgent('clinical_safety')!, userId: 7, goal: 'Try', state: {} };
    const userAgent = { _id: 5, accountId } as never;
    return inEveryAccount(() => startRun({ ...it, userAgent, conversation, startKey: String(nextNumber()) }));
  };
  beforeEach(() => giveTrial(accountId));

  test('because another took the credits at the same moment leaves nothing behind', async () => {
    await inEveryAccount(() => grantCredits(accountId, 25, 'gift', 'A gift'));
    const places = await Promise.all(Array.from({ length: 4 }, () => openPlace(accountId)));
    const results = await Promise.allSettled(places.map(start));
    const begun = results.flatMap((it) => (it.status === 'fulfilled' ? [String(it.value.run._id)] : []));
    const refused = results.flatMap((it) => (it.status === 'rejected' ? [it.reason.code] : []));
    expect([begun.length, refused]).toEqual([2, ['out_of_credit', 'out_of_credit']]);
    const standing = await inEveryAccount(() => Run.find({ accountId }).lean());
    expect(standing.map(({ _id }) => String(_id)).sort()).toEqual(begun.sort());
    expect(await inEveryAccount(() => Workspace.countDocuments({ accountId }))).toBe(2);
  });

  test('because the store is lost stays, for the sweeper to pay for and work on', async () => {
    await inEveryAccount(() => grantCredits(accountId, 25, 'gift', 'A gift'));
    jest.spyOn(Workspace, 'create').mockRejectedValueOnce(new Error('the store is lost') as never);
    await expect(start(await openPlace(accountId))).rejects.toThrow('the store is lost');
    const standing = requireRow(await inEveryAccount(() => Run.findOne({ accountId }).lean()));
    expect(standing).toMatchObject({ status: 'ready', lease: { owner: processName } });
    await inEveryAccount(() => Run.updateOne({ _id: standing._id }, { $set: { dueAt: new Date(0) } }));
    await sweepRuns();
    await until(standing, 'completed');
    expect(await inEveryAccount(() => LedgerEntry.countDocuments({ accountId, kind: 'reserve' }))).toBe(1);
    expect(await inEveryAccount(() => Workspace.countDocuments({ accountId }))).toBe(1);
  });

  test('ends once it is taken over, says so, and returns nothing', async () => {
    const conversation = await openPlace(accountId);
    const run = await keep({ reserved: 10, attempts: 2, conversationId: conversation._id });
    await executeRun(run);
    expect(await statusOf(run)).toBe('failed');
    expect(await readMessages(accountId)).toMatchObject([{ kind: 'refused' }]);
    expect(await inEveryAccount(() => LedgerEntry.countDocuments({ accountId }))).toBe(0);
  });
});
