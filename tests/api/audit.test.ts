import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { signOldChain, verifyAudit } from '../../bot/engine/accounts/verifyAudit.ts';
import { readSample } from '../../bot/engine/hazards/sample/readSample.ts';
import { AuditEvent, type AuditEventRow, auditTrail, GENESIS, hashAuditRow } from '../../models/auditEvent.ts';
import { AuditHead, signRow } from '../../models/auditHead.ts';
import { Interrupt } from '../../models/interrupt.ts';
import { runInAccount } from '../../models/store/context.ts';
import { announce } from '../../models/store/revisions.ts';
import { eventually, messageOfKind, type Person, signUp, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const verify = async ({ browser }: Person) => (await browser.get('/api/audit/verify').expect(200)).body;
const events = async ({ browser }: Person) => (await browser.get('/api/audit?limit=200').expect(200)).body.events;
const named = async (person: Person, event: string) =>
  (await events(person)).filter((it: { event: string }) => it.event === event);
/** What somebody with the store, and without the keys, can do. */
const rowsOf = ({ user }: Person) => AuditEvent.collection.find({ accountId: user.accountId }).sort({ seq: 1 });

describe('a chain', () => {
  let person: Person;
  beforeEach(async () => {
    person = await signUp(server);
    const { accountId, id: userId } = person.user;
    const fact = { event: 'test', userId, surface: 'api', subject: 's', shownDigest: null, outcome: 'done' };
    for (const key of ['a', 'b', 'c'])
      await runInAccount(accountId, () => auditTrail.append(accountId, { ...fact, key }));
    expect(await verify(person)).toMatchObject({ whole: true, rows: 5, brokenAt: null, reason: null });
  });

  test('begins with the account, and with the session of who made it', async () => {
    const oldest = (await events(person)).reverse();
    expect(oldest.slice(0, 2).map((it: { event: string }) => it.event)).toEqual(['account.created', 'session.begun']);
  });

  test.each([1, 2, 4])('that lost its last %d rows says where it ends', async (count) => {
    const { accountId } = person.user;
    await AuditEvent.collection.deleteMany({ accountId, seq: { $gt: 5 - count } });
    expect(await verify(person)).toMatchObject({
      whole: false,
      brokenAt: 6 - count,
      reason: `The chain ends at row ${5 - count} and had 5.`,
    });
  });

  test('that lost all rows is not whole, with its head or without', async () => {
    const { accountId } = person.user;
    await AuditEvent.collection.deleteMany({ accountId });
    expect(await verify(person)).toMatchObject({ whole: false, reason: 'The chain ends at row 0 and had 5.' });
    await AuditHead.collection.deleteMany({ accountId });
    expect(await verify(person)).toMatchObject({ whole: false, reason: expect.stringContaining('no rows') });
  });

  test('that lost its head is not whole, and no later row makes it good', async () => {
    const { accountId, id: userId } = person.user;
    await AuditHead.collection.deleteMany({ accountId });
    expect(await verify(person)).toMatchObject({ whole: false, reason: 'The signed head of the chain is missing.' });
    const fact = { event: 'test', userId, surface: 'api', subject: 's', shownDigest: null, outcome: 'done' };
    await runInAccount(accountId, () => auditTrail.append(accountId, { ...fact, key: 'later' }));
    expect(await runInAccount(accountId, () => signOldChain(accountId))).toBe(false);
    expect(await verify(person)).toMatchObject({ whole: false, reason: 'The signed head of the chain is missing.' });
  });

  test('that lost its head and the signature of its first row is not signed again by the operator’s word', async () => {
    const { accountId } = person.user;
    await AuditHead.collection.deleteMany({ accountId });
    await AuditEvent.collection.updateOne({ accountId, seq: 1 }, { $unset: { signature: '' } });
    expect((await verify(person)).reason).toBe('The signed head of the chain is missing.');
    expect(await runInAccount(accountId, () => signOldChain(accountId))).toBe(false);
  });

  test('written anew without the key shows at its first row', async () => {
    const rows = await rowsOf(person).toArray();
    let prevHash = GENESIS;
    for (const row of rows) {
      const forged = { ...row, outcome: row.seq === 4 ? 'forged' : row.outcome, prevHash } as never;
      const hash = hashAuditRow(forged);
      await AuditEvent.collection.updateOne(
        { _id: row._id },
        { $set: { outcome: (forged as { outcome: string }).outcome, prevHash, hash } },
      );
      prevHash = hash;
    }
    expect(await verify(person)).toMatchObject({
      whole: false,
      brokenAt: 4,
      reason: expect.stringContaining('signed'),
    });
  });

  test.each([
    ['event', 'forged'],
    ['userId', null],
    ['surface', 'forged'],
    ['subject', 'forged'],
    ['shownDigest', 'f'.repeat(64)],
    ['outcome', 'forged'],
    ['at', new Date(0)],
    ['key', 'forged'],
    ['prevHash', 'f'.repeat(64)],
    ['hash', 'f'.repeat(64)],
    ['signature', 'f'.repeat(64)],
    ['signature', null],
  ])('one of whose rows has another %s shows at that row', async (field, value) => {
    const { accountId } = person.user;
    await AuditEvent.collection.updateOne({ accountId, seq: 4 }, { $set: { [field]: value } });
    expect(await verify(person)).toMatchObject({ whole: false, brokenAt: 4 });
  });

  test('that lost a row in its middle, or has one of another’s, shows where', async () => {
    const { accountId } = person.user;
    const [third] = await AuditEvent.collection.find({ accountId, seq: 3 }).toArray();
    await AuditEvent.collection.deleteOne({ accountId, seq: 3 });
    expect(await verify(person)).toMatchObject({ whole: false, brokenAt: 4 });
    const other = await signUp(server);
    const [theirs] = await rowsOf(other).toArray();
    await AuditEvent.collection.insertOne({ ...theirs, _id: third?._id, accountId, seq: 3, key: 'theirs' } as never);
    expect(await verify(person)).toMatchObject({ whole: false, brokenAt: 3 });
  });

  test('in which a row of another history of it stands shows after that row, though the server signed it', async () => {
    const { accountId } = person.user;
    const row = (await rowsOf(person).toArray())[3] as AuditEventRow;
    const other = { ...row, outcome: 'as a copy of the store went on' };
    const hash = hashAuditRow(other);
    const signature = signRow({ ...other, hash });
    await AuditEvent.collection.replaceOne({ accountId, seq: 4 }, { ...other, hash, signature } as never);
    expect(await verify(person)).toMatchObject({ whole: false, brokenAt: 5 });
    await AuditEvent.collection.updateOne({ accountId, seq: 5 }, { $set: { prevHash: hash } });
    expect(await verify(person)).toMatchObject({ whole: false, brokenAt: 5 });
  });

  test('whose last row is of another history is not the one that its head was signed for', async () => {
    const { accountId } = person.user;
    const last = (await rowsOf(person).toArray())[4] as AuditEventRow;
    const other = { ...last, outcome: 'as a copy of the store went on' };
    const hash = hashAuditRow(other);
    const signature = signRow({ ...other, hash });
    await AuditEvent.collection.replaceOne({ accountId, seq: 5 }, { ...other, hash, signature } as never);
    expect(await verify(person)).toMatchObject({ whole: false, brokenAt: 5, reason: expect.stringContaining('head') });
  });

  test('that the server began anew after all its rows were taken away does not begin with the account', async () => {
    const { accountId, id: userId } = person.user;
    await AuditEvent.collection.deleteMany({ accountId });
    announce(accountId, ['account'], false);
    const fact = { event: 'test', userId, surface: 'api', subject: 's', shownDigest: null, outcome: 'done' };
    for (const key of ['1', '2', '3', '4', '5', '6'])
      await runInAccount(accountId, () => auditTrail.append(accountId, { ...fact, key }));
    expect(await verify(person)).toMatchObject({
      whole: false,
      brokenAt: 1,
      reason: 'The chain does not begin with the account.',
    });
  });

  test('with a head set back to a row that stands is not signed', async () => {
    const { accountId } = person.user;
    const third = (await rowsOf(person).toArray())[2];
    await AuditEvent.collection.deleteMany({ accountId, seq: { $gt: 3 } });
    await AuditHead.collection.updateOne({ accountId }, { $set: { seq: 3, hash: third?.hash } });
    expect(await verify(person)).toMatchObject({
      whole: false,
      reason: expect.stringContaining('The head of the chain'),
    });
  });

  test('with another account’s signed head is not signed', async () => {
    const other = await signUp(server);
    const [head] = await AuditHead.collection.find({ accountId: other.user.accountId }).toArray();
    const { accountId } = person.user;
    await AuditHead.collection.updateOne(
      { accountId },
      { $set: { seq: head?.seq, hash: head?.hash, signature: head?.signature } },
    );
    expect(await verify(person)).toMatchObject({
      whole: false,
      reason: expect.stringContaining('The head of the chain'),
    });
  });

  test('of a version that did not sign is signed once, as it stands, by the operator’s word', async () => {
    const { accountId } = person.user;
    await AuditHead.collection.deleteMany({ accountId });
    const rows = await rowsOf(person).toArray();
    await AuditEvent.collection.deleteMany({ accountId });
    let prevHash = GENESIS;
    for (const { signature: _, ...row } of rows.slice(2)) {
      const old = { ...row, seq: row.seq - 2, prevHash, hash: '' };
      old.hash = hashAuditRow(old as never);
      prevHash = old.hash;
      await AuditEvent.collection.insertOne(old as never);
    }
    announce(accountId, ['account'], false);
    expect(await verify(person)).toMatchObject({ whole: false, reason: expect.stringContaining('--sign-old') });
    expect(await runInAccount(accountId, () => signOldChain(accountId))).toBe(true);
    expect(await verify(person)).toMatchObject({ whole: true, rows: 3 });
    expect(await runInAccount(accountId, () => signOldChain(accountId))).toBe(false);
    // From here on the rows are signed, and those that are cut off are missed.
    await person.browser.post('/api/logout').expect(200);
    await AuditEvent.collection.deleteOne({ accountId, seq: 4 });
    expect(await runInAccount(accountId, async () => verifyAudit(accountId))).toMatchObject({
      whole: false,
      brokenAt: 4,
    });
  });
});

describe('a decision', () => {
  let person: Awaited<ReturnType<typeof signUpReady>>;
  let interruptId: number;
  beforeAll(async () => {
    person = await signUpReady(server);
    const { browser, agent } = person;
    const { log, tickets } = await readSample();
    for (const { fileName, bytes } of [tickets, log])
      await browser.post('/api/arc-chat/upload-hazard-log').attach('hazardLogFile', Buffer.from(bytes), fileName);
    await browser.post('/api/arc-chat/send').send({ message: 'Analyse my hazard log' }).expect(200);
    const question = await eventually(
      async () => (await browser.get(`/api/agents/${agent.id}/interrupts`).expect(200)).body[0],
      'the review',
    );
    interruptId = question.id;
    await browser.patch(`/api/interrupts/${interruptId}/resolve`).send({ approved: true }).expect(200);
    await eventually(async () => (await named(person, 'interrupt.answered')).length === 1, 'the audit row');
  });

  test('is in the chain as it stands', async () => {
    expect(await verify(person)).toMatchObject({ whole: true });
  });

  test.each([
    ['another answer', { answerDigest: 'f'.repeat(64) }],
    ['another outcome', { 'resolution.outcome': 'rejected' }],
    ['another outcome, as if it waited to be recorded', { 'resolution.outcome': 'rejected', outbox: ['audit'] }],
  ])('that was given %s in the store is named', async (_what, change) => {
    const before = await Interrupt.collection.findOne({ _id: interruptId as never });
    await Interrupt.collection.updateOne({ _id: interruptId as never }, { $set: change });
    expect(await verify(person)).toMatchObject({
      whole: false,
      reason: `Question ${interruptId} was answered otherwise than the chain says.`,
    });
    await Interrupt.collection.replaceOne({ _id: interruptId as never }, before as never);
  });

  test('whose rows were all replaced by a new chain is missed', async () => {
    const { accountId } = person.user;
    const kept = await rowsOf(person).toArray();
    const head = await AuditHead.collection.findOne({ accountId });
    await AuditEvent.collection.deleteMany({ accountId });
    await AuditHead.collection.deleteMany({ accountId });
    // Even a chain that begins as it should, and is signed by the server itself.
    announce(accountId, ['account'], false);
    await runInAccount(accountId, () =>
      auditTrail.append(accountId, {
        key: 'account.created:again',
        event: 'account.created',
        userId: null,
        surface: 'api',
        subject: 's',
        shownDigest: null,
        outcome: 'created',
      }),
    );
    expect(await verify(person)).toMatchObject({
      whole: false,
      reason: `Question ${interruptId} was answered otherwise than the chain says.`,
    });
    await AuditEvent.collection.deleteMany({ accountId });
    await AuditEvent.collection.insertMany(kept);
    await AuditHead.collection.deleteMany({ accountId });
    await AuditHead.collection.insertOne(head as never);
    announce(accountId, ['account'], false);
    expect(await verify(person)).toMatchObject({ whole: true });
  });

  test('an export of a result is recorded with the digest of what left', async () => {
    const { browser } = person;
    const { body: analysis } = await browser.get(`/api/hazard-analysis/latest/${person.user.id}`).expect(200);
    await browser.get(`/api/hazard-analysis/${analysis.id}/tickets.csv`);
    const download = await messageOfKind(person, 'analysis-complete');
    expect(download).toBeDefined();
    await browser.get('/api/download/new-hazards.xlsx');
    const exported = await named(person, 'file.exported');
    expect(exported.length).toBeGreaterThanOrEqual(1);
    for (const one of exported) expect(one.shownDigest).toMatch(/^[0-9a-f]{64}$/);
  });
});

test('sessions, members, roles, consent, the officer and credits are recorded, each with who did it', async () => {
  const owner = await signUp(server);
  const { browser, user } = owner;
  const email = `${crypto.randomUUID()}@example.org`;
  const { body: invited } = await browser
    .post('/api/account/members')
    .send({ email, roles: ['member'] })
    .expect(200);
  const token = new URL(invited.invitation.link).searchParams.get('invitation');
  const { body: other } = await browser
    .post('/api/account/members')
    .send({ email: `${crypto.randomUUID()}@example.org`, roles: ['member'] })
    .expect(200);
  await browser.delete('/api/account/members').send({ invitationId: other.invitation.id }).expect(200);
  const joined = server.browser();
  await joined.post('/api/account/invitations/accept').send({ token, password: 'correct-horse-1' }).expect(200);
  const member = (await joined.get('/api/auth/status').expect(200)).body.user;
  await browser
    .post('/api/account/members')
    .send({ email, roles: ['approver'] })
    .expect(200);
  await browser
    .put('/api/preferences')
    .send({ channelConsent: { slack: 'full', teams: 'redacted' } })
    .expect(200);
  await browser
    .put('/api/preferences')
    .send({
      clinicalSafetyOfficer: { userId: member.id, profession: 'Pharmacist', register: 'GPhC', registrationNumber: '1' },
    })
    .expect(200);
  await browser.delete('/api/account/members').send({ userId: member.id }).expect(200);
  const row = async (event: string) =>
    (await named(owner, event)).map((it: { userId: number; subject: string; outcome: string }) => [
      it.userId,
      it.subject,
      it.outcome,
    ]);
  expect(await row('member.invited')).toEqual([
    [user.id, expect.stringMatching(/^invitation:/), 'member by a link'],
    [user.id, expect.stringMatching(/^invitation:/), 'member by a link'],
  ]);
  expect(await row('invitation.withdrawn')).toEqual([[user.id, `invitation:${other.invitation.id}`, 'withdrawn']]);
  expect(await row('member.joined')).toEqual([[member.id, expect.stringMatching(/^invitation:/), 'member']]);
  expect(await row('roles.changed')).toEqual([[user.id, `user:${member.id}`, 'member -> approver']]);
  expect(await row('consent.changed')).toEqual([[user.id, `account:${user.accountId}`, 'slack full, teams redacted']]);
  expect(await row('officer.appointed')).toEqual([[user.id, `user:${member.id}`, 'appointed']]);
  expect(await row('member.removed')).toEqual([
    [user.id, `user:${member.id}`, 'approver clinical-safety-officer -> none'],
  ]);
  expect(await row('session.begun')).toEqual([
    [member.id, `user:${member.id}`, 'begun'],
    [user.id, `user:${user.id}`, 'begun'],
  ]);
  // Nobody's address or name is in it.
  expect(JSON.stringify(await events(owner))).not.toMatch(/@|Okafor/);
  expect(await verify(owner)).toMatchObject({ whole: true });
});
