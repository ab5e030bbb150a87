import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readSample } from '../../bot/agents/clinical_safety/sample/readSample.ts';
import { AuditEvent, auditTrail } from '../../models/auditEvent.ts';
import { AuditHead } from '../../models/auditHead.ts';
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
/** Raw access to the rows, as an attacker with the store but without the keys would have. */
const rowsOf = ({ user }: Person) => AuditEvent.collection.find({ accountId: user.accountId }).sort({ seq: 1 });

describe('an audited decision', () => {
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
    // Until the row has left the question's outbox, the chain is still expected to get it.
    const isRecorded = async () => {
      const row = await Interrupt.collection.findOne({ _id: interruptId as never });
      return !row?.outbox.includes('audit');
    };
    await eventually(isRecorded, 'the audit row');
    expect(await named(person, 'interrupt.answered')).toHaveLength(1);
  });

  test('matches its row in the chain', async () => {
    expect(await verify(person)).toMatchObject({ whole: true });
  });

  test.each([
    ['another answer', { answerDigest: 'f'.repeat(64) }],
    ['another outcome', { 'resolution.outcome': 'rejected' }],
    ['another outcome, as if it waited to be recorded', { 'resolution.outcome': 'rejected', outbox: ['audit'] }],
  ])('that was given %s in the store is reported', async (_what, change) => {
    const before = await Interrupt.collection.findOne({ _id: interruptId as never });
    await Interrupt.collection.updateOne({ _id: interruptId as never }, { $set: change });
    expect(await verify(person)).toMatchObject({
      whole: false,
      reason: `Question ${interruptId} has an answer that differs from the chain.`,
    });
    await Interrupt.collection.replaceOne({ _id: interruptId as never }, before as never);
  });

  test('is missed if all rows were replaced by a new chain', async () => {
    const { accountId } = person.user;
    const kept = await rowsOf(person).toArray();
    const head = await AuditHead.collection.findOne({ accountId });
    await AuditEvent.collection.deleteMany({ accountId });
    await AuditHead.collection.deleteMany({ accountId });
    // Even if that chain has a valid start and is signed by the server itself.
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
      reason: `Question ${interruptId} has an answer that differs from the chain.`,
    });
    await AuditEvent.collection.deleteMany({ accountId });
    await AuditEvent.collection.insertMany(kept);
    await AuditHead.collection.deleteMany({ accountId });
    await AuditHead.collection.insertOne(head as never);
    announce(accountId, ['account'], false);
    expect(await verify(person)).toMatchObject({ whole: true });
  });

  test('to export a result is recorded with the digest of the file', async () => {
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

test('sessions, members, roles, consent, the officer and credits are audited, each with its actor', async () => {
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
  await owner.browser.post('/api/user-agents/hire').send({ agentId: 'mdr' }).expect(200);
  await owner.browser.post('/api/user-agents/hire').send({ agentId: 'mdr' }).expect(200);
  expect(await row('agent.hired')).toEqual([[user.id, 'agent:mdr', 'hired']]);
  await owner.browser.post('/api/user-agents/onboard').send({ agentId: 'mdr', tools: [] }).expect(200);
  expect(await row('agent.tools-changed')).toEqual([[user.id, 'agent:mdr', 'all off']]);
  await owner.browser.post('/api/integrations/toggle').send({ integrationId: 'sandbox', enabled: false }).expect(200);
  expect(await row('integration.switched')).toEqual([[user.id, 'integration:sandbox', 'off']]);
  // No name or address is in it: names are looked up for whoever reads it.
  expect(JSON.stringify(await rowsOf(owner).toArray())).not.toMatch(/@|Okafor/);
  expect((await events(owner)).map(({ userName }: { userName: string }) => userName)).toContain('Ada Okafor');
  expect(await verify(owner)).toMatchObject({ whole: true });
});
