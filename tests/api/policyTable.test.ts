import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { nextId } from '../../models/counter.ts';
import { Interrupt, type InterruptRow } from '../../models/interrupt.ts';
import { Member, ROLES, type Role } from '../../models/member.ts';
import { ACTIONS, type Action, type Cell } from '../../models/policies/actions.ts';
import { Run } from '../../models/run.ts';
import { runInAccount } from '../../models/store/context.ts';
import { announce } from '../../models/store/revisions.ts';
import { UserAgent } from '../../models/userAgent.ts';
import { makeInterrupt, makeProposal } from '../factories/interrupt.ts';
import { type Person, signUp, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
let owner: Awaited<ReturnType<typeof signUpReady>>;
let accountId: number;
beforeAll(async () => {
  server = await startServer();
  owner = await signUpReady(server);
  accountId = owner.user.accountId;
  await owner.browser.post('/api/integrations/toggle').send({ integrationId: 'sandbox', enabled: true }).expect(200);
});
afterAll(() => server.stop());

/** Somebody in the owner's company with exactly one role. */
async function memberWith(role: Role): Promise<Person> {
  const email = `${randomUUID()}@example.org`;
  const invited = await owner.browser
    .post('/api/account/members')
    .send({ email, roles: [role === 'clinical-safety-officer' ? 'member' : role] })
    .expect(200);
  const token = new URL(invited.body.invitation.link).searchParams.get('invitation');
  const browser = server.browser();
  const password = 'correct-horse-1';
  await browser.post('/api/account/invitations/accept').send({ token, password }).expect(200);
  const { user } = (await browser.get('/api/auth/status')).body;
  // Only an appointment gives this role, and it would take it from whoever has it.
  await Member.updateOne({ accountId, userId: user.id }, { $set: { roles: [role] } });
  announce(accountId, ['account']);
  return { browser, user, email, password, cookie: '' };
}
const leave = async ({ user }: Person) => {
  await Member.deleteOne({ accountId, userId: user.id });
  announce(accountId, ['account']);
};

async function question(change: Partial<InterruptRow>): Promise<number> {
  const _id = await nextId('interrupt');
  const runId = new Types.ObjectId();
  const row = makeInterrupt({ _id, accountId, runId, askKey: `${_id}`, userAgentId: owner.agent.id, ...change });
  await runInAccount(accountId, () => Interrupt.create(row));
  return _id;
}
const clinical = () =>
  question({
    interruptType: 'hazard_review',
    context: { rows: [makeProposal()] },
    draft: { rows: [], version: 0, savedAt: null, savedBy: null },
  });

/** Waiting work of a person. */
async function runOf(person: Person): Promise<string> {
  const _id = new Types.ObjectId();
  const row = { workflow: 'none', userAgentId: owner.agent.id, agentId: 'clinical_safety', startKey: String(_id) };
  const state = { goal: 'g', channel: 'api', status: 'completed', step: 's', round: 0, state: {}, version: 0 };
  await runInAccount(accountId, () =>
    Run.collection.insertOne({
      _id,
      accountId,
      userId: person.user.id,
      ...row,
      ...state,
      createdAt: new Date(),
    } as never),
  );
  return String(_id);
}
let day = 0;
async function scheduleOf({ browser }: Person): Promise<number> {
  day += 1;
  const job = {
    name: 'J',
    actionType: 'hazard_log_analysis',
    prompt: `p${day}`,
    cronExpression: '0 9 * * 1',
    enabled: true,
  };
  return (await browser.post('/api/automation/jobs').send(job).expect(200)).body.job.id;
}
const documentOf = async ({ browser }: Person): Promise<string> =>
  (
    await browser
      .post('/api/documents')
      .attach('document', Buffer.from(`# ${randomUUID()}`), `${randomUUID()}.md`)
      .expect(201)
  ).body.document.id;

async function hiredBy({ browser, user }: Person): Promise<number> {
  const { id } = (await browser.post('/api/user-agents/hire').send({ agentId: 'ops' }).expect(200)).body;
  await runInAccount(accountId, () => UserAgent.updateOne({ _id: id }, { $set: { userId: user.id } }));
  return id;
}

type Try = (person: Person, of: Person) => Promise<{ status: number; body: { code?: string } }>;
/** A real call for every row of the table. Any answer but a missing permission means that the call was allowed. */
const CALLS: Record<Action, Try> = {
  'question.answer': async ({ browser }) =>
    browser.patch(`/api/interrupts/${await question({})}/resolve`).send({ approved: true }),
  'question.answer-clinical': async ({ browser }) => {
    const id = await clinical();
    const draft = await browser.put(`/api/interrupts/${id}/draft`).send({ rows: [], version: 0 });
    const answer = await browser.patch(`/api/interrupts/${id}/resolve`).send({ approved: true });
    expect(draft.status === 403).toBe(answer.status === 403);
    return answer;
  },
  'run.cancel': async ({ browser }, of) => browser.post(`/api/arc-chat/runs/${await runOf(of)}/cancel`).send({}),
  'schedule.create': async (person) => ({ status: 200, body: { id: await scheduleOf(person) } as object }),
  'schedule.change': async ({ browser }, of) =>
    browser.patch(`/api/automation/jobs/${await scheduleOf(of)}`).send({ enabled: false }),
  'schedule.run': async ({ browser }, of) => browser.post(`/api/automation/jobs/${await scheduleOf(of)}/run`).send({}),
  'schedule.delete': async ({ browser }, of) => browser.delete(`/api/automation/jobs/${await scheduleOf(of)}`),
  'document.delete': async ({ browser }, of) => browser.delete(`/api/documents/${await documentOf(of)}`),
  'agent.hire': async ({ browser }) => browser.post('/api/user-agents/hire').send({ agentId: 'mdr' }),
  'agent.let-go': async ({ browser }, of) => browser.delete(`/api/user-agents/${await hiredBy(of)}`),
  'agent.change-tools': async ({ browser }) =>
    browser.post('/api/user-agents/onboard').send({ agentId: 'clinical_safety', tools: ['hazardanalysis'] }),
  'integration.toggle': async ({ browser }) =>
    browser.post('/api/integrations/toggle').send({ integrationId: 'arc-chat', enabled: true }),
  'integration.connect': async ({ browser }) => {
    const { headers } = await browser.get('/api/oauth/notion/authorize').expect(302);
    const refused = String(headers.location).includes('error=owner_only');
    return { status: refused ? 403 : 302, body: refused ? { code: 'not_allowed' } : {} };
  },
  'preferences.own': async ({ browser }) => browser.put('/api/preferences').send({ firstName: 'Bo' }),
  'preferences.company': async ({ browser }) => browser.put('/api/preferences').send({ timeZone: 'Europe/London' }),
  'members.change': async ({ browser }) =>
    browser.post('/api/account/members').send({ email: `${randomUUID()}@example.org`, roles: ['member'] }),
  'tokens.change': async ({ browser }) =>
    browser.post('/api/access-tokens').send({ name: 'n8n', scopes: ['questions:ask'], expiresInDays: 30 }),
  'links.change': async ({ browser }) => {
    const of = { agentId: 'clinical_safety', resultId: 1 };
    const made = await browser.post('/api/shared-links').send({ ...of, expiresInDays: 30 });
    const listed = await browser.get('/api/shared-links').query(of);
    expect(listed.status === 403).toBe(made.status === 403);
    return made;
  },
  'billing.change': async ({ browser }) => browser.post('/api/billing/checkout').send({ plan: 'pro' }),
  'audit.read': async ({ browser }) => browser.get('/api/audit'),
};
const REFUSALS = ['not_allowed', 'needs_officer'];
const isRefused = ({ status, body }: Awaited<ReturnType<Try>>) => status === 403 && REFUSALS.includes(body.code ?? '');

/** @shows /slack-agent no permission, S1-6.1, /#team no permission */
describe.each(ROLES)('the role %s', (role) => {
  const rows = Object.entries(ACTIONS) as [Action, Record<Role, Cell>][];

  let person: Person;
  beforeAll(async () => {
    person = await memberWith(role);
  });
  afterAll(() => leave(person));

  test.each(rows)('%s', async (action, cells) => {
    const attempt = CALLS[action];
    const cell = cells[role];
    if (cell === 'while-none') {
      expect(isRefused(await attempt(person, person))).toBe(false);
      const officer = await memberWith('clinical-safety-officer');
      const refused = await attempt(person, person);
      expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 403, code: 'needs_officer' });
      await leave(officer);
    } else {
      expect({ others: isRefused(await attempt(person, owner)) }).toEqual({ others: cell !== 'yes' });
      expect({ own: isRefused(await attempt(person, person)) }).toEqual({ own: cell === 'no' });
    }
  });
});

test('a question tells people who may not answer it whom it waits for', async () => {
  const [approver, officer] = [await memberWith('approver'), await memberWith('clinical-safety-officer')];
  const id = await clinical();
  const seenBy = async ({ browser }: Person) => {
    const { body } = await browser.get(`/api/agents/${owner.agent.id}/interrupts`).expect(200);
    return (body as { id: number; abilities: object; requires: string }[]).find((it) => it.id === id);
  };
  expect(await seenBy(officer)).toMatchObject({ abilities: { answer: true }, requires: 'clinical-safety-officer' });
  const waitsFor = 'This question waits for the Clinical Safety Officer or a deputy.';
  expect((await seenBy(approver))?.abilities).toEqual({ answer: false, waitsFor });
  expect((await seenBy(owner))?.abilities).toEqual({ answer: false, withdraw: true, waitsFor });
  await Promise.all([leave(approver), leave(officer)]);
});

test('an officer who is no longer appointed has no longer the role, and roles alone do not end it', async () => {
  const company = await signUp(server);
  const officer = { userId: company.user.id, profession: 'Nurse', register: 'NMC', registrationNumber: '1' };
  const put = (clinicalSafetyOfficer: object | null) =>
    company.browser.put('/api/preferences').send({ clinicalSafetyOfficer }).expect(200);
  const roles = async () => (await company.browser.get('/api/auth/status')).body.user.roles;
  await put(officer);
  expect(await roles()).toContain('clinical-safety-officer');
  await put(null);
  expect(await roles()).toEqual(['owner']);
  await put(officer);
  await company.browser
    .post('/api/account/members')
    .send({ email: company.email, roles: ['owner'] })
    .expect(400);
  expect((await company.browser.get('/api/preferences')).body.clinicalSafetyOfficer).toEqual(officer);
});
