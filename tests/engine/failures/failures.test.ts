/** @environment mail */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { sweepDeliveries } from '../../../bot/engine/delivery/sweepDeliveries.ts';
import { dropFailure, readFailures, retryFailure } from '../../../bot/engine/failures/failures.ts';
import { sweepConsequences } from '../../../bot/engine/interrupts/applyConsequences.ts';
import { Delivery, type DeliveryRow } from '../../../models/delivery.ts';
import { Interrupt } from '../../../models/interrupt.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { Turn } from '../../../models/turn.ts';
import { User } from '../../../models/user.ts';
import { makeMailedCompany, subjectsTo } from '../../factories/mailed.ts';
import { auditOf } from '../../factories/members.ts';
import { type Server, startServer } from '../../factories/server.ts';
import { codeOf } from '../../factories/who.ts';

const ADMIN = { userId: 7 };

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

type Company = Awaited<ReturnType<typeof makeMailedCompany>>;

async function fail({ accountId }: Company, change: Partial<DeliveryRow>): Promise<string> {
  const _id = new Types.ObjectId();
  const row = { _id, accountId, surface: 'inbox', key: String(_id), status: 'failed', attempts: 12, error: 'Refused.' };
  await runInAccount(accountId, () => Delivery.create({ ...row, begun: 2, ...change } as never));
  return String(_id);
}
const read = async ({ accountId }: Company, id: string) =>
  requireRow(await runInAccount(accountId, () => Delivery.findById(id).lean()));
const listedOf = async ({ accountId }: Company) =>
  (await readFailures()).failures.filter((one) => one.accountId === accountId);

describe('a delivery that was given up', () => {
  test('is listed with its company and last error, the newest first, and without content', async () => {
    const company = await makeMailedCompany();
    const other = await makeMailedCompany();
    await fail(other, { messageId: new Types.ObjectId() });
    const ids = [
      await fail(company, { interruptId: 34, surface: 'slack' }),
      await fail(company, { messageId: new Types.ObjectId(), surface: 'teams' }),
      await fail(company, { webhook: { interruptId: 35, tokenId: new Types.ObjectId() }, surface: 'api' }),
      await fail(company, { task: { conversationId: new Types.ObjectId(), sealed: {} as never } }),
      await fail(company, { mail: { userId: 1, name: 'digest', facts: {} }, surface: 'mail', error: null }),
    ];
    await fail(company, { status: 'sent' });
    const failures = await listedOf(company);
    expect(failures.map(({ id, what, where, reason }) => [id, what, where, reason])).toEqual([
      [ids[4], 'Mail: digest', 'mail', 'unknown'],
      [ids[3], 'Task in a channel', 'inbox', 'Refused.'],
      [ids[2], 'Webhook of question 35', 'api', 'Refused.'],
      [ids[1], 'Message', 'teams', 'Refused.'],
      [ids[0], 'Question 34', 'slack', 'Refused.'],
    ]);
    expect(failures[0]).toMatchObject({ kind: 'delivery', companyName: 'Quillmere', attempts: 12 });
  });

  test('is sent when it is tried again, once, and its company can read who did that', async () => {
    const company = await makeMailedCompany();
    const { userId, email } = await company.member(['owner']);
    await User.updateOne({ _id: userId }, { $set: { mailRefusedAt: new Date() } });
    const { _id } = await company.question();
    const facts = { interruptId: _id, occasion: 'reminded' };
    const id = await fail(company, { mail: { userId, name: 'question', facts }, surface: 'mail' });
    const [other, sent] = [await fail(company, { interruptId: 1 }), await fail(company, { status: 'sent' })];
    expect(await codeOf(retryFailure(ADMIN, { kind: 'delivery', id: sent }))).toBe('not_found');
    const results = await Promise.all([1, 2].map(() => codeOf(retryFailure(ADMIN, { kind: 'delivery', id }))));
    expect(results.toSorted()).toEqual(['done', 'not_found']);
    expect(await read(company, id)).toMatchObject({ status: 'due', attempts: 0, begun: 0, error: null });
    await sweepDeliveries();
    await company.sent();
    expect(subjectsTo(email)).toEqual(['Clara still waits for an answer']);
    expect((await listedOf(company)).map((one) => one.id)).toEqual([other]);
    const events = await auditOf(company.accountId);
    expect(new Set(events)).toEqual(new Set([`failure.retried by ${ADMIN.userId}: delivery:${id} mail`]));
    expect(await codeOf(retryFailure(ADMIN, { kind: 'delivery', id }))).toBe('not_found');
    expect(await codeOf(retryFailure(ADMIN, { kind: 'delivery', id: 'none' }))).toBe('not_found');
  });

  test('of a question that was answered in the meantime shows its outcome, where it was shown', async () => {
    const company = await makeMailedCompany();
    const row = await company.question();
    await company.settle(row);
    const interruptId = row._id;
    const shown = await fail(company, { interruptId, reference: { ts: '1' }, surface: 'slack' });
    const never = await fail(company, { interruptId, surface: 'teams' });
    const open = await fail(company, { interruptId: (await company.question())._id, surface: 'slack' });
    for (const id of [shown, never, open]) await retryFailure(ADMIN, { kind: 'delivery', id });
    const states = await Promise.all([shown, never, open].map(async (id) => (await read(company, id)).status));
    expect(states).toEqual(['closing', 'closed', 'due']);
  });
});

test('what is dropped is listed no more and not tried again, and its company can read who did that', async () => {
  const company = await makeMailedCompany();
  const id = await fail(company, { interruptId: 34, surface: 'slack' });
  const { _id } = await company.question({ status: 'resolved', setAside: ['audit'], runId: null });
  const [delivery, answer] = [{ kind: 'delivery', id } as const, { kind: 'answer', id: `${_id}` } as const];
  for (const one of [delivery, answer]) {
    const results = await Promise.all([1, 2].map(() => codeOf(dropFailure(ADMIN, one))));
    expect(results.toSorted()).toEqual(['done', 'not_found']);
    expect(await codeOf(retryFailure(ADMIN, one))).toBe('not_found');
  }
  expect(await listedOf(company)).toEqual([]);
  await Promise.all([sweepDeliveries(), sweepConsequences()]);
  expect(await read(company, id)).toMatchObject({ status: 'dropped', error: 'Refused.' });
  const events = new Set(await auditOf(company.accountId));
  expect(events).toContain(`failure.dropped by ${ADMIN.userId}: delivery:${id} slack`);
  expect(events).toContain(`failure.dropped by ${ADMIN.userId}: interrupt:${_id} audit`);
});

test('effects of an answer that were given up are listed, and applied when they are tried again', async () => {
  const company = await makeMailedCompany();
  const { accountId } = company;
  const by = { userId: 9, name: 'Ada Okafor' };
  const resolution = { outcome: 'approved', by, via: 'inbox', reason: null, at: new Date() } as never;
  const row = await company.question({
    ...{ status: 'resolved', answerDigest: 'abc', resolution, resolvedAt: new Date() },
    ...{ setAside: ['audit'], begun: 2, runId: null },
  });
  const other = await company.question({ status: 'cancelled', setAside: ['audit'], runId: null });
  await runInAccount(accountId, () => Interrupt.updateOne({ _id: other._id }, { $set: { createdAt: new Date(0) } }));
  expect(await listedOf(company)).toMatchObject([
    {
      kind: 'answer',
      id: `${row._id}`,
      what: `Answer to question ${row._id}: its entry in the audit`,
      where: 'server',
    },
    { kind: 'answer', id: `${other._id}`, at: new Date(0).toISOString() },
  ]);
  await retryFailure(ADMIN, { kind: 'answer', id: `${row._id}` });
  const again = await runInAccount(accountId, () => Interrupt.findById(row._id).lean());
  expect(again).toMatchObject({ setAside: [], outbox: ['audit'], begun: 0 });
  await sweepConsequences();
  const kept = await runInAccount(accountId, () => Interrupt.findById(row._id).lean());
  expect(kept).toMatchObject({ setAside: [], outbox: [] });
  const events = await auditOf(accountId);
  expect(events.filter((event) => event.startsWith('interrupt.answered'))).toHaveLength(1);
  expect(events[0]).toBe(`failure.retried by ${ADMIN.userId}: interrupt:${row._id} audit`);
  expect((await listedOf(company)).map(({ id }) => id)).toEqual([`${other._id}`]);
  expect(await codeOf(retryFailure(ADMIN, { kind: 'answer', id: `${row._id}` }))).toBe('not_found');
  expect(await codeOf(retryFailure(ADMIN, { kind: 'answer', id: 'none' }))).toBe('not_found');
});

test('a message that could not be handled is listed without its words, and handled when it is tried again', async () => {
  const company = await makeMailedCompany();
  const { accountId } = company;
  const [conversationId, _id] = [new Types.ObjectId(), new Types.ObjectId()];
  const speaker = { userId: 1, platformId: null, name: 'Ada' };
  await runInAccount(accountId, () =>
    Turn.create({
      ...{ _id, accountId, conversationId, channel: 'arc', speaker, text: 'Secret words', eventId: String(_id) },
      ...{ status: 'failed', attempts: 7, error: 'The store is lost.', createdAt: new Date(0) },
    } as never),
  );
  const [failure] = await listedOf(company);
  expect(failure).toMatchObject({ kind: 'turn', id: String(_id), where: 'arc', attempts: 7 });
  expect(JSON.stringify(failure)).not.toContain('Secret');
  await retryFailure(ADMIN, { kind: 'turn', id: String(_id) });
  const again = await runInAccount(accountId, () => Turn.findById(_id).lean());
  expect(again).toMatchObject({ status: 'stored', attempts: 0, error: null });
  expect(await auditOf(accountId)).toContain(`failure.retried by ${ADMIN.userId}: turn:${_id} arc`);
  await runInAccount(accountId, () => Turn.updateOne({ _id }, { $set: { status: 'failed' } }));
  await dropFailure(ADMIN, { kind: 'turn', id: String(_id) });
  expect(await listedOf(company)).toEqual([]);
});
