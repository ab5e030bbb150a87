/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { answerInterrupt } from '../../../bot/engine/interrupts/answerInterrupt.ts';
import { onAnswered, resumeAnswered, sweepConsequences } from '../../../bot/engine/interrupts/applyConsequences.ts';
import { cancelInterrupts, withdrawQuestion } from '../../../bot/engine/interrupts/cancelInterrupts.ts';
import { digestOf } from '../../../bot/engine/interrupts/digest.ts';
import { keepRow } from '../../../bot/engine/interrupts/keepRow.ts';
import { findQuestion, findQuestionAskedIn, listQuestions } from '../../../bot/engine/interrupts/listQuestions.ts';
import { requireOpen } from '../../../bot/engine/interrupts/openQuestion.ts';
import { raiseInterrupt } from '../../../bot/engine/interrupts/raiseInterrupt.ts';
import { saveDraft } from '../../../bot/engine/interrupts/saveDraft.ts';
import { AuditEvent } from '../../../models/auditEvent.ts';
import { AGENTS } from '../../../models/contracts/catalogue.ts';
import type { RowDecision } from '../../../models/contracts/questionRows.ts';
import { Conversation } from '../../../models/conversation.ts';
import { nextId } from '../../../models/counter.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import type { RunRow } from '../../../models/run.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { codeOf, connectTestStore, makeWho, nextNumber } from '../../factories/account.ts';
import { makeInterrupt, makeProposal } from '../../factories/interrupt.ts';
import { eventually } from '../../factories/person.ts';

connectTestStore();

let accountId = 0;
let resumed: number[] = [];
beforeEach(() => {
  accountId = nextNumber();
  resumed = [];
  onAnswered(async ({ _id }) => void resumed.push(_id));
});
const inAccount = <T>(work: () => Promise<T>, of = accountId) => runInAccount(of, work);
const owner = (): Who => makeWho({ userId: 7, accountId });
const member = (): Who => ({ ...owner(), roles: ['member'] });
const write = async (change: Partial<InterruptRow> = {}): Promise<InterruptRow> => {
  const _id = await nextId('interrupt');
  const row = makeInterrupt({ _id, accountId, askKey: `ask:${_id}`, runId: new Types.ObjectId(), ...change });
  await inAccount(() => Interrupt.create(row), row.accountId);
  return row;
};
const read = ({ _id, accountId: of }: InterruptRow) =>
  inAccount(async () => requireRow(await Interrupt.findById(_id).lean()), of);
const DRAFT = { rows: [], version: 0, savedAt: null, savedBy: null };
const review = (change: Partial<InterruptRow> = {}) =>
  write({ interruptType: 'hazard_review', context: { rows: [makeProposal()] }, draft: DRAFT, ...change });
const rejected = (id = 'p1'): RowDecision => ({ id, outcome: 'rejected', reason: 'No' });

describe('an answer', () => {
  const answer = (row: InterruptRow, body: Parameters<typeof answerInterrupt>[2], who = owner()) =>
    inAccount(() => answerInterrupt(who, row._id, body, 'inbox'), who.accountId);

  test('is recorded once with who gave it, where and why, and its consequences are applied', async () => {
    const [row, other] = [await write(), await write()];
    await answer(row, { approved: false, reason: 'Too early' });
    const stands = await read(row);
    expect(stands).toMatchObject({
      status: 'resolved',
      userResponse: { approved: false },
      answerDigest: digestOf({ approved: false }),
      resolution: { outcome: 'rejected', by: { userId: 7, name: 'Ada Okafor' }, via: 'inbox', reason: 'Too early' },
    });
    expect(stands.resolution).not.toHaveProperty('shownUnder');
    expect(stands.resolvedAt).toEqual(stands.resolution?.at);
    await eventually(async () => (await read(row)).outbox.length === 0, 'what follows');
    expect(resumed).toEqual([row._id]);
    const events = await inAccount(() => AuditEvent.find({}).lean());
    expect(events).toMatchObject([
      {
        event: 'interrupt.answered',
        userId: 7,
        surface: 'inbox',
        subject: `interrupt:${row._id}`,
        shownDigest: row.shownDigest,
        outcome: `rejected:${digestOf({ approved: false })}`,
        at: stands.resolution?.at,
      },
    ]);
    expect(await read(other)).toMatchObject({ status: 'pending', resolution: null });
  });

  test('that was given before is shown to somebody who answers differently, and accepted from who repeats it', async () => {
    const row = await write();
    await answer(row, { approved: true });
    expect((await answer(row, { approved: true })).resolution?.outcome).toBe('approved');
    await expect(answer(row, { approved: false })).rejects.toMatchObject({
      code: 'already_answered',
      values: {
        text: expect.stringMatching(/^This was answered already\. Approved by Ada Okafor in the inbox, .*stands\.$/),
      },
      standing: { id: row._id, status: 'resolved' },
    });
    const withdrawn = await write({ status: 'cancelled' });
    await expect(answer(withdrawn, { approved: true })).rejects.toMatchObject({
      code: 'already_answered',
      values: { text: expect.stringContaining('withdrawn before it was answered') },
    });
  });

  test('is refused without permission, for another account’s question, and for an option that was not offered', async () => {
    const [row, theirs] = [await write({ shownDigest: 'now' }), await write({ accountId: accountId + 1000 })];
    expect(await codeOf(answer(row, { approved: true }, member()))).toBe('not_allowed');
    expect(await codeOf(answer(theirs, { approved: true }))).toBe('not_found');
    expect(await codeOf(answer(row, { approved: true, shownDigest: 'before' }))).toBe('conflict');
    expect(await read(row)).toMatchObject({ status: 'pending' });
    expect(await codeOf(answer(row, { approved: true, shownDigest: 'now' }))).toBe('done');
  });

  test('of a review is for the draft that was seen, if there was one', async () => {
    const rows = [rejected()];
    const begun = () => review({ draft: { ...DRAFT, version: 3 } });
    expect(await codeOf(answer(await begun(), { userResponse: { rows }, draftVersion: 2 }))).toBe('conflict');
    expect(await codeOf(answer(await begun(), { userResponse: { rows }, draftVersion: 3 }))).toBe('done');
    expect(await codeOf(answer(await begun(), { userResponse: { rows } }))).toBe('done');
    expect(await codeOf(answer(await begun(), { approved: true }))).toBe('done');
    // A closed question returns its answer, whatever draft was seen.
    const closed = await review({ status: 'cancelled', draft: { ...DRAFT, version: 3 } });
    expect(await codeOf(answer(closed, { approved: true, draftVersion: 2 }))).toBe('already_answered');
  });
});

describe('the consequences of an answer', () => {
  const answered = (change: Partial<InterruptRow> = {}) =>
    write({
      status: 'resolved',
      answerDigest: 'digest',
      outbox: ['resume'],
      resolution: { outcome: 'approved', by: { userId: 7, name: 'Ada' }, via: 'inbox', reason: null, at: new Date() },
      ...change,
    });

  test('are swept up if left over, each question on its own; failures wait for the next sweep', async () => {
    const [first, broken, last, open] = [
      await answered(),
      await answered(),
      await answered({ outbox: ['audit', 'resume', 'deliveries'] }),
      await write({ outbox: ['resume'] }),
    ];
    onAnswered(async ({ _id }) => {
      if (_id === broken._id) throw new Error('no room');
      resumed.push(_id);
    });
    await sweepConsequences();
    expect(resumed).toEqual([first._id, last._id]);
    expect(await read(broken)).toMatchObject({ outbox: ['resume'], begun: 0 });
    for (const row of [first, last]) expect(await read(row)).toMatchObject({ outbox: [], begun: 0 });
    expect(await read(open)).toMatchObject({ outbox: ['resume'] });
    onAnswered(async ({ _id }) => void resumed.push(_id));
    await inAccount(() => Interrupt.updateOne({ _id: broken._id }, { $set: { dueAt: new Date(0) } }));
    await sweepConsequences();
    expect(resumed).toEqual([first._id, last._id, broken._id]);
    await inAccount(() => Interrupt.deleteMany({}));
  });

  test('count each start on their own', async () => {
    const [row, beside] = [await answered(), await answered()];
    // As in rows written before starts were counted.
    await inAccount(() => Interrupt.collection.updateOne({ _id: row._id as never }, { $unset: { begun: '' } }));
    const counts: unknown[] = [];
    onAnswered(async ({ _id }) => {
      if (_id !== row._id) return;
      counts.push((await read(row)).begun);
      resumed.push(_id);
    });
    await sweepConsequences();
    expect(counts).toEqual([1]);
    expect(resumed).toEqual([row._id]);
    for (const one of [row, beside]) expect(await read(one)).toMatchObject({ outbox: [], begun: 0 });
  });

  test('are applied before anything is served, except those that started before and crashed the process', async () => {
    const [row, begun, audited] = [
      await answered(),
      await answered({ begun: 1 }),
      await answered({ outbox: ['audit'] }),
    ];
    await resumeAnswered();
    expect(resumed).toEqual([row._id]);
    for (const one of [begun, audited]) expect((await read(one)).outbox).toHaveLength(1);
    await inAccount(() => Interrupt.deleteMany({}));
  });
});

describe('a draft', () => {
  const save = (
    row: InterruptRow,
    rows: RowDecision[],
    version: number,
    chosen?: Record<string, string>,
    who = owner(),
  ) => inAccount(() => saveDraft(who, row._id, rows, version, chosen), who.accountId);

  test('is stored with who saved it, and only over the version that was seen', async () => {
    const [row, other] = [await review(), await review()];
    const saved = await save(row, [rejected()], 0, { p1: 'MED-02' });
    expect(saved.draft).toEqual({
      rows: [rejected()],
      chosen: { p1: 'MED-02' },
      version: 1,
      savedAt: expect.any(Date),
      savedBy: 'Ada Okafor',
    });
    expect((await save(row, [], 1)).draft).toMatchObject({ rows: [], chosen: { p1: 'MED-02' }, version: 2 });
    expect(await codeOf(save(row, [], 1))).toBe('conflict');
    expect(await read(other)).toMatchObject({ draft: DRAFT });
  });

  test('is stored only for a pending review, by somebody who may answer it', async () => {
    const [row, approval, closed] = [await review(), await write(), await review({ status: 'cancelled' })];
    const theirs = await review({ accountId: accountId + 1000 });
    expect(await codeOf(save(row, [], 0, {}, member()))).toBe('not_allowed');
    expect(await codeOf(save(approval, [], 0))).toBe('not_found');
    expect(await codeOf(save(theirs, [], 0))).toBe('not_found');
    expect(await codeOf(save(closed, [], 0))).toBe('conflict');
    expect(await codeOf(save({ ...row, _id: row._id + 100_000 }, [], 0))).toBe('not_found');
  });

  test('holds each row of its review at most once, and no other', async () => {
    const row = await review({ context: { rows: [makeProposal(), makeProposal({ id: 'p2' })] } });
    const wrong = [
      [rejected('p3')],
      [rejected(), rejected('p3')],
      [rejected(), { id: 'p1', outcome: 'accepted' as const }],
    ];
    for (const rows of wrong)
      await expect(save(row, rows, 0)).rejects.toMatchObject({
        code: 'bad_request',
        fields: { rows: expect.stringContaining('not part of this review, or was decided on twice') },
      });
    expect((await read(row)).draft).toEqual(DRAFT);
    expect((await save(row, [rejected('p2'), rejected()], 0)).draft?.rows).toHaveLength(2);
  });

  test('no longer marks a row as carried over once its decision changes', async () => {
    const rows = [rejected('a'), rejected('b'), rejected('c')];
    const asked = rows.map(({ id }) => makeProposal({ id }));
    const row = await review({ context: { rows: asked }, draft: { ...DRAFT, rows, kept: ['a', 'b', 'x'] } });
    const next = [{ ...rejected('a'), reason: 'Other' }, rejected('b'), rejected('c')];
    expect((await save(row, next, 0)).draft?.kept).toEqual(['b', 'x']);
    expect((await save(row, [rejected('c')], 1)).draft?.kept).toEqual(['x']);
  });

  test('saves one row at a time, even if somebody else saved in between', async () => {
    const row = await review({ context: { rows: [makeProposal(), makeProposal({ id: 'p2' })] } });
    const seen = (await inAccount(() => findQuestion(owner(), row._id))) as NonNullable<
      Awaited<ReturnType<typeof findQuestion>>
    >;
    await save(row, [rejected('p2')], 0);
    const kept = await inAccount(() => keepRow(owner(), seen, rejected('p1'), 'slack'));
    expect(kept.draft).toMatchObject({ rows: [rejected('p2'), rejected('p1')], version: 2 });
    const again = await inAccount(() => keepRow(owner(), kept, { id: 'p2', outcome: 'accepted' }, 'slack'));
    expect(again.draft?.rows).toEqual([rejected('p1'), { id: 'p2', outcome: 'accepted' }]);
    expect(await codeOf(inAccount(() => keepRow(member(), again, rejected('p1'), 'slack')))).toBe('not_allowed');
  });
});

describe('a run’s questions', () => {
  test('that are pending are withdrawn with it, and no others', async () => {
    const runId = new Types.ObjectId();
    const open = await write({ runId });
    const left = [await write({ runId, status: 'resolved', resolvedAt: new Date(0) }), await write()];
    await inAccount(() => cancelInterrupts(runId));
    expect(await read(open)).toMatchObject({ status: 'cancelled', resolvedAt: expect.any(Date) });
    for (const row of left) expect(await read(row)).toMatchObject({ status: row.status, resolvedAt: row.resolvedAt });
  });

  const auditOf = async (row: InterruptRow) =>
    (
      await inAccount(() =>
        AuditEvent.find({ accountId, subject: `interrupt:${row._id}` })
          .sort({ seq: 1 })
          .lean(),
      )
    ).map(({ event, userId, surface, outcome }) => [event, userId, surface, outcome]);

  test('are in the audit with who withdrew them, once, also where a crash came before', async () => {
    const runId = new Types.ObjectId();
    const [open, answered] = [await write({ runId }), await write({ runId, status: 'resolved' })];
    await inAccount(() => cancelInterrupts(runId, { by: 7 }));
    await inAccount(() => cancelInterrupts(runId, { by: 8 }));
    expect(await auditOf(open)).toEqual([['interrupt.withdrawn', 7, 'server', 'withdrawn']]);
    expect(await auditOf(answered)).toEqual([]);
    expect((await read(open)).outbox).toEqual([]);
    const [left, expired] = [
      await write({ status: 'cancelled', outbox: ['audit', 'deliveries'], resolvedAt: new Date(9), withdrawnBy: null }),
      await write({
        status: 'cancelled',
        outbox: ['audit'],
        resolvedAt: new Date(9),
        outside: { tokenId: new Types.ObjectId(), name: 'CI', expiresAt: new Date(9), webhook: null },
      }),
    ];
    await sweepConsequences();
    await sweepConsequences();
    expect(await auditOf(left)).toEqual([['interrupt.withdrawn', null, 'server', 'withdrawn']]);
    expect(await auditOf(expired)).toEqual([['interrupt.withdrawn', null, 'server', 'expired']]);
    expect((await read(left)).outbox).toEqual([]);
  });

  test('that were answered since they were read stay answered, and nothing says otherwise', async () => {
    const row = await write({ runId: new Types.ObjectId() });
    const seen = await read(row);
    await inAccount(() => Interrupt.updateOne({ _id: row._id }, { $set: { status: 'resolved' } }));
    expect(await inAccount(() => withdrawQuestion(seen, { by: 7 }))).toBe(false);
    expect(await auditOf(row)).toEqual([]);
    expect((await read(row)).status).toBe('resolved');
  });

  test('are withdrawn only while their draft is the one that was seen', async () => {
    const runId = new Types.ObjectId();
    const row = await review({ runId, draft: { ...DRAFT, version: 2 } });
    await inAccount(() => cancelInterrupts(runId, { draftVersion: 1 }));
    expect((await read(row)).status).toBe('pending');
    await inAccount(() => cancelInterrupts(runId, { draftVersion: 2 }));
    expect((await read(row)).status).toBe('cancelled');
    const any = await review({ runId, draft: { ...DRAFT, version: 5 } });
    await inAccount(() => cancelInterrupts(runId));
    expect((await read(any)).status).toBe('cancelled');
  });

  test('are asked once per step and round, however often that is tried', async () => {
    const run = { _id: new Types.ObjectId(), accountId, userAgentId: 3, step: 'ask', round: 0 } as RunRow;
    const agent = AGENTS[1];
    const ask = (change: object = {}, prompt = 'Shall I?') =>
      inAccount(() =>
        raiseInterrupt({ ...run, ...change }, null, agent as never, { interruptType: 'approval', prompt }),
      );
    // Before this one and after it, in any sort order.
    for (const _id of [new Types.ObjectId('0'.repeat(24)), new Types.ObjectId()]) await ask({ _id }, 'Of another run');
    const first = (await ask()).asked;
    expect(first).toMatchObject({ status: 'pending', prompt: 'Shall I?', userAgentId: 3, draft: null, outbox: [] });
    expect(first.shownDigest).toBe(digestOf({ prompt: 'Shall I?', options: [], context: {} }));
    expect((await ask({}, 'Another prompt')).asked).toMatchObject({ _id: first._id, prompt: 'Shall I?' });
    expect((await ask({ round: 1 })).asked._id).not.toBe(first._id);
    expect((await ask({ step: 'next' })).asked._id).not.toBe(first._id);
    expect(await inAccount(() => Interrupt.countDocuments({}))).toBe(5);
  });

  test('know the conversation that they were asked in', async () => {
    const run = { _id: new Types.ObjectId(), accountId, userAgentId: 3, step: 'ask', round: 0 } as RunRow;
    const address = { channel: 'arc', userId: 7 } as never;
    const conversation = await inAccount(() => Conversation.create({ accountId, key: 'mine', address }));
    const question = { interruptType: 'input' as const, prompt: 'Which?' };
    const { asked } = await inAccount(() =>
      raiseInterrupt(run, conversation.toObject() as never, AGENTS[1] as never, question),
    );
    expect(await read(asked)).toMatchObject({ conversationId: conversation._id });
  });

  test('start a review with the carried-over decisions, and others with none', async () => {
    const run = { _id: new Types.ObjectId(), accountId, userAgentId: 3, step: 'ask', round: 0 } as RunRow;
    const asked = async (round: number, more: object) =>
      (
        await inAccount(() =>
          raiseInterrupt({ ...run, round }, null, AGENTS[1] as never, {
            interruptType: 'hazard_review',
            prompt: 'Review',
            ...more,
          }),
        )
      ).asked;
    expect((await asked(0, {})).draft).toEqual(DRAFT);
    const more = { draft: [rejected()], chosen: { p1: 'MED-02' }, kept: ['p1'] };
    expect((await asked(1, more)).draft).toEqual({
      ...DRAFT,
      rows: [rejected()],
      chosen: more.chosen,
      kept: more.kept,
    });
    expect((await asked(2, {})).requires).toBe('clinical-safety-officer');
  });
});

describe('the inbox', () => {
  test('lists pending questions before closed ones, newest first, of its own account', async () => {
    const [one, two, three, four] = [
      await write(),
      await write({ status: 'cancelled' }),
      await write(),
      await write({ status: 'resolved' }),
    ];
    await write({ accountId: accountId + 1000 });
    const listed = await inAccount(() => listQuestions(accountId, owner()));
    expect(listed.map(({ id }) => id)).toEqual([three, one, four, two].map(({ _id }) => _id));
    expect(listed[0]?.abilities).toEqual({ answer: true, withdraw: true });
    expect((await inAccount(() => listQuestions(accountId)))[0]?.abilities).toEqual({ answer: false });
  });

  test('opens a pending question, and shows the outcome of a closed one', async () => {
    const [row, closed] = [await write(), await write({ status: 'cancelled' })];
    const theirs = await write({ accountId: accountId + 1000 });
    expect((await inAccount(() => requireOpen(owner(), row._id))).id).toBe(row._id);
    expect(await codeOf(inAccount(() => requireOpen(owner(), theirs._id)))).toBe('not_found');
    await expect(inAccount(() => requireOpen(owner(), closed._id))).rejects.toMatchObject({
      code: 'already_answered',
      values: { text: 'This question was withdrawn.' },
    });
    await inAccount(() => answerInterrupt(owner(), row._id, { approved: true }, 'teams'));
    await expect(inAccount(() => requireOpen(owner(), row._id))).rejects.toMatchObject({
      values: { text: expect.stringMatching(/^This was answered already\. Approved by Ada Okafor in Teams, /) },
    });
  });

  test('finds a question only for people in the conversation that it was asked in', async () => {
    const address = { channel: 'teams', tenant: 't', conversation: 'c' } as never;
    const conversation = await inAccount(() => Conversation.create({ accountId, key: 'c', address }));
    const row = await write({ conversationId: conversation._id });
    const find = (at: object, id: unknown = row._id) =>
      inAccount(() => findQuestionAskedIn(accountId, at as never, id));
    expect((await find(address))?.id).toBe(row._id);
    expect((await find({ channel: 'teams', conversation: 'c', thread: 'x' }))?.id).toBe(row._id);
    expect(await find({ channel: 'teams', conversation: 'd' })).toBeNull();
    expect(await find({ channel: 'slack', conversation: 'c' })).toBeNull();
    expect(await find({ channel: 'slack' }, (await write())._id)).toBeNull();
    for (const id of [String(row._id), 1.5, null, { $gt: 0 }, row._id + 100_000])
      expect(await find(address, id)).toBeNull();
  });
});
