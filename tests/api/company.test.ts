import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { collaborators } from '../../bot/engine/agents/collaborate.ts';
import { nextRun } from '../../bot/engine/automation/schedule.ts';
import { startDueJobs, startJob } from '../../bot/engine/automation/startDueJobs.ts';
import { consentFor, leastOf } from '../../bot/engine/delivery/consent.ts';
import { Account } from '../../models/account.ts';
import { AuditEvent, auditTrail } from '../../models/auditEvent.ts';
import { AutomationJob } from '../../models/automationJob.ts';
import { findSchedule } from '../../models/contracts/catalogue.ts';
import type { Schedule } from '../../models/contracts/catalogueAgent.ts';
import { CHANNEL_NAMES } from '../../models/contracts/channels.ts';
import type { AgentOutput } from '../../models/contracts/collaborate.ts';
import { leastConsent } from '../../models/contracts/preferences.ts';
import { Invitation } from '../../models/invitation.ts';
import { Run } from '../../models/run.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../models/store/context.ts';
import { requireRow } from '../../models/store/requireRow.ts';
import { revisionTag } from '../../models/store/revisions.ts';
import { messageOfKind, type Person, signUp, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

async function joined(owner: Person, roles: string[]): Promise<Person> {
  const email = `${randomUUID()}@example.org`;
  const invited = await owner.browser.post('/api/account/members').send({ email, roles }).expect(200);
  const token = new URL(invited.body.invitation.link).searchParams.get('invitation');
  const browser = server.browser();
  await browser
    .post('/api/account/invitations/accept')
    .send({ token, password: 'correct-horse-1', firstName: 'Bo' })
    .expect(200);
  const { body } = await browser.get('/api/auth/status');
  return { browser, user: body.user, email, password: 'correct-horse-1', cookie: '' };
}

describe('preferences', () => {
  /** @shows GET /api/preferences, PUT /api/preferences */
  test('start with safe values, and only the given ones change', async () => {
    const { browser, user } = await signUp(server);
    expect((await browser.get('/api/preferences').expect(200)).body).toEqual({
      firstName: 'Ada',
      lastName: 'Okafor',
      companyName: 'Ada’s company',
      timeZone: 'Europe/London',
      channelConsent: leastConsent(),
      questionMail: 'hourly',
      mailRefused: false,
      quietHours: null,
      workingHours: { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:30' },
      holidays: [],
      clinicalSafetyOfficer: null,
      signers: 1,
      signsAnswers: false,
      signsTwice: false,
    });
    const officer = { userId: user.id, profession: 'Pharmacist', register: 'GPhC', registrationNumber: '2012345' };
    const { body } = await browser
      .put('/api/preferences')
      .send({
        lastName: '',
        timeZone: 'Europe/Dublin',
        quietHours: { from: '18:00', to: '08:00' },
        clinicalSafetyOfficer: officer,
      })
      .expect(200);
    expect(body).toMatchObject({
      firstName: 'Ada',
      lastName: null,
      timeZone: 'Europe/Dublin',
      clinicalSafetyOfficer: officer,
    });
    expect((await browser.get('/api/auth/status')).body.user.roles).toContain('clinical-safety-officer');
  });

  test('keep days off by date, each once, until they are a year past', async () => {
    const { browser } = await signUp(server);
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const [later, soon, past, gone] = [inDays(40), inDays(2), inDays(-360), inDays(-367)].map((day) => ({
      day,
      name: `Off ${day}`,
    }));
    const named = { ...(soon as object), name: 'Eid' };
    const { body } = await browser
      .put('/api/preferences')
      .send({ holidays: [later, soon, gone, past, named] })
      .expect(200);
    expect(body.holidays).toEqual([past, named, later]);
    expect((await browser.get('/api/preferences')).body.holidays).toEqual([past, named, later]);
    expect((await browser.put('/api/preferences').send({ holidays: [] })).body.holidays).toEqual([]);
  });

  test.each([
    ['no working day', { workingHours: { days: [], from: '09:00', to: '17:00' } }, 'workingHours.days'],
    ['a day that no week has', { workingHours: { days: [8], from: '09:00', to: '17:00' } }, 'workingHours.days.0'],
    ['work that ends as it begins', { workingHours: { days: [1], from: '09:00', to: '09:00' } }, 'workingHours.to'],
    ['quiet hours without a length', { quietHours: { from: '09:00', to: '09:00' } }, 'quietHours.to'],
    ['a day off that no calendar has', { holidays: [{ day: '2027-02-30', name: 'A' }] }, 'holidays.0.day'],
    ['a day off without a name', { holidays: [{ day: '2027-02-03', name: ' ' }] }, 'holidays.0.name'],
    ['more than 200 days off', { holidays: Array(201).fill({ day: '2027-02-03', name: 'A' }) }, 'holidays'],
    ['another choice of mails', { questionMail: 'weekly' }, 'questionMail'],
  ])('refuse %s', async (_what, change, field) => {
    const { browser } = await signUp(server);
    const { status, body } = await browser.put('/api/preferences').send(change);
    expect([status, Object.keys(body.fields)]).toEqual([400, [field]]);
  });

  test('allow the least content on a channel for which nothing was chosen', async () => {
    const { accountId } = (await signUp(server)).user;
    const chosen = async (channelConsent: unknown) => {
      await Account.collection.updateOne({ _id: accountId as never }, { $set: { channelConsent } });
      const modes = CHANNEL_NAMES.map(async (channel) => [channel, await consentFor(accountId, channel)]);
      return Object.fromEntries(await Promise.all(modes));
    };
    const least = 'reference-only';
    expect(await chosen(undefined)).toEqual({ ...leastConsent(), arc: 'full' });
    expect(await chosen(null)).toEqual({ ...leastConsent(), arc: 'full' });
    expect(await chosen({ slack: 'full' })).toEqual({ ...leastConsent(), slack: 'full', arc: 'full' });
    expect(await chosen({ teams: 'redacted' })).toEqual({ ...leastConsent(), teams: 'redacted', arc: 'full' });
    expect(await consentFor(999_999, 'slack')).toBe(least);
    expect([leastOf(), leastOf('full'), leastOf('full', 'redacted'), leastOf('redacted', least, 'full')]).toEqual([
      least,
      'full',
      'redacted',
      least,
    ]);
  });

  test('report an error in its field', async () => {
    const { browser } = await signUp(server);
    const zone = await browser.put('/api/preferences').send({ timeZone: 'Mars/Base' });
    expect(zone.body.fields).toEqual({ timeZone: 'Choose a time zone, e.g. Europe/London.' });
    const officer = { userId: 999_999, profession: 'Nurse', register: 'NMC', registrationNumber: '1' };
    expect((await browser.put('/api/preferences').send({ clinicalSafetyOfficer: officer })).body.fields).toHaveProperty(
      'clinicalSafetyOfficer',
    );
  });

  test('of the company are changed by the owner; names by each person', async () => {
    const member = await joined(await signUp(server), ['member']);
    expect((await member.browser.put('/api/preferences').send({ timeZone: 'Europe/Paris' })).body.code).toBe(
      'not_allowed',
    );
    await member.browser.put('/api/preferences').send({ firstName: 'Bea' }).expect(200);
  });
});

describe('members', () => {
  /** @shows GET /api/account/invitations/:token, POST /api/account/invitations/accept, GET /api/account/members */
  test('join with a link that the owner passes on, once; it verifies no e-mail', async () => {
    const owner = await signUp(server);
    const email = `${randomUUID()}@example.org`;
    const { body } = await owner.browser
      .post('/api/account/members')
      .send({ email, roles: ['approver'] })
      .expect(200);
    const token = new URL(body.invitation.link).searchParams.get('invitation') ?? '';
    expect((await server.browser().get(`/api/account/invitations/${token}`).expect(200)).body).toMatchObject({
      email,
      roles: ['approver'],
    });
    const browser = server.browser();
    const accept = () => browser.post('/api/account/invitations/accept').send({ token, password: 'correct-horse-1' });
    await accept().expect(200);
    await server
      .browser()
      .post('/api/account/invitations/accept')
      .send({ token, password: 'correct-horse-1' })
      .expect(410);
    const { user } = (await browser.get('/api/auth/status')).body;
    expect(user).toMatchObject({ accountId: owner.user.accountId, roles: ['approver'], emailVerified: false });
    const list = (await owner.browser.get('/api/account/members').expect(200)).body;
    expect(list.members).toHaveLength(2);
    expect(list.invitations).toEqual([]);
  });

  test('who already have a user need their password to accept an invitation', async () => {
    const [owner, other] = await Promise.all([signUp(server), signUp(server)]);
    const { body } = await owner.browser.post('/api/account/members').send({ email: other.email, roles: ['member'] });
    const token = new URL(body.invitation.link).searchParams.get('invitation');
    const accept = (password: string) =>
      server.browser().post('/api/account/invitations/accept').send({ token, password });
    expect((await accept('wrong-horse-1')).body.code).toBe('bad_credentials');
    await accept(other.password).expect(200);
  });

  test('can’t accept another person’s invitation with their own session', async () => {
    const [owner, invited, thief] = await Promise.all([signUp(server), signUp(server), signUp(server)]);
    const { body } = await owner.browser.post('/api/account/members').send({ email: invited.email, roles: ['owner'] });
    const token = new URL(body.invitation.link).searchParams.get('invitation');
    const accept = ({ browser }: Person, given: object) =>
      browser.post('/api/account/invitations/accept').send({ token, ...given });
    expect((await accept(thief, { password: thief.password + 1 })).body.code).toBe('bad_credentials');
    expect((await accept(thief, {})).status).toBe(400);
    expect((await thief.browser.get('/api/auth/status')).body.user).toEqual(thief.user);
    expect((await owner.browser.get('/api/account/members')).body.members).toHaveLength(1);
    // The invited person proves it by being signed in, without a password.
    await accept(invited, {}).expect(200);
    expect((await invited.browser.get('/api/auth/status')).body.user).toMatchObject({
      id: invited.user.id,
      accountId: owner.user.accountId,
      roles: ['owner'],
    });
  });

  /** @shows DELETE /api/account/members */
  test('can’t join with an invitation that is withdrawn, which only the company’s owner can do, or older than a week', async () => {
    const [owner, stranger] = await Promise.all([signUp(server), signUp(server)]);
    const invite = async () => {
      const email = `${randomUUID()}@example.org`;
      const { body } = await owner.browser.post('/api/account/members').send({ email, roles: ['member'] });
      return { id: body.invitation.id, token: new URL(body.invitation.link).searchParams.get('invitation') };
    };
    const open = (token: string | null) => server.browser().get(`/api/account/invitations/${token}`);
    const withdraw = ({ browser }: Person, invitationId: string) =>
      browser.delete('/api/account/members').send({ invitationId });
    const [first, second] = [await invite(), await invite()];
    await withdraw(stranger, first.id).expect(404);
    await open(first.token).expect(200);
    const before = revisionTag(owner.user.accountId, ['account']);
    await withdraw(owner, first.id).expect(200);
    // Other pages of the company are notified.
    expect(revisionTag(owner.user.accountId, ['account'])).not.toBe(before);
    await open(first.token).expect(404);
    await withdraw(owner, first.id).expect(404);

    const accept = () =>
      server
        .browser()
        .post('/api/account/invitations/accept')
        .send({ token: second.token, password: 'correct-horse-1' });
    await runInAccount(owner.user.accountId, () =>
      Invitation.updateOne({ _id: second.id }, { $set: { expiresAt: new Date(Date.now() - 1000) } }),
    );
    await open(second.token).expect(404);
    await accept().expect(404);
    expect((await owner.browser.get('/api/account/members')).body.invitations).toEqual([]);
  });

  /** @shows DELETE /api/account/members, POST /api/account/members */
  test('are invited and removed only by an owner, and the last owner stays', async () => {
    const owner = await signUp(server);
    const member = await joined(owner, ['member']);
    expect(
      (await member.browser.post('/api/account/members').send({ email: 'x@example.org', roles: ['owner'] })).status,
    ).toBe(403);
    expect(
      (await owner.browser.delete('/api/account/members').send({ userId: owner.user.id })).body.fields,
    ).toHaveProperty('roles');
    expect(
      (await owner.browser.post('/api/account/members').send({ email: owner.email, roles: ['member'] })).body.fields,
    ).toHaveProperty('roles');
    await owner.browser.delete('/api/account/members').send({ userId: member.user.id }).expect(200);
    await member.browser.get('/api/user-agents').expect(401);
  });
});

describe('scheduled work', () => {
  // Due jobs are started in every account.
  afterEach(() => dangerouslyRunInEveryAccount(() => AutomationJob.deleteMany({})));

  const weekly = {
    name: 'Weekly',
    actionType: 'hazard_log_analysis',
    prompt: '',
    cronExpression: '0 9 * * 1',
    enabled: true,
  };

  /**
   * @shows GET /api/automation/jobs, POST /api/automation/jobs, DELETE /api/automation/jobs/:id,
   * PATCH /api/automation/jobs/:id
   */
  test('is created, paused, changed and deleted', async () => {
    const { browser } = await signUpReady(server);
    const { job } = (await browser.post('/api/automation/jobs').send(weekly).expect(200)).body;
    expect(job).toMatchObject({
      name: 'Weekly',
      action: 'hazard_log_analysis',
      timeZone: 'Europe/London',
      enabled: true,
    });
    const paused = await browser.patch(`/api/automation/jobs/${job.id}`).send({ enabled: false }).expect(200);
    expect(paused.body.job).toMatchObject({ enabled: false, nextRunAt: null });
    const other = await signUpReady(server);
    await other.browser.patch(`/api/automation/jobs/${job.id}`).send({ enabled: true }).expect(404);
    await other.browser.delete(`/api/automation/jobs/${job.id}`).expect(404);
    await browser.delete(`/api/automation/jobs/${job.id}`).expect(200);
    expect((await browser.get('/api/automation/jobs').expect(200)).body).toEqual({ jobs: [] });
  });

  test('refuses an invalid schedule, and work that is not possible yet', async () => {
    const { browser } = await signUpReady(server);
    const post = (change: object) => browser.post('/api/automation/jobs').send({ ...weekly, ...change });
    expect((await post({ cronExpression: 'every monday' })).body.fields).toEqual({
      cronExpression: expect.stringMatching(/^Write five fields/),
    });
    expect((await post({ cronExpression: 'H 9 * * *' })).body.fields).toEqual({
      cronExpression: expect.stringMatching(/^H stands for a random time/),
    });
    // All work of this version can be scheduled, so one kind is taken back for this test.
    const taken = findSchedule('mdr_technical_file') as Schedule;
    taken.status = 'in-preparation';
    const notYet = await post({ actionType: 'mdr_technical_file' });
    taken.status = 'working';
    expect({ status: notYet.status, code: notYet.body.code }).toEqual({ status: 422, code: 'in_preparation' });
  });

  /** @shows S1-5.6 */
  test('runs at most once an hour', async () => {
    const { browser } = await signUpReady(server);
    const at = (cronExpression: string) => browser.post('/api/automation/jobs').send({ ...weekly, cronExpression });
    const { job } = (await at('0 * * * *').expect(200)).body;
    const change = (cronExpression: string) => browser.patch(`/api/automation/jobs/${job.id}`).send({ cronExpression });
    for (const often of ['* * * * *', '*/30 * * * *', '0,1 9 * * 1', '0-5 9 1 1 *']) {
      for (const refused of [await at(often), await change(often)]) {
        expect({ often, status: refused.status, fields: refused.body.fields }).toEqual({
          often,
          status: 400,
          fields: {
            cronExpression: 'Choose times that are at least an hour apart: one minute, for example 0 9 * * 1.',
          },
        });
      }
    }
    expect((await browser.get('/api/automation/jobs').expect(200)).body.jobs).toEqual([job]);
  });

  /** @shows S1-5.6 */
  test('is one job for the same work at the same times, whatever its name and however often requested', async () => {
    const { browser } = await signUpReady(server);
    const post = (change: object) => browser.post('/api/automation/jobs').send({ ...weekly, ...change });
    const clicks = await Promise.all(Array.from({ length: 5 }, () => post({})));
    expect(clicks.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const again = await post({ name: 'Another name', cronExpression: '0 9 * * MON', enabled: false });
    expect({ status: again.status, ...again.body }).toEqual({
      status: 409,
      code: 'already_scheduled',
      error: 'The same work is scheduled for these times already, as “Weekly”. Change that one, or choose other times.',
    });
    const other = (await post({ cronExpression: '0 10 * * 1' }).expect(200)).body.job;
    const change = (body: object) => browser.patch(`/api/automation/jobs/${other.id}`).send(body);
    expect((await change({ cronExpression: '0 9 * * 1' })).body.code).toBe('already_scheduled');
    await change({ cronExpression: '0 9 * * 1', prompt: 'Look at the dose tickets' }).expect(200);
    await change({ enabled: false }).expect(200);
    const strangers = await signUpReady(server);
    await strangers.browser.post('/api/automation/jobs').send(weekly).expect(200);
  });

  test('stays at nine o’clock when the clocks change', () => {
    expect(nextRun('0 9 * * *', 'Europe/London', new Date('2026-03-28T12:00:00Z')).toISOString()).toBe(
      '2026-03-29T08:00:00.000Z',
    );
    expect(nextRun('0 9 * * *', 'Europe/London', new Date('2026-10-24T12:00:00Z')).toISOString()).toBe(
      '2026-10-25T09:00:00.000Z',
    );
    expect(nextRun('0 9 1 */3 *', 'Europe/London', new Date('2026-11-20T12:00:00Z')).toISOString()).toBe(
      '2027-01-01T09:00:00.000Z',
    );
  });

  test('is started once by any number of processes, and says why if it can’t be', async () => {
    const person = await signUpReady(server);
    const { job } = (await person.browser.post('/api/automation/jobs').send(weekly)).body;
    await runInAccount(person.user.accountId, () =>
      AutomationJob.updateOne({ _id: job.id }, { $set: { nextRunAt: new Date(0) } }),
    );
    const started = await Promise.all([startDueJobs(), startDueJobs()]);
    expect(started[0] + started[1]).toBe(1);
    const { jobs } = (await person.browser.get('/api/automation/jobs')).body;
    expect(jobs[0].lastOutcome).toContain('Not run: There is no hazard log yet');
    expect(new Date(jobs[0].nextRunAt).getTime()).toBeGreaterThan(Date.now());
  });

  /** @shows POST /api/automation/jobs/:id/run */
  test('can be run now', async () => {
    const person = await signUpReady(server);
    await person.browser
      .post('/api/arc-chat/upload-hazard-log')
      .attach(
        'hazardLogFile',
        Buffer.from('Hazard Number,Hazard Name,Severity,Likelihood,Risk\nH1,Wrong dose,Major,Low,3\n'),
        'log.csv',
      )
      .expect(200);
    const { job } = (await person.browser.post('/api/automation/jobs').send(weekly)).body;
    const { body } = await person.browser.post(`/api/automation/jobs/${job.id}/run`).send({}).expect(200);
    expect(body.job.lastOutcome).toMatch(/^Started as work \d+/);
    await messageOfKind(person, 'analysis-complete');
  });

  const schedule = async (person: Person, change: object = {}): Promise<number> =>
    (
      await person.browser
        .post('/api/automation/jobs')
        .send({ ...weekly, ...change })
        .expect(200)
    ).body.job.id;
  const inAccount = <T>({ user }: Person, work: () => Promise<T>) => runInAccount(user.accountId, work);
  const rowOf = async (person: Person, _id: number) =>
    requireRow(await inAccount(person, () => AutomationJob.findOne({ _id }).lean()));
  const makeDue = (person: Person, _id: number) =>
    inAccount(person, () => AutomationJob.updateOne({ _id }, { $set: { nextRunAt: new Date(0) } }));
  const uploadLog = ({ browser }: Person) =>
    browser
      .post('/api/arc-chat/upload-hazard-log')
      .attach(
        'hazardLogFile',
        Buffer.from('Hazard Number,Hazard Name,Severity,Likelihood,Risk\nH1,Wrong dose,Major,Low,3\n'),
        'log.csv',
      )
      .expect(200);

  test('uses the company’s time zone when created, changed, resumed or run, and when the zone changes', async () => {
    const person = await signUpReady(server);
    const zone = (timeZone: string) => person.browser.put('/api/preferences').send({ timeZone }).expect(200);
    const change = (id: number, body: object) =>
      person.browser.patch(`/api/automation/jobs/${id}`).send(body).expect(200);
    const hour = async (id: number) => (await rowOf(person, id)).nextRunAt?.getUTCHours();
    await zone('Asia/Tokyo');
    const id = await schedule(person, { cronExpression: '0 9 * * *' });
    expect(await hour(id)).toBe(0);
    await change(id, { cronExpression: '0 10 * * *' });
    expect(await hour(id)).toBe(1);
    await makeDue(person, id);
    await change(id, { enabled: false });
    await change(id, { enabled: true });
    expect(await hour(id)).toBe(1);
    expect((await rowOf(person, id)).nextRunAt?.getTime()).toBeGreaterThan(Date.now());
    await makeDue(person, id);
    await startDueJobs(new Date('2000-01-01T12:00:00Z'));
    expect((await rowOf(person, id)).nextRunAt).toEqual(new Date('2000-01-02T01:00:00Z'));
    // Due work is started first; later times follow the zone.
    const later = await schedule(person, { cronExpression: '0 9 * * *' });
    await zone('America/Phoenix');
    expect((await rowOf(person, id)).nextRunAt).toEqual(new Date('2000-01-02T01:00:00Z'));
    expect(await hour(later)).toBe(16);
    expect((await person.browser.get('/api/automation/jobs').expect(200)).body.jobs[1]).toMatchObject({
      timeZone: 'America/Phoenix',
      nextRunAt: (await rowOf(person, later)).nextRunAt?.toISOString(),
    });
  });

  test('of a person who left does not run, by schedule or by the owner, and says why', async () => {
    const owner = await signUpReady(server);
    await uploadLog(owner);
    const member = await joined(owner, ['approver']);
    const id = await schedule(member);
    await owner.browser.delete('/api/account/members').send({ userId: member.user.id }).expect(200);
    await makeDue(owner, id);
    const left = 'Not run: the person who scheduled it is no longer a member of this account.';
    await startDueJobs(new Date('2000-01-01T12:00:00Z'));
    expect(await rowOf(owner, id)).toMatchObject({ lastOutcome: left, lastRunAt: expect.any(Date) });
    const { body } = await owner.browser.post(`/api/automation/jobs/${id}/run`).send({}).expect(200);
    expect(body.job.lastOutcome).toBe(left);
    expect(await inAccount(owner, () => Run.countDocuments({}))).toBe(0);
  });

  test('is not started while paused or not due', async () => {
    const person = await signUpReady(server);
    const [paused, coming] = [await schedule(person), await schedule(person, { cronExpression: '0 10 * * 1' })];
    await makeDue(person, paused);
    await inAccount(person, () => AutomationJob.updateOne({ _id: paused }, { $set: { enabled: false } }));
    expect(await startDueJobs()).toBe(0);
    expect(await rowOf(person, paused)).toMatchObject({ lastRunAt: null, nextRunAt: new Date(0) });
    const due = (await rowOf(person, coming)).nextRunAt?.getTime() ?? 0;
    expect(await startDueJobs(new Date(due - 1))).toBe(0);
    expect(await startDueJobs(new Date(due))).toBe(1);
  });

  test('is started once for each time, even if requested twice; another time is another run', async () => {
    const person = await signUpReady(server);
    await uploadLog(person);
    const row = await rowOf(person, await schedule(person));
    const start = (time: string) => inAccount(person, () => startJob(row, time));
    const [first, again] = [await start('1'), await start('1')];
    expect(again.lastOutcome).toBe(first.lastOutcome);
    expect(await inAccount(person, () => Run.countDocuments({}))).toBe(1);
    await messageOfKind(person, 'analysis-complete');
    expect((await start('2')).lastOutcome).not.toBe(first.lastOutcome);
  });

  test('started by another process for one time keeps its later times', async () => {
    const person = await signUpReady(server);
    const id = await schedule(person, { cronExpression: '0 * * * *' });
    await makeDue(person, id);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const store = AutomationJob.updateOne.bind(AutomationJob) as (...given: unknown[]) => Promise<unknown>;
    let seen = () => {};
    const found = new Promise<void>((resolve) => {
      seen = resolve;
    });
    const spy = jest.spyOn(AutomationJob, 'updateOne').mockImplementationOnce(((...given: unknown[]) => {
      seen();
      return held.then(() => store(...given));
    }) as never);
    try {
      const late = startDueJobs(new Date('2000-01-01T10:00:01Z'));
      await found;
      expect(await startDueJobs(new Date('2000-01-01T09:00:05Z'))).toBe(1);
      release();
      expect(await late).toBe(0);
    } finally {
      spy.mockRestore();
    }
    expect((await rowOf(person, id)).nextRunAt).toEqual(new Date('2000-01-01T10:00:00Z'));
  });

  test('with an unreadable schedule says so, and blocks no other', async () => {
    const person = await signUpReady(server);
    const odd = await schedule(person);
    const sound = await schedule(person, { cronExpression: '0 10 * * 1' });
    await inAccount(person, () => AutomationJob.updateOne({ _id: odd }, { $set: { cronExpression: 'H 9 * * *' } }));
    for (const id of [odd, sound]) await makeDue(person, id);
    const at = new Date('2000-01-01T12:00:00Z');
    expect(await startDueJobs(at)).toBe(1);
    expect((await rowOf(person, sound)).nextRunAt).toEqual(new Date('2000-01-03T10:00:00Z'));
    expect(await rowOf(person, odd)).toMatchObject({
      nextRunAt: null,
      lastOutcome: 'Not run: the times of this schedule can’t be read any more. Choose them again.',
    });
    expect(await startDueJobs(at)).toBe(0);
  });
});

describe('the audit chain', () => {
  /** @shows GET /api/audit, GET /api/audit/verify */
  test('verifies while intact, and names the place of a change', async () => {
    const { browser, user } = await signUp(server);
    const { accountId } = user;
    const fact = { event: 'test', userId: user.id, surface: 'api', subject: 's', shownDigest: null, outcome: 'done' };
    await runInAccount(accountId, () =>
      Promise.all(['a', 'b', 'c'].map((key) => auditTrail.append(accountId, { ...fact, key }))),
    );
    expect((await browser.get('/api/audit/verify').expect(200)).body).toMatchObject({
      whole: true,
      rows: 5,
      brokenAt: null,
    });
    expect(
      (await browser.get('/api/audit?limit=2').expect(200)).body.events.map(({ seq }: { seq: number }) => seq),
    ).toEqual([5, 4]);
    await AuditEvent.collection.updateOne({ accountId, seq: 2 }, { $set: { outcome: 'forged' } });
    expect((await browser.get('/api/audit/verify').expect(200)).body).toMatchObject({
      whole: false,
      rows: 1,
      brokenAt: 2,
    });
  });
});

describe('a collaboration', () => {
  const goal = 'Warn pharmacists when a prescribed dose is outside the safe range';

  /** @shows POST /api/collaborate */
  test('of a visitor returns each agent’s part and stores nothing', async () => {
    const { body } = await server.browser().post('/api/collaborate').send({ goal }).expect(200);
    const outputs = new Map<string, string>(
      body.agentOutputs.map(({ agentId, output }: AgentOutput) => [agentId, output]),
    );
    expect([...outputs.keys()]).toEqual(collaborators());
    expect(outputs.get('clinical_safety')).toMatch(/\*\*.*dose.*\*\*/i);
    expect(outputs.get('mdr')).toContain('Rule 11');
  });

  test('is sent as server-sent events on request', async () => {
    const { text, headers } = await server
      .browser()
      .post('/api/collaborate')
      .set('Accept', 'text/event-stream')
      .send({ goal });
    expect(headers['content-type']).toContain('text/event-stream');
    expect(text.match(/^event: output$/gm)).toHaveLength(collaborators().length);
    expect(text).toContain('event: done');
  });

  test('needs a goal of ten characters', async () => {
    const { body } = await server.browser().post('/api/collaborate').send({ goal: 'short' });
    expect(body.fields).toEqual({ goal: 'Please provide a more detailed project goal (at least 10 characters).' });
  });
});

describe('where credits go', () => {
  /** @shows GET /api/billing/use, GET /api/billing/use.csv, PUT /api/billing/budgets */
  test('is read and saved by everybody of the company, and its budgets are set by the owner', async () => {
    const owner = await signUpReady(server);
    const member = await joined(owner, ['member']);
    const set = (by: Person, budget: number | null) =>
      by.browser.put('/api/billing/budgets').send({ agentId: 'clinical_safety', budget });
    expect((await set(member, 5)).status).toBe(403);
    expect((await set(owner, 0)).body.fields).toEqual({ budget: 'A budget is at least 1 credit.' });
    await set(owner, 9).expect(200);
    const { body } = await member.browser.get('/api/billing/use?days=90').expect(200);
    expect(body.budgets).toEqual([{ agentId: 'clinical_safety', name: 'Clara', usedThisMonth: 0, budget: 9 }]);
    // A step of the built-in engine costs ten.
    await owner.browser
      .post('/api/arc-chat/send')
      .send({ message: 'Assess this product: an app that records medicines.', sessionId: 'chat_1' });
    expect((await messageOfKind(owner, 'refused')).message).toBe(
      'This agent’s budget for the month does not cover this: 0 of 9 credits are used and 10 are needed. The account owner can change the budget under Billing; a new month begins with all of it.',
    );
    const file = await member.browser.get('/api/billing/use.csv').expect(200);
    expect([file.headers['content-type'], file.headers['content-disposition']]).toEqual([
      'text/csv; charset=utf-8',
      'attachment; filename=credits-30-days.csv',
    ]);
    expect(file.text).toContain('Credits at sign-up');
  });
});

describe('unavailable features', () => {
  /** @shows GET /api/billing, POST /api/billing/checkout */
  test('of unconfigured payment change no plan', async () => {
    const { browser } = await signUp(server);
    expect((await browser.post('/api/billing/checkout').send({ plan: 'pro' })).body.code).toBe('not_configured');
    const { body } = await browser.get('/api/billing').expect(200);
    expect(body).toMatchObject({ plan: 'trial', status: 'trial', agents: { hired: 0 }, paymentConfigured: false });
    expect(body.usage).toHaveLength(30);
  });

  /** @shows GET /api/oauth/:service/authorize */
  test('of an unconfigured tool redirect to the page they started from, and to no other site', async () => {
    const { browser } = await signUp(server);
    const back = await browser.get('/api/oauth/notion/authorize?from=/workspace&agent=mdr').expect(302);
    expect(back.headers.location).toBe('/workspace?oauth=error&service=notion&agent=mdr&error=not_configured');
    const spoofed = await browser.get(
      `/api/oauth/notion/authorize?from=${encodeURIComponent('/workspace?tab=1&oauth=success&service=slack&agent=x')}`,
    );
    expect(spoofed.headers.location).toBe('/workspace?tab=1&oauth=error&service=notion&error=not_configured');
    const away = await browser.get('/api/oauth/google/authorize?scope=docs&from=https://evil.example/').expect(302);
    expect(away.headers.location).toMatch(/^\/\?oauth=error&service=googledocs/);
    expect((await browser.get('/api/oauth/bolt/authorize?from=/workspace').expect(302)).headers.location).toBe(
      '/workspace?oauth=success&service=bolt',
    );
  });
});
