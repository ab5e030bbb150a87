/** @environment store */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { erase, planErasure } from '../../bot/engine/accounts/eraseAccount.ts';
import { AuditEvent } from '../../models/auditEvent.ts';
import { nextId } from '../../models/counter.ts';
import { Interrupt, type InterruptRow } from '../../models/interrupt.ts';
import { Member } from '../../models/member.ts';
import { runInAccount } from '../../models/store/context.ts';
import { addColleague } from '../factories/colleague.ts';
import { makeInterrupt, makeProposal } from '../factories/interrupt.ts';
import { type Person, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

const REGISTRATION = { profession: 'Nurse', register: 'NMC', registrationNumber: '12A3456' };
const PASSWORD = 'correct-horse-1';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

let owner: Person & { agent: { id: number } };
let officer: Person;
let deputy: Person;
let third: Person;
beforeEach(async () => {
  owner = await signUpReady(server);
  officer = await addColleague(server, owner, ['approver']);
  deputy = await addColleague(server, owner, ['deputy']);
  third = await addColleague(server, owner, ['deputy']);
  const clinicalSafetyOfficer = { userId: officer.user.id, ...REGISTRATION };
  await owner.browser
    .put('/api/preferences')
    .send({ clinicalSafetyOfficer, signsAnswers: true, signsTwice: true })
    .expect(200);
});

const inAccount = <T>(work: () => Promise<T>) => runInAccount(owner.user.accountId, work);
async function ask(change: Partial<InterruptRow> = {}): Promise<number> {
  const _id = await nextId('interrupt');
  const { accountId } = owner.user;
  const row = makeInterrupt({ _id, accountId, runId: new Types.ObjectId(), askKey: `${_id}`, ...change });
  await inAccount(() => Interrupt.create({ ...row, userAgentId: owner.agent.id, requires: 'clinical-safety-officer' }));
  return _id;
}
const rowOf = (id: number) => inAccount(() => Interrupt.findOne({ _id: id }).lean());
const sign = async (person: Person, id: number, body: object = { approved: true }) => {
  const shownDigest = (await rowOf(id))?.shownDigest;
  return person.browser
    .patch(`/api/interrupts/${id}/resolve`)
    .send({ shownDigest, sign: { reason: 'Read', password: PASSWORD }, ...body });
};
const read = async (person: Person, id: number) => (await person.browser.get(`/api/interrupts/${id}`).expect(200)).body;
const change = (body: object) => owner.browser.put('/api/preferences').send(body).expect(200);
const setRoles = (person: Person, roles: string[]) =>
  owner.browser.post('/api/account/members').send({ email: person.email, roles, confirm: true }).expect(200);
const withdrawals = (id: number) =>
  inAccount(() =>
    AuditEvent.find(
      { event: 'interrupt.signature-withdrawn', subject: `interrupt:${id}` },
      { outcome: 1, userId: 1 },
    ).lean(),
  );

describe('a first signature counts only while its signer may sign', () => {
  test('it is withdrawn when the signer is removed, the question says why, and the next signature is a first one', async () => {
    const id = await ask();
    await sign(deputy, id);
    await owner.browser.delete(`/api/account/members`).send({ userId: deputy.user.id, confirm: true }).expect(200);
    const shown = await read(officer, id);
    expect(shown.proposed).toMatch(
      /^The signature of \S+ \(approved, [\d:]+\) was withdrawn: \S+ is no longer in the company\.$/,
    );
    expect(shown.view.sections).toContainEqual(expect.objectContaining({ text: shown.proposed }));
    expect(await withdrawals(id)).toMatchObject([
      { userId: owner.user.id, outcome: `user:${deputy.user.id}, who left the company` },
    ]);
    const { body } = await sign(officer, id);
    expect([body.status, body.resolution]).toEqual(['pending', null]);
    expect(body.proposed).toMatch(/withdrawn: .* Approved and signed by /);
    expect((await sign(third, id)).body.status).toBe('resolved');
  });

  test('it is withdrawn with the role, by an appointment, and where two people no longer sign', async () => {
    const [byRole, byOfficer, byRule] = [await ask(), await ask(), await ask()];
    await sign(deputy, byRole);
    await setRoles(deputy, ['member']);
    expect((await read(officer, byRole)).proposed).toMatch(/no longer has a role that may sign this\.$/);
    await sign(officer, byOfficer);
    await change({ clinicalSafetyOfficer: { userId: third.user.id, ...REGISTRATION }, signsTwice: false });
    expect((await read(third, byOfficer)).proposed).toMatch(/no longer has a role that may sign this\.$/);
    await setRoles(deputy, ['deputy']);
    await change({ signsTwice: true });
    await sign(deputy, byRule);
    await change({ signsTwice: false });
    expect((await read(third, byRule)).proposed).toMatch(
      /signed while two people had to, and that was switched off\.$/,
    );
    expect((await sign(third, byRule)).body.status).toBe('resolved');
  });

  test('it is checked when the second person signs, whatever the question says', async () => {
    const id = await ask();
    await sign(deputy, id);
    // The right ends without any of the calls that withdraw signatures, as after a crash in between.
    await inAccount(() => Member.deleteOne({ accountId: owner.user.accountId, userId: deputy.user.id }));
    // A right in another company is none here.
    const elsewhere = await signUpReady(server);
    await Member.create({ accountId: elsewhere.user.accountId, userId: deputy.user.id, roles: ['deputy'] });
    const { body } = await sign(officer, id);
    expect([body.status, body.resolution]).toEqual(['pending', null]);
    expect(body.proposed).toMatch(/is no longer in the company\. Approved and signed by /);
    expect(await withdrawals(id)).toMatchObject([{ userId: null }]);
    expect((await rowOf(id))?.firstSignature?.userId).toBe(officer.user.id);
  });

  test('it goes with an erased person', async () => {
    const id = await ask();
    await sign(deputy, id);
    await erase(await planErasure(deputy.email));
    expect((await rowOf(id))?.firstSignature).toBeNull();
    expect((await read(officer, id)).proposed).not.toContain(deputy.email);
    expect((await sign(officer, id)).body.status).toBe('pending');
  });
});

test('whoever signed first is not waited for, and signing again says who is', async () => {
  const id = await ask();
  await sign(deputy, id);
  const counts = async (person: Person) => {
    const [agent] = (await person.browser.get('/api/user-agents').expect(200)).body;
    const desk = (await person.browser.get('/api/desk').expect(200)).body;
    return [agent.waitingForYou, desk.waiting, desk.waitingForOthers];
  };
  expect(await counts(deputy)).toEqual([0, 0, 1]);
  expect(await counts(officer)).toEqual([1, 1, 0]);
  expect((await read(deputy, id)).abilities).toEqual({
    answer: true,
    signed: true,
    withdraw: true,
    waitsFor: 'You have signed this. It waits for a second person to sign the same answer.',
  });
  const again = await sign(deputy, id);
  expect([again.status, again.body.code]).toEqual([409, 'signed_already']);
  expect(again.body.error).toMatch(
    /^You have signed this answer already\. It waits for a second signature: \S+ or \S+ can give it\.$/,
  );
  // Another answer of the same person takes the place of the first one.
  expect((await sign(deputy, id, { approved: false })).body.proposed).toMatch(/^Rejected and signed by /);
});

describe('a change after which fewer than two people can sign', () => {
  const warned = {
    status: 409,
    code: 'few_signers',
    error:
      'Two people have to sign the answers that need the officer, and after this only one person could: they would stay open. Give another member the deputy’s role first, or confirm to go on.',
  };
  const answerOf = ({ status, body }: { status: number; body: { code?: string; error?: string } }) => ({
    status,
    ...(body.code ? { code: body.code, error: body.error } : {}),
  });
  beforeEach(async () => {
    await setRoles(third, ['member']);
  });

  test('is warned of, and made once that is confirmed', async () => {
    const { browser } = owner;
    const roles = { email: deputy.email, roles: ['member'] };
    const appointed = { clinicalSafetyOfficer: { userId: deputy.user.id, ...REGISTRATION } };
    const calls = {
      roles: (more: object) => browser.post('/api/account/members').send({ ...roles, ...more }),
      removed: (more: object) => browser.delete('/api/account/members').send({ userId: deputy.user.id, ...more }),
      left: (more: object) => deputy.browser.post('/api/account/leave').send(more),
      appointed: (more: object) => browser.put('/api/preferences').send({ ...appointed, ...more }),
    };
    for (const attempt of Object.values(calls)) expect(answerOf(await attempt({}))).toEqual(warned);
    expect((await browser.get('/api/preferences')).body.signers).toBe(2);
    expect(answerOf(await calls.roles({ confirm: true }))).toEqual({ status: 200 });
    expect((await browser.get('/api/preferences')).body.signers).toBe(1);
    // Nothing is left to warn of.
    expect(answerOf(await calls.removed({}))).toEqual({ status: 200 });
  });

  test('is no reason to refuse the rest of a form that is sent whole', async () => {
    await owner.browser
      .post('/api/account/members')
      .send({ email: deputy.email, roles: ['member'], confirm: true })
      .expect(200);
    const { body: whole } = await owner.browser.get('/api/preferences');
    const rows = () => inAccount(() => AuditEvent.countDocuments({ accountId: owner.user.accountId }));
    const before = await rows();
    const { body } = await change({ ...whole, companyName: 'Another name' });
    expect([body.companyName, body.signsTwice]).toEqual(['Another name', true]);
    // What stands as it stood is no change, and no row of the audit.
    expect(await rows()).toBe(before);
  });

  test('is not warned of where one person signs', async () => {
    await change({ signsTwice: false });
    await owner.browser.delete('/api/account/members').send({ userId: deputy.user.id }).expect(200);
  });
});

describe('the second person agrees with a review in one step', () => {
  const review = () =>
    ask({
      interruptType: 'hazard_review',
      context: { rows: ['one', 'two'].map((row) => makeProposal({ id: row })) },
      draft: { rows: [], version: 0, savedAt: null, savedBy: null },
    });
  const mixed = [
    { id: 'one', outcome: 'accepted' },
    { id: 'two', outcome: 'rejected', reason: 'A duplicate' },
  ];

  test('with all decisions, whatever they are', async () => {
    const id = await review();
    await sign(deputy, id, { userResponse: { rows: mixed }, draftVersion: 0 });
    const shown = await read(officer, id);
    const send = shown.view.actions.find(({ name }: { name: string }) => name === 'send');
    expect(send.label).toBe(`Agree with ${shown.signedBy.name}`);
    // Accepting all is another answer than the one that was signed.
    expect((await sign(officer, id, { approved: true })).body.code).toBe('review_begun');
    const { body } = await sign(officer, id, { review: { step: 'send' }, draftVersion: 1 });
    expect([body.status, body.resolution.outcome]).toEqual(['resolved', 'modified']);
    expect(await rowOf(id)).toMatchObject({
      firstSignature: { userId: deputy.user.id },
      userResponse: { rows: mixed },
    });
  });

  test('with the button that decides all alike, where the first used it', async () => {
    const id = await review();
    await sign(deputy, id, { approved: true });
    const { body } = await sign(officer, id, { approved: true });
    expect([body.status, body.resolution.outcome]).toEqual(['resolved', 'approved']);
    expect(await rowOf(id)).toMatchObject({ firstSignature: { userId: deputy.user.id } });
  });
});
