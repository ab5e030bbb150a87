/** @environment store */
import { afterAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import mongoose, { Types } from 'mongoose';
import { openConversation } from '../../../bot/engine/conversations/conversations.ts';
import { viewInterrupt } from '../../../bot/engine/delivery/viewInterrupt.ts';
import { answerInterrupt } from '../../../bot/engine/interrupts/answerInterrupt.ts';
import { applyConsequences, onAnswered, sweepConsequences } from '../../../bot/engine/interrupts/applyConsequences.ts';
import { digestOf } from '../../../bot/engine/interrupts/digest.ts';
import { findQuestion, findQuestionAskedIn, listQuestions } from '../../../bot/engine/interrupts/listQuestions.ts';
import { requireOpen } from '../../../bot/engine/interrupts/openQuestion.ts';
import { raiseInterrupt } from '../../../bot/engine/interrupts/raiseInterrupt.ts';
import { saveDraft } from '../../../bot/engine/interrupts/saveDraft.ts';
import { viewQuestion } from '../../../bot/engine/questions/kinds/index.ts';
import { Account } from '../../../models/account.ts';
import { AuditEvent } from '../../../models/auditEvent.ts';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import type { ConsentMode } from '../../../models/contracts/preferences.ts';
import type { Surface } from '../../../models/contracts/surface.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { Message } from '../../../models/message.ts';
import type { Who } from '../../../models/policies/who.ts';
import type { RunRow } from '../../../models/run.ts';
import { dangerouslyRunInEveryAccount } from '../../../models/store/context.ts';
import { startSweepTimers } from '../../../models/store/dueTimers.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { connectTestStore, makeWho, nextNumber } from '../../factories/account.ts';
import { makeInterrupt, makeProposal } from '../../factories/interrupt.ts';
import { eventually } from '../../factories/person.ts';

connectTestStore();
let who: Who;
let resumed: number[];

afterAll(async () => {
  onAnswered(() => Promise.reject(new Error('Nothing resumes runs in this process.')));
});
beforeEach(() => {
  who = makeWho({ userId: 3, accountId: nextNumber() });
  resumed = [];
  onAnswered(async ({ _id }) => void resumed.push(_id));
});

/** Runs work in every account; the code under test enters the account itself. */
const inEveryAccount = dangerouslyRunInEveryAccount;
const write = async (overrides: Partial<InterruptRow> = {}): Promise<InterruptRow> => {
  const row = makeInterrupt({
    _id: nextNumber(),
    accountId: who.accountId,
    askKey: String(nextNumber()),
    ...overrides,
  });
  await inEveryAccount(() => Interrupt.create(row));
  return row;
};
const read = async (_id: number) => requireRow(await inEveryAccount(() => Interrupt.findOne({ _id }).lean()));
const makeDue = ({ _id }: InterruptRow) =>
  inEveryAccount(() => Interrupt.updateOne({ _id }, { $set: { dueAt: new Date(0) } }));
const settled = (_id: number) =>
  eventually(async () => (await read(_id)).outbox.length === 0 && read(_id), 'what follows an answer');
const answer = (
  { _id }: { _id: number },
  given: Parameters<typeof answerInterrupt>[2],
  via: Surface = 'inbox',
  drawnUnder?: ConsentMode,
  by = who,
) => inEveryAccount(() => answerInterrupt(by, _id, given, via, { drawnUnder }));
const refusal = (code: string) => expect.objectContaining({ code });
const noDraft = { rows: [], version: 4, savedAt: null, savedBy: null };
const review = (overrides: Partial<InterruptRow> = {}) =>
  write({
    interruptType: 'hazard_review',
    context: { rows: [makeProposal({ id: 'a' }), makeProposal({ id: 'b' })] },
    draft: noDraft,
    ...overrides,
  });
const rows = [
  { id: 'a', outcome: 'accepted' as const },
  { id: 'b', outcome: 'rejected' as const },
];

describe('an answer', () => {
  test('is for a question of the person’s own account, if they may answer', async () => {
    const row = await write();
    await expect(answer({ _id: nextNumber() }, { approved: true })).rejects.toEqual(refusal('not_found'));
    const stranger = { ...who, accountId: nextNumber() };
    await expect(answer(row, { approved: true }, 'inbox', 'full', stranger)).rejects.toEqual(refusal('not_found'));
    const member: Who = { ...who, roles: ['member'] };
    await expect(answer(row, { approved: true }, 'inbox', 'full', member)).rejects.toEqual(refusal('not_allowed'));
    expect(await read(row._id)).toMatchObject({ status: 'pending', outbox: [] });
  });

  test.each<[given: Parameters<typeof answerInterrupt>[2], stands: string]>([
    [{ approved: true }, 'pending'],
    [{ userResponse: { rows }, draftVersion: 4 }, 'pending'],
    [{ userResponse: { rows } }, 'resolved'],
  ])('%j does not overwrite a decision saved while it is checked: %s', async (given, stands) => {
    const row = await review();
    const update = Interrupt.updateOne.bind(Interrupt);
    const spy = jest
      .spyOn(Interrupt, 'updateOne')
      .mockImplementationOnce(((...how: Parameters<typeof update>) =>
        update({ _id: row._id }, { $set: { 'draft.version': 5 } }).then(() => update(...how))) as never);
    try {
      const outcome = await answer(row, given).catch((error: unknown) => error);
      expect(outcome).toMatchObject(stands === 'pending' ? { code: 'conflict' } : { status: 'resolved' });
      expect((await read(row._id)).status).toBe(stands);
    } finally {
      spy.mockRestore();
    }
    if (stands === 'resolved') await settled(row._id);
  });

  test.each<[via: Surface, drawnUnder: ConsentMode | undefined, shownUnder: ConsentMode | undefined]>([
    ['inbox', undefined, undefined],
    ['arc-chat', undefined, undefined],
    ['inbox', 'redacted', 'redacted'],
    ['slack', undefined, undefined],
    ['slack-home', undefined, undefined],
    ['slack', 'reference-only', 'reference-only'],
    ['teams', undefined, 'redacted'],
    ['teams', 'full', 'redacted'],
    ['teams', 'reference-only', 'reference-only'],
  ])('in %s, drawn under %s: what was shown is stored as %s', async (via, drawnUnder, shownUnder) => {
    await Account.create({ _id: who.accountId, name: 'A', channelConsent: { slack: 'full', teams: 'redacted' } });
    const row = await write();
    const { resolution } = await answer(row, { approved: true }, via, drawnUnder);
    expect(resolution?.shownUnder).toBe(shownUnder);
    const shown = shownUnder && viewQuestion(viewInterrupt(row, null, 'UTC'), shownUnder);
    const digest = shown && digestOf({ mode: shownUnder, ...shown });
    expect(resolution?.shownDigest).toBe(digest);
    await settled(row._id);
    const audit = await inEveryAccount(() => AuditEvent.findOne({ accountId: who.accountId }).lean());
    expect(audit?.shownDigest).toBe(digest ?? 'digest');
  });

  test('whose run can’t resume yet is retried in about two seconds, and the rest is done', async () => {
    onAnswered(() => Promise.reject(new Error('the store is away')));
    const none = async () => undefined;
    const stop = startSweepTimers({ consequences: none, runs: none, turns: none, deliveries: none });
    const timers = jest.spyOn(globalThis, 'setTimeout');
    try {
      const row = await write();
      await answer(row, { approved: true });
      const isAbout = (wait = 0) => wait > 1400 && wait <= 2720;
      await eventually(async () => timers.mock.calls.some(([, wait]) => isAbout(wait)), 'the timer');
      expect(await read(row._id)).toMatchObject({ outbox: ['resume'], attempts: 1, error: 'the store is away' });
      expect(await inEveryAccount(() => AuditEvent.countDocuments({ accountId: who.accountId }))).toBe(1);
      onAnswered(async ({ _id }) => void resumed.push(_id));
      await sweepConsequences();
      expect(resumed).toEqual([]);
      await makeDue(row);
      await sweepConsequences();
      expect(resumed).toEqual([row._id]);
      expect(await read(row._id)).toMatchObject({ outbox: [], error: null });
    } finally {
      timers.mockRestore();
      stop();
    }
  });
});

describe('the consequences of an answer', () => {
  const resolution = { outcome: 'approved', by: { userId: 3, name: 'Ada' }, via: 'inbox', reason: null } as const;
  const answered = (overrides: Partial<InterruptRow> = {}) =>
    write({
      status: 'resolved',
      answerDigest: 'd',
      resolution: { ...resolution, at: new Date() },
      outbox: ['resume', 'audit', 'deliveries'],
      ...overrides,
    });

  test('start with resuming the run', async () => {
    const order: string[] = [];
    onAnswered(async ({ _id }) => {
      order.push(String(await inEveryAccount(() => AuditEvent.countDocuments({ accountId: who.accountId }))));
      order.push(String((await read(_id)).begun));
    });
    const row = await answered();
    await sweepConsequences();
    expect(order).toEqual(['0', '1']);
    expect(await read(row._id)).toMatchObject({ outbox: [], begun: 0 });
    expect(await inEveryAccount(() => AuditEvent.countDocuments({ accountId: who.accountId }))).toBe(1);
  });

  test('are not started if another process has claimed them since they were read', async () => {
    const row = await answered({ outbox: ['resume'], begun: 1 });
    const update = Interrupt.updateOne.bind(Interrupt);
    const taken = { lease: { owner: 'other:1:x', id: 'theirs' }, dueAt: new Date(Date.now() + 60_000) };
    const spy = jest
      .spyOn(Interrupt, 'updateOne')
      .mockImplementationOnce(((...how: Parameters<typeof update>) =>
        update({ _id: row._id }, { $set: taken }).then(() => update(...how))) as never);
    try {
      await sweepConsequences();
    } finally {
      spy.mockRestore();
    }
    expect(resumed).toEqual([]);
    expect(await read(row._id)).toMatchObject({ outbox: ['resume'], begun: 1, ...taken });
    await makeDue(row);
    await sweepConsequences();
    expect(resumed).toEqual([row._id]);
  });

  test('that fail keep none of the others back, and are given up after the policy, with their error', async () => {
    const address = { channel: 'arc' as const, conversation: `user:${nextNumber()}`, thread: null };
    const { _id: conversationId } = await inEveryAccount(() => openConversation(who.accountId, address));
    onAnswered(() => Promise.reject(new Error('the store is away')));
    const row = await answered({ conversationId });
    for (let time = 1; time < 12; time += 1) {
      await sweepConsequences();
      expect(await read(row._id)).toMatchObject({ outbox: ['resume'], begun: 0, attempts: time, setAside: [] });
      await makeDue(row);
    }
    await sweepConsequences();
    const over = { outbox: [], setAside: ['resume'], attempts: 12, error: 'the store is away', lease: null };
    expect(await read(row._id)).toMatchObject(over);
    const said = await inEveryAccount(() => Message.find({ accountId: who.accountId }).lean());
    expect(said.map(({ text }) => text)).toEqual([expect.stringContaining('it failed each time it tried')]);
    expect(await inEveryAccount(() => AuditEvent.countDocuments({ accountId: who.accountId }))).toBe(1);
  });

  test('are applied by one process; another one takes over when the lease has expired, and the first writes nothing more', async () => {
    let finish = () => {};
    onAnswered(({ _id }) => {
      resumed.push(_id);
      return resumed.length > 1
        ? Promise.resolve()
        : new Promise((resolve) => {
            finish = resolve;
          });
    });
    const row = await write();
    await answer(row, { approved: true });
    await eventually(async () => resumed.length === 1, 'the first attempt');
    const { lease, dueAt } = await read(row._id);
    expect(lease).toMatchObject({ owner: expect.any(String), id: expect.any(String) });
    expect((dueAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(20_000);
    await sweepConsequences();
    expect(resumed).toHaveLength(1);
    // As another process takes it over: this one still holds it.
    const taken = { lease: { owner: 'other:1:x', id: 'theirs' }, dueAt: new Date(Date.now() + 60_000) };
    await inEveryAccount(() => Interrupt.updateOne({ _id: row._id }, { $set: taken }));
    finish();
    await eventually(
      async () => (await inEveryAccount(() => AuditEvent.countDocuments({ accountId: who.accountId }))) === 1,
      'the audit',
    );
    expect(await read(row._id)).toMatchObject({ outbox: ['resume', 'audit', 'deliveries'], ...taken });
  });

  test('of an answer that the release before recorded are applied', async () => {
    const row = await answered({ outbox: ['audit', 'resume', 'deliveries'] });
    const added = { dueAt: '', lease: '', attempts: '', begun: '', error: '' };
    await inEveryAccount(() => Interrupt.collection.updateOne({ _id: row._id as never }, { $unset: added }));
    await sweepConsequences();
    expect(resumed).toEqual([row._id]);
    expect(await read(row._id)).toMatchObject({ outbox: [] });
  });

  test.each([
    [1, []],
    [2, ['resume']],
    [3, ['resume']],
  ])('started %i times before are set aside: %j', async (begun, setAside) => {
    const row = await answered({ outbox: ['resume', 'deliveries'], begun });
    await sweepConsequences();
    expect(await read(row._id)).toMatchObject({ outbox: [], setAside, begun: 0 });
    expect(resumed).toEqual(setAside.length > 0 ? [] : [row._id]);
  });

  test('that are set aside are reported where the question was asked', async () => {
    const address = { channel: 'arc' as const, conversation: `user:${nextNumber()}`, thread: null };
    const { _id: conversationId } = await inEveryAccount(() => openConversation(who.accountId, address));
    const row = await answered({ outbox: ['audit'], begun: 2, conversationId });
    await sweepConsequences();
    const said = await inEveryAccount(() => Message.find({ accountId: who.accountId }).lean());
    expect(said).toMatchObject([{ messageType: 'system', key: `interrupt:${row._id}:set-aside:audit` }]);
    expect(said[0]?.text).toContain(`question ${row._id} is kept, but the entry in the audit trail is missing`);
  });

  test('a row without a decision leaves no entry in the audit trail', async () => {
    const row = await answered({ resolution: null, outbox: ['audit'] });
    await inEveryAccount(() => applyConsequences(row));
    expect((await read(row._id)).outbox).toEqual([]);
    expect(await inEveryAccount(() => AuditEvent.countDocuments({ accountId: who.accountId }))).toBe(0);
  });
});

describe('the draft of a review', () => {
  const save = (row: InterruptRow, version: number, chosen?: Record<string, string>, by = who) =>
    inEveryAccount(() => saveDraft(by, row._id, rows, version, chosen));

  test('belongs to a review of the person’s own account, if they may answer', async () => {
    const row = await review();
    await expect(save(await write(), 4)).rejects.toEqual(refusal('not_found'));
    await expect(save(row, 4, {}, { ...who, accountId: nextNumber() })).rejects.toEqual(refusal('not_found'));
    await expect(save(row, 4, {}, { ...who, roles: ['approver'] })).rejects.toEqual(refusal('not_allowed'));
    await expect(save(row, 4, {}, { ...who, hasOfficer: true })).rejects.toEqual(refusal('needs_officer'));
    expect((await read(row._id)).draft).toEqual(noDraft);
  });
});

describe('an account’s questions', () => {
  test('are listed pending first, then the closed ones, newest first, without other accounts’', async () => {
    const old = await write({ status: 'resolved' });
    const [first, second] = [await write(), await write()];
    const withdrawn = await write({ status: 'cancelled' });
    await write({ accountId: nextNumber() });
    const listed = await inEveryAccount(() => listQuestions(who.accountId, who));
    expect(listed.map((one) => one.id)).toEqual([second._id, first._id, withdrawn._id, old._id]);
    expect(listed.map(({ abilities }) => abilities.answer)).toEqual([true, true, false, false]);
    expect((await inEveryAccount(() => listQuestions(who.accountId)))[0]?.abilities).toEqual({ answer: false });
  });

  test('are limited to what an inbox shows', async () => {
    const limits: unknown[] = [];
    mongoose.set('debug', (_collection: string, method: string, _filter: unknown, ...more: unknown[]) => {
      if (method === 'find') limits.push(...more.map((it) => (it as { limit?: number } | undefined)?.limit));
    });
    try {
      await inEveryAccount(() => listQuestions(who.accountId));
      await sweepConsequences();
    } finally {
      mongoose.set('debug', false);
    }
    expect(limits.filter(Boolean)).toEqual([500, 100, 200, 200]);
  });

  test('can be read one by one, from the own account only, with the company’s time', async () => {
    await Account.create({ _id: who.accountId, name: 'A', timeZone: 'Asia/Tokyo' });
    const at = new Date('2026-03-04T14:02:00Z');
    const by = { userId: 3, name: 'Ada' };
    const row = await write({
      status: 'resolved',
      resolution: { outcome: 'approved', by, via: 'inbox', reason: null, at },
    });
    const found = await inEveryAccount(() => findQuestion(who, row._id));
    expect(found?.resolution?.text).toBe('Approved by Ada in the inbox, 23:02');
    expect(await inEveryAccount(() => findQuestion({ ...who, accountId: nextNumber() }, row._id))).toBeNull();
    const open = (it: InterruptRow) => inEveryAccount(() => requireOpen(who, it._id));
    await expect(open(row)).rejects.toThrow(
      'This was answered already. Approved by Ada in the inbox, 23:02. That answer stands.',
    );
    await expect(open(await write({ status: 'cancelled' }))).rejects.toThrow('This question was withdrawn.');
    await expect(open({ ...row, _id: nextNumber() })).rejects.toEqual(refusal('not_found'));
    const waiting = await write();
    expect(await open(waiting)).toMatchObject({ id: waiting._id, abilities: { answer: true } });
  });

  test('that were asked in a channel are found from there, in any thread', async () => {
    const address = { channel: 'slack' as const, conversation: `C${nextNumber()}`, thread: '1.2' };
    const { _id: conversationId } = await inEveryAccount(() => openConversation(who.accountId, address));
    const row = await write({ conversationId });
    const find = (at: object, number: unknown = row._id, accountId = who.accountId) =>
      inEveryAccount(() => findQuestionAskedIn(accountId, { ...address, ...at }, number));
    expect(await find({})).toMatchObject({ id: row._id, abilities: { answer: false } });
    expect(await find({ thread: null })).toMatchObject({ id: row._id });
    expect(await find({ channel: 'teams' })).toBeNull();
    expect(await find({ conversation: 'C0' })).toBeNull();
    expect(await find({}, String(row._id))).toBeNull();
    expect(await find({}, nextNumber())).toBeNull();
    expect(await find({}, row._id, nextNumber())).toBeNull();
    expect(await find({}, (await write())._id)).toBeNull();
  });
});

describe('a question that is asked', () => {
  const run = (more: Partial<RunRow> = {}) =>
    ({ _id: new Types.ObjectId(), accountId: who.accountId, userAgentId: 5, step: 'ask', round: 0, ...more }) as RunRow;
  const agent = findAgent('clinical_safety')!;
  const raise = async (it: RunRow, question: Parameters<typeof raiseInterrupt>[3]) =>
    (await inEveryAccount(() => raiseInterrupt(it, null, agent, question))).asked;

  test('is stored as shown, with its digest', async () => {
    const it = run({ round: 2 });
    const context = { description: 'Why' };
    const asked = await raise(it, { interruptType: 'decision', prompt: 'Which?', options: ['A', 'B'], context });
    expect(await read(asked._id)).toMatchObject({
      accountId: who.accountId,
      userAgentId: 5,
      agentId: 'clinical_safety',
      agentName: 'Clara',
      runId: it._id,
      conversationId: null,
      askKey: `${it._id}:ask:2`,
      interruptType: 'decision',
      requires: null,
      status: 'pending',
      options: ['A', 'B'],
      context,
      draft: null,
      outbox: [],
      resolvedAt: null,
      shownDigest: digestOf({ prompt: 'Which?', options: ['A', 'B'], context }),
    });
    const bare = await raise(run(), { interruptType: 'input', prompt: 'What?' });
    expect(bare).toMatchObject({ options: [], context: {} });
  });
});
