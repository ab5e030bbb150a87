import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { answerInterrupt } from '../../bot/engine/interrupts/answerInterrupt.ts';
import { AuditEvent } from '../../models/auditEvent.ts';
import { nextId } from '../../models/counter.ts';
import { Delivery } from '../../models/delivery.ts';
import { Interrupt, type InterruptRow } from '../../models/interrupt.ts';
import { runInAccount } from '../../models/store/context.ts';
import { User } from '../../models/user.ts';
import { addColleague } from '../factories/colleague.ts';
import { makeInterrupt, makeProposal } from '../factories/interrupt.ts';
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

describe('two people sign, where the company asks for it', () => {
  let deputy: Person;
  let row: () => ReturnType<typeof rowOf>;
  const sign = (person: Person, body: object, password = SIGN.password) =>
    person.browser
      .patch(`/api/interrupts/${id}/resolve`)
      .send({ shownDigest, sign: { reason: 'Read', password }, ...body });
  beforeAll(async () => {
    const alone = await officer.browser.put('/api/preferences').send({ signsTwice: true });
    expect([alone.status, Object.keys(alone.body.fields)]).toEqual([400, ['signsTwice']]);
    deputy = await addColleague(server, officer, ['deputy']);
    await officer.browser.put('/api/preferences').send({ signsTwice: true }).expect(200);
    row = () => rowOf(id);
  });
  afterAll(() => officer.browser.put('/api/preferences').send({ signsTwice: false }).expect(200));

  test('the first signature is kept and shown, and answers nothing; the second answers', async () => {
    const { body: first } = await sign(officer, { approved: true }).expect(200);
    expect([first.status, first.resolution]).toEqual(['pending', null]);
    expect(first.proposed).toMatch(
      /^Approved and signed by Ada Okafor in the inbox, [\d:]+\. It counts once a second person signs the same answer in Arc\.$/,
    );
    expect(first.view.sections).toContainEqual(expect.objectContaining({ text: first.proposed }));
    // The same person is not a second one.
    const again = await sign(officer, { approved: true });
    expect([again.status, again.body.code]).toEqual([409, 'signed_already']);
    const { body } = await sign(deputy, { approved: true }).expect(200);
    expect([body.status, body.resolution.by.userId]).toEqual(['resolved', deputy.user.id]);
    expect(body.resolution.text).toMatch(/, signed by Ada Okafor \(Nurse, NMC 12A3456\) and \S+/);
    expect(await row()).toMatchObject({
      firstSignature: { userId: officer.user.id, via: 'inbox' },
      signature: { userId: deputy.user.id, registration: null },
    });
    const signed = (await eventsOf(id)).filter(([event]) => event === 'interrupt.signed');
    expect(signed.map(([, , userId]) => userId)).toEqual([officer.user.id, deputy.user.id]);
  });

  test('another answer takes the place of the first signature, and the first person has to sign it too', async () => {
    await sign(officer, { approved: true }).expect(200);
    const { body } = await sign(deputy, { approved: false }).expect(200);
    expect([body.status, body.proposed.slice(0, 8)]).toEqual(['pending', 'Rejected']);
    expect((await sign(deputy, { approved: true }).expect(200)).body.status).toBe('pending');
    const { body: over } = await sign(officer, { approved: true }).expect(200);
    expect(over.resolution.outcome).toBe('approved');
  });

  test('one of two first signatures at the same moment is refused, and none is lost', async () => {
    const both = await Promise.all([sign(officer, { approved: true }), sign(deputy, { approved: true })]);
    const statuses = both.map(({ status, body }) => (status === 200 ? body.status : body.code)).sort();
    expect([
      ['conflict', 'pending'],
      ['pending', 'resolved'],
    ]).toContainEqual(statuses);
    const late = await sign(statuses[0] === 'conflict' && both[0]?.status === 409 ? officer : deputy, {
      approved: true,
    });
    expect([late.status, late.body.status]).toEqual([200, 'resolved']);
  });

  test('a wrong password is no second signature', async () => {
    await sign(officer, { approved: true }).expect(200);
    await sign(deputy, { approved: true }, 'wrong-horse-1').expect(400);
    expect(await row()).toMatchObject({ status: 'pending', firstSignature: { userId: officer.user.id } });
  });

  test('a signed answer that names another one only counts its own signature', async () => {
    await sign(officer, { approved: false }).expect(200);
    await officer.browser.put('/api/preferences').send({ signsTwice: false }).expect(200);
    const { body } = await sign(deputy, { approved: true }).expect(200);
    await officer.browser.put('/api/preferences').send({ signsTwice: true }).expect(200);
    expect(body.resolution.text).toMatch(/, signed$/);
  });
});

test('the second person is mailed, and nobody else', async () => {
  const owner = await signUp(server);
  const [deputy, second] = [
    await addColleague(server, owner, ['deputy']),
    await addColleague(server, owner, ['deputy']),
  ];
  await addColleague(server, owner, ['approver']);
  const clinicalSafetyOfficer = { userId: deputy.user.id, ...REGISTRATION };
  await owner.browser
    .put('/api/preferences')
    .send({ clinicalSafetyOfficer, signsAnswers: true, signsTwice: true })
    .expect(200);
  const { accountId } = owner.user;
  const _id = await nextId('interrupt');
  const question = makeInterrupt({ _id, accountId, runId: new Types.ObjectId(), askKey: `${_id}` });
  await runInAccount(accountId, () => Interrupt.create({ ...question, requires: 'clinical-safety-officer' }));
  await deputy.browser
    .patch(`/api/interrupts/${_id}/resolve`)
    .send({ approved: true, shownDigest: question.shownDigest, sign: SIGN })
    .expect(200);
  const mails = await runInAccount(accountId, () => Delivery.find({ 'mail.name': 'question' }).lean());
  const switched = await runInAccount(accountId, () => AuditEvent.find({ event: /^(sign|second)/ }).lean());
  expect(switched.map(({ event, outcome }) => [event, outcome])).toEqual([
    ['signing.changed', 'on'],
    ['second-signature.changed', 'on'],
  ]);
  expect(mails.map(({ mail }) => mail)).toEqual([
    { userId: second.user.id, name: 'question', facts: { interruptId: _id, occasion: 'signed-once' } },
  ]);
});

test('decisions that were signed are the draft for the second person, and a change of them ends the signature', async () => {
  const deputy = await addColleague(server, officer, ['deputy']);
  await officer.browser.put('/api/preferences').send({ signsTwice: true }).expect(200);
  const review = await ask({
    requires: 'clinical-safety-officer',
    interruptType: 'hazard_review',
    context: { rows: ['one', 'two'].map((row) => makeProposal({ id: row })) },
    draft: { rows: [], version: 0, savedAt: null, savedBy: null },
  });
  const shown = (await rowOf(review))?.shownDigest;
  const rejected = ['one', 'two'].map((row) => ({ id: row, outcome: 'rejected', reason: 'Not in this product' }));
  const send = (person: Person, rows: object[], draftVersion: number) =>
    person.browser
      .patch(`/api/interrupts/${review}/resolve`)
      .send({ userResponse: { rows }, draftVersion, shownDigest: shown, sign: SIGN });
  const { body: first } = await send(officer, rejected, 0).expect(200);
  expect([first.status, first.draft.version, first.draft.rows]).toMatchObject(['pending', 1, rejected]);
  expect((await send(deputy, rejected, 0)).status).toBe(409);
  // The same outcome for another reason is another answer.
  const otherwise = rejected.map((row) => ({ ...row, reason: 'A duplicate' }));
  expect((await send(deputy, otherwise, 1).expect(200)).body.draft.version).toBe(2);
  expect((await send(officer, rejected, 2).expect(200)).body.status).toBe('pending');
  const saved = await deputy.browser
    .put(`/api/interrupts/${review}/draft`)
    .send({ rows: rejected.slice(0, 1), version: 3 })
    .expect(200);
  expect(saved.body.proposed).toBeUndefined();
  expect((await send(deputy, rejected, 4).expect(200)).body.status).toBe('pending');
  const { body } = await send(officer, rejected, 5).expect(200);
  expect(body.status).toBe('resolved');
  await officer.browser.put('/api/preferences').send({ signsTwice: false }).expect(200);
});
