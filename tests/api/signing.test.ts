import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { answerInterrupt } from '../../bot/engine/interrupts/answerInterrupt.ts';
import { AuditEvent } from '../../models/auditEvent.ts';
import { nextId } from '../../models/counter.ts';
import { Interrupt, type InterruptRow } from '../../models/interrupt.ts';
import { runInAccount } from '../../models/store/context.ts';
import { User } from '../../models/user.ts';
import { addColleague } from '../factories/colleague.ts';
import { makeInterrupt } from '../factories/interrupt.ts';
import { type Person, signUp, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';
import { codeOf, makeWho } from '../factories/who.ts';

let server: Server;
let officer: Person & { agent: { id: number } };
const REGISTRATION = { profession: 'Nurse', register: 'NMC', registrationNumber: '12A3456' };
beforeAll(async () => {
  server = await startServer();
  officer = await signUpReady(server);
  const clinicalSafetyOfficer = { userId: officer.user.id, ...REGISTRATION };
  await officer.browser.put('/api/preferences').send({ clinicalSafetyOfficer, signsAnswers: true }).expect(200);
});
afterAll(() => server.stop());

const inAccount = <T>(work: () => Promise<T>) => runInAccount(officer.user.accountId, work);
async function ask(change: Partial<InterruptRow> = {}): Promise<number> {
  const _id = await nextId('interrupt');
  const { accountId } = officer.user;
  const row = makeInterrupt({ _id, accountId, runId: new Types.ObjectId(), askKey: `${_id}`, ...change });
  await inAccount(() => Interrupt.create({ ...row, userAgentId: officer.agent.id }));
  return _id;
}
const clinical = () => ask({ requires: 'clinical-safety-officer' });
const rowOf = (id: number) => inAccount(() => Interrupt.findOne({ _id: id }).lean());
const eventsOf = async (id: number) => {
  const rows = await inAccount(() =>
    AuditEvent.find({ subject: `interrupt:${id}` })
      .sort({ seq: 1 })
      .lean(),
  );
  return rows.map(({ event, surface, userId }) => [event, surface, userId]);
};
const SIGN = { password: 'correct-horse-1', reason: 'Read against the log' };

let id: number;
let shownDigest: string;
beforeEach(async () => {
  id = await clinical();
  shownDigest = (await rowOf(id))?.shownDigest ?? '';
});
const resolve = (body: object, of = id) => officer.browser.patch(`/api/interrupts/${of}/resolve`).send(body);
const codes = async (body: object) => {
  const answer = await resolve(body);
  return [answer.status, answer.body.code, answer.body.fields ?? null];
};

describe('an answer that needs the officer, where the company signs', () => {
  test('is refused without a signature, and nothing is kept', async () => {
    expect(await codes({ approved: true, shownDigest })).toEqual([403, 'signature_needed', null]);
    expect(await rowOf(id)).toMatchObject({ status: 'pending', proposal: null });
    expect(await eventsOf(id)).toEqual([]);
  });

  test('is signed with the password, a reason, and the registration of the officer', async () => {
    const { body } = await resolve({ approved: true, shownDigest, sign: SIGN }).expect(200);
    expect(body.resolution.text).toMatch(/^Approved by Ada Okafor in .*, signed \(Nurse, NMC 12A3456\)$/);
    const row = await rowOf(id);
    expect(row?.signature).toMatchObject({
      userId: officer.user.id,
      reason: 'Read against the log',
      registration: 'Nurse, NMC 12A3456',
      answerDigest: row?.answerDigest,
    });
    expect(JSON.stringify(row)).not.toContain(SIGN.password);
    expect((await eventsOf(id))[0]).toEqual(['interrupt.signed', 'inbox', officer.user.id]);
    // The same answer again needs no further signature; it is recorded already.
    await resolve({ approved: true, shownDigest }).expect(200);
  });

  test('is refused with another password, without a reason, or for something else than was shown', async () => {
    expect(await codes({ approved: true, shownDigest, sign: { ...SIGN, password: 'wrong-horse-1' } })).toEqual([
      400,
      'bad_request',
      { 'sign.password': 'This is not your password.' },
    ]);
    expect(await codes({ approved: true, shownDigest, sign: { ...SIGN, reason: ' ' } })).toEqual([
      400,
      'bad_request',
      { 'sign.reason': 'Say why you sign this.' },
    ]);
    expect((await codes({ approved: true, sign: SIGN }))[1]).toBe('conflict');
    expect((await codes({ approved: true, shownDigest: 'x', sign: SIGN }))[1]).toBe('conflict');
    expect(await eventsOf(id)).toEqual([]);
    expect((await rowOf(id))?.status).toBe('pending');
  });

  test('can’t be signed by who has no password', async () => {
    const before = await User.findById(officer.user.id).lean();
    await User.updateOne({ _id: officer.user.id }, { $set: { passwordHash: null } });
    const answer = await codes({ approved: true, shownDigest, sign: SIGN });
    await User.updateOne({ _id: officer.user.id }, { $set: { passwordHash: before?.passwordHash ?? null } });
    expect(answer.slice(0, 2)).toEqual([422, 'not_available']);
  });

  test('is a proposal where nobody can sign: the question stays pending and says so', async () => {
    const { accountId, id: userId } = officer.user;
    const who = makeWho({
      accountId,
      userId,
      name: 'Ada Okafor',
      roles: ['clinical-safety-officer'],
      hasOfficer: true,
    });
    const press = (approved: boolean) => inAccount(() => answerInterrupt(who, id, { approved }, 'slack'));
    expect(await codeOf(press(true))).toBe('signature_needed');
    expect(await codeOf(press(true))).toBe('signature_needed');
    const { body } = await officer.browser.get(`/api/interrupts/${id}`).expect(200);
    expect(body.status).toBe('pending');
    expect(body.proposed).toMatch(/^Approved as a proposal by Ada Okafor in .*\. It waits for a signature\.$/);
    expect(await eventsOf(id)).toEqual([['interrupt.proposed', 'slack', userId]]);
    // A proposal binds nobody.
    const signed = await resolve({ approved: false, shownDigest, sign: SIGN }).expect(200);
    expect([signed.body.resolution.outcome, signed.body.proposed]).toEqual(['rejected', undefined]);
  });
});

test('switched off, it counts for the next answer, and again once it is switched on', async () => {
  const change = (signsAnswers: boolean) => officer.browser.put('/api/preferences').send({ signsAnswers }).expect(200);
  await change(false);
  await resolve({ approved: true, shownDigest }).expect(200);
  await change(true);
  expect((await resolve({ approved: true }, await clinical())).body.code).toBe('signature_needed');
});

test('an answer that can’t be recorded is refused for that before anybody has to sign', async () => {
  expect(await codes({ approved: true, shownDigest: 'x' })).toEqual([409, 'conflict', null]);
  expect(await codes({ shownDigest })).toMatchObject([400, 'bad_request', {}]);
});

test('other answers, and other companies, are not signed', async () => {
  await resolve({ approved: true }, await ask({ requires: null })).expect(200);
  const other = await signUp(server);
  expect((await other.browser.get('/api/preferences')).body.signsAnswers).toBe(false);
  const answer = await other.browser.patch(`/api/interrupts/${id}/resolve`).send({ approved: true, sign: SIGN });
  expect(answer.status).toBe(404);
});

test('only those who run the company switch it, and the audit says so', async () => {
  const owner = await signUp(server);
  const member = await addColleague(server, owner, ['member']);
  const change = (browser: Person['browser'], signsAnswers: boolean) =>
    browser.put('/api/preferences').send({ signsAnswers });
  await change(owner.browser, true).expect(200);
  await change(member.browser, false).expect(403);
  const events = await runInAccount(owner.user.accountId, () => AuditEvent.find({ event: 'signing.changed' }).lean());
  expect(events).toMatchObject([{ userId: owner.user.id, outcome: 'on' }]);
});
