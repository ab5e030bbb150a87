/** @environment store */
import { describe, expect, jest, test } from '@jest/globals';
import { MATCH_REVIEW } from '../../../bot/agents/clinical_safety/questions/matchReview.ts';
import { stoppedRuns } from '../../../bot/engine/workflows/progress.ts';
import { type Asker, questionWithdrawnIn, supersede } from '../../../bot/engine/workflows/supersede.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { Interrupt } from '../../../models/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import { Run } from '../../../models/run.ts';
import { nextNumber } from '../../factories/account.ts';
import { makeProposal } from '../../factories/interrupt.ts';
import { makeMatchRow } from '../../factories/matches.ts';
import { eventually } from '../../factories/person.ts';
import { readRun } from '../../factories/runs.ts';
import { inEveryAccount } from '../../factories/turns.ts';
import { connectWorkflows, RESOLVED } from '../../factories/workflows.ts';

let accountId = 0;
let who: Who;
const kept = connectWorkflows((made) => {
  ({ accountId, who } = made);
});
const refusal = (code: string) => expect.objectContaining({ code });

describe('a question that a newer run would withdraw', () => {
  const make = (conversation: ConversationRow | null, asker: Asker = { who }, workflow = 'kept-titled') => {
    const asked = jest.fn(async () => asker);
    return { asked, done: inEveryAccount(() => supersede(conversation, workflow, asked)) };
  };
  const draft = (rows: { id: string; outcome: 'accepted' | 'rejected' }[]) => ({
    rows,
    version: 4,
    savedAt: null,
    savedBy: null,
  });
  const proposals = [
    makeProposal({ id: 'a', rejectedBefore: { by: 'Bo', at: '2026-01-01', reason: null } }),
    makeProposal({ id: 'b' }),
  ];
  const review = { interruptType: 'hazard_review' as const, context: { rows: proposals } };

  test('needs no confirmation if there is nothing to withdraw', async () => {
    const conversation = await kept.open();
    await kept.ask({}, { conversationId: conversation._id, workflow: 'kept-plain' });
    await kept.ask({}, { conversationId: (await kept.open())._id });
    await kept.ask({}, { conversationId: conversation._id, accountId: nextNumber() });
    await kept.ask({}, { conversationId: conversation._id, status: 'completed' });
    for (const [at, workflow] of [
      [null, 'kept-titled'],
      [conversation, 'kept-plain'],
      [conversation, 'kept-titled'],
    ] as const) {
      const { asked, done } = make(at, { who }, workflow);
      await done;
      expect(asked).not.toHaveBeenCalled();
    }
    expect(await inEveryAccount(() => Interrupt.countDocuments({ accountId, status: 'cancelled' }))).toBe(0);
  });

  test('is withdrawn by people who may answer it, and its run says why', async () => {
    const conversation = await kept.open();
    const { run, row } = await kept.ask({}, { conversationId: conversation._id });
    await make(conversation).done;
    expect(await kept.question(row)).toMatchObject({ status: 'cancelled', withdrawnBy: kept.who.userId });
    expect(await readRun(run)).toMatchObject({ status: 'cancelled', error: null, lease: null });
    expect(await kept.said()).toEqual([
      {
        key: `run:${run._id}:end`,
        kind: 'cancelled',
        text: expect.stringContaining(
          'A newer survey takes the place of this one. Nothing had been decided in it yet.',
        ),
      },
    ]);
    expect(kept.ended).toEqual(['cancelled']);
  });

  test.each<[what: string, asker: () => Asker, code: string, text: RegExp]>([
    ['a schedule', () => 'schedule', 'review_open', /question \d+ waits\. Answer it first/],
    ['nobody known', () => ({ who: null }), 'review_not_yours', /A question is open \(question \d+\)/],
    ['a member', () => ({ who: { ...who, roles: ['member'] } }), 'review_not_yours', /Only a person who may answer it/],
  ])('is not withdrawn by %s', async (_what, asker, code, text) => {
    const conversation = await kept.open();
    const { run, row } = await kept.ask({}, { conversationId: conversation._id });
    const refused = await make(conversation, asker()).done.catch((error: unknown) => error);
    expect(refused).toMatchObject({ code, values: { text: expect.stringMatching(text) } });
    expect([(await kept.question(row)).status, (await readRun(run)).status]).toEqual(['pending', 'waiting']);
    await inEveryAccount(() => Interrupt.updateOne({ _id: row._id }, { $set: { interruptType: 'hazard_review' } }));
    if (code === 'review_not_yours')
      await expect(make(conversation, asker()).done).rejects.toThrow(`A review is open (question ${row._id})`);
  });

  test.each(['one', 'two', 'three'])(
    'in step %s is not withdrawn by a schedule, with or without decisions',
    async (step) => {
      const conversation = await kept.open();
      const at = { conversationId: conversation._id, step };
      for (const rows of [[], [{ id: 'b', outcome: 'accepted' as const }]]) {
        const { row, run } = await kept.ask({ ...review, draft: draft(rows) }, at);
        await expect(make(conversation, 'schedule').done).rejects.toThrow(`question ${row._id} waits`);
        expect([(await kept.question(row)).status, (await readRun(run)).status]).toEqual(['pending', 'waiting']);
        await make(conversation, { who, withdraws: row._id }).done;
        expect((await kept.question(row)).status).toBe('cancelled');
      }
    },
  );

  test.each<[rows: Parameters<typeof draft>[0], decided: number]>([
    [[], 0],
    [[{ id: 'a', outcome: 'rejected' }], 0],
    [[{ id: 'a', outcome: 'accepted' }], 1],
    [[{ id: 'b', outcome: 'rejected' }], 1],
    [
      [
        { id: 'a', outcome: 'accepted' },
        { id: 'b', outcome: 'accepted' },
      ],
      2,
    ],
  ])('with %j in its draft needs an explicit request: %i decided', async (rows, decided) => {
    const conversation = await kept.open();
    const { row } = await kept.ask({ ...review, draft: draft(rows) }, { conversationId: conversation._id });
    const outcome = await make(conversation).done.catch((error: unknown) => error);
    if (decided === 0) {
      expect((await kept.question(row)).status).toBe('cancelled');
      return;
    }
    expect(outcome).toMatchObject({
      code: 'review_open',
      standing: {
        interruptId: row._id,
        decided,
        proposed: 2,
        confirmation: { label: 'Start a new survey', words: `Start a new survey and withdraw question ${row._id}` },
      },
      values: {
        text: `${decided} of 2 proposals ${decided === 1 ? 'is' : 'are'} decided in the open review. Complete it in the inbox, or say “Start a new survey and withdraw question ${row._id}”. Notes are kept.`,
      },
    });
    await expect(make(conversation, { who, withdraws: row._id + 1 }).done).rejects.toEqual(refusal('review_open'));
    expect((await kept.question(row)).status).toBe('pending');
    await make(conversation, { who, withdraws: row._id }).done;
    expect((await kept.question(row)).status).toBe('cancelled');
    expect((await kept.said()).at(-1)?.text).toContain('takes the place of this one. Its notes are gone.');
  });

  test('that somebody has signed is begun, although its decisions were only preselected', async () => {
    const conversation = await kept.open();
    const firstSignature = {
      ...{ userId: 9, name: 'Bo', via: 'inbox' as const, at: new Date(), reason: 'Read', registration: null },
      ...{ outcome: 'answered' as const, answerDigest: 'd' },
    };
    const signed = { ...review, draft: draft([{ id: 'a', outcome: 'rejected' }]), firstSignature };
    const { row } = await kept.ask(signed, { conversationId: conversation._id });
    await expect(make(conversation).done).rejects.toMatchObject({ code: 'review_open', standing: { decided: 1 } });
    expect((await kept.question(row)).status).toBe('pending');
  });

  test('counts a decision on a row that was decided in an earlier question, unless the draft began with it', async () => {
    const conversation = await kept.open();
    const rows = [makeMatchRow({ id: 'a', earlier: 'Bo ruled out H1 on 3 May 2026.' })];
    const matches = { interruptType: MATCH_REVIEW, context: { rows } };
    await kept.ask(
      { ...matches, draft: draft([{ id: 'a', outcome: 'rejected' }]) },
      { conversationId: conversation._id },
    );
    await expect(make(conversation).done).rejects.toMatchObject({ code: 'review_open', standing: { decided: 1 } });
  });

  test.each([
    ['Start a new survey and withdraw question 18', 18],
    ['start it again, and WITHDRAW QUESTION 7!', 7],
    ['Start a new survey, but do not withdraw question 18', undefined],
    ['Start a new survey. Don’t ever withdraw question 18.', undefined],
    ["start it again and don't withdraw question 18", undefined],
    ['never WITHDRAW QUESTION 18', undefined],
    ['I could not finish it. Start a new survey and withdraw question 18', 18],
    ['withdraw question 0', undefined],
    ['withdraw question 1234567890', undefined],
    ['withdraw questions 18', undefined],
    ['Start a new survey', undefined],
  ])('is confirmed to be withdrawn by %j: %s', (text, id) => {
    expect(questionWithdrawnIn(text)).toBe(id);
  });

  test('is not withdrawn while work of the kind is running', async () => {
    const conversation = await kept.open();
    const at = { conversationId: conversation._id };
    const { row } = await kept.ask({}, at);
    await kept.write({ ...at, step: 'one' });
    await expect(make(conversation).done).rejects.toMatchObject({
      code: 'run_in_progress',
      message: 'Another survey is already running. Wait for it to finish, or cancel it first.',
    });
    expect((await kept.question(row)).status).toBe('pending');
  });

  test('that was answered is not withdrawn: its run ends first', async () => {
    const conversation = await kept.open();
    const { run, row } = await kept.ask(RESOLVED, { conversationId: conversation._id });
    await make(conversation).done;
    expect((await kept.question(row)).status).toBe('resolved');
    expect((await readRun(run)).status).toBe('completed');
  });

  test('that was answered is recorded first, and the next question of its run is then withdrawn', async () => {
    const conversation = await kept.open();
    const at = { conversationId: conversation._id, step: 'one' };
    kept.next = async () => ({ ask: { interruptType: 'approval', prompt: 'And now?' }, next: 'two' });
    const { run, row } = await kept.ask(RESOLVED, at);
    await make(conversation).done;
    expect((await kept.question(row)).status).toBe('resolved');
    const next = await inEveryAccount(() => Interrupt.findOne({ runId: run._id, prompt: 'And now?' }).lean());
    expect(next?.status).toBe('cancelled');
    expect((await readRun(run)).status).toBe('cancelled');
  });

  test('of a run that had recorded its result is withdrawn, and the run is completed with that result', async () => {
    const conversation = await kept.open();
    const { run, row } = await kept.ask({}, { conversationId: conversation._id, step: 'two' });
    const recorded = { 'state.recorded': 'Three notes recorded.' };
    await inEveryAccount(() => Run.updateOne({ _id: run._id }, { $set: recorded }));
    await make(conversation).done;
    expect((await kept.question(row)).status).toBe('cancelled');
    expect(await readRun(run)).toMatchObject({ status: 'completed', error: null });
    // Nothing is cleaned up, and the message says why it stopped.
    expect(kept.ended).toEqual([]);
    expect((await kept.said())[0]?.text).toMatch(/^A newer survey takes the place of this one\./);
  });

  /** Runs something after the question was first read. */
  const afterLook = (change: () => Promise<unknown>) => {
    const find = Interrupt.findOne.bind(Interrupt) as (...given: unknown[]) => { lean(): Promise<unknown> };
    const late = (...given: unknown[]) => ({
      async lean() {
        const row = await find(...given).lean();
        await change();
        return row;
      },
    });
    return jest.spyOn(Interrupt, 'findOne').mockImplementationOnce(late as never);
  };
  const save = (_id: number, version: number) => () =>
    Interrupt.updateOne({ _id }, { $set: { draft: { ...draft([{ id: 'b', outcome: 'accepted' }]), version } } });

  test('is not withdrawn with a decision that was saved meanwhile, unless that draft was named', async () => {
    const conversation = await kept.open();
    const at = { conversationId: conversation._id };
    const first = await kept.ask({ ...review, draft: draft([]) }, at);
    afterLook(save(first.row._id, 5));
    await expect(make(conversation).done).rejects.toEqual(refusal('review_open'));
    expect((await kept.question(first.row)).status).toBe('pending');
    afterLook(save(first.row._id, 6));
    const tries = jest.spyOn(Interrupt, 'updateOne');
    await make(conversation, { who, withdraws: first.row._id }).done;
    expect(tries.mock.calls.filter(([filter]) => (filter as { status?: string }).status === 'pending')).toHaveLength(1);
    expect((await kept.question(first.row)).status).toBe('cancelled');
  });

  test('whose draft changes each time is tried five times, then reported as a conflict', async () => {
    const conversation = await kept.open();
    const { row } = await kept.ask({ ...review, draft: draft([]) }, { conversationId: conversation._id });
    const before = { ...row, draft: { ...draft([]), version: 3 } };
    const looks = jest.spyOn(Interrupt, 'findOne').mockReturnValue({ lean: async () => before } as never);
    await expect(make(conversation).done).rejects.toEqual(refusal('conflict'));
    expect(looks).toHaveBeenCalledTimes(2 * 5);
  });

  test('that is gone no longer blocks its run', async () => {
    const conversation = await kept.open();
    const { run, row } = await kept.ask({}, { conversationId: conversation._id });
    await inEveryAccount(() => Interrupt.deleteOne({ _id: row._id }));
    await make(conversation).done;
    expect((await readRun(run)).status).toBe('cancelled');
  });

  test('is withdrawn whatever runs elsewhere, or is of another kind', async () => {
    const conversation = await kept.open();
    const at = { conversationId: conversation._id };
    const { row } = await kept.ask({}, at);
    // Each in a step that would be waited for.
    const waits = jest.spyOn(globalThis, 'setTimeout');
    for (const other of [
      { ...at, accountId: nextNumber() },
      { conversationId: (await kept.open())._id },
      { ...at, workflow: 'kept-shared' },
      { ...at, status: 'completed' as const },
    ])
      await kept.write({ step: 'two', ...other });
    await make(conversation).done;
    expect((await kept.question(row)).status).toBe('cancelled');
    expect(waits.mock.calls.filter(([, wait]) => wait === 5000)).toEqual([]);
  });

  test('waits up to five seconds for a brief step of the kind, and for no other', async () => {
    const conversation = await kept.open();
    const at = { conversationId: conversation._id };
    const waits = jest.spyOn(globalThis, 'setTimeout');
    const waited = () => waits.mock.calls.filter(([, wait]) => wait === 5000).length;
    const busy = await kept.write({ ...at, step: 'two' });
    const { done } = make(conversation);
    await eventually(async () => stoppedRuns.listenerCount(String(busy._id)) > 0, 'the brief step to be waited for');
    expect(waited()).toBe(1);
    await inEveryAccount(() => Run.updateOne({ _id: busy._id }, { $set: { status: 'completed' } }));
    stoppedRuns.emit(String(busy._id), { ...busy, status: 'completed' });
    await done;
    await kept.ask({}, at);
    await kept.write({ ...at, step: 'one' });
    await expect(make(conversation).done).rejects.toEqual(refusal('run_in_progress'));
    expect(waited()).toBe(1);
  });

  test('that was answered is reported as still continuing after five seconds', async () => {
    const conversation = await kept.open();
    let end: (() => void) | undefined;
    kept.next = () =>
      new Promise((resolve) => {
        end = () => resolve({ next: 'two' });
      });
    const { run } = await kept.ask(RESOLVED, { conversationId: conversation._id, step: 'one' });
    const wait = globalThis.setTimeout;
    jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((work: () => void, given: number) => wait(work, given === 5000 ? 20 : given)) as never);
    await expect(make(conversation).done).rejects.toEqual(refusal('run_in_progress'));
    jest.restoreAllMocks();
    // On a slow machine the step begins later than the refusal.
    const finish = await eventually(async () => end, 'the step to begin');
    finish();
    await eventually(async () => (await kept.statusOf(run)) === 'completed', 'the run to end');
  });
});
