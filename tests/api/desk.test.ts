import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import type { FoundRow } from '../../models/contracts/desk.ts';
import { LIMITS } from '../../models/contracts/limits.ts';
import { nextId } from '../../models/counter.ts';
import { Interrupt, type InterruptRow } from '../../models/interrupt.ts';
import type { Role } from '../../models/member.ts';
import { runInAccount } from '../../models/store/context.ts';
import { announce } from '../../models/store/revisions.ts';
import { endTrial } from '../factories/endTrial.ts';
import { makeInterrupt, makeProposal } from '../factories/interrupt.ts';
import { messageOfKind, type Person, signUp, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

type Ready = Awaited<ReturnType<typeof signUpReady>>;
let server: Server;
let owner: Ready;
let other: Ready;
beforeAll(async () => {
  server = await startServer();
  [owner, other] = [await signUpReady(server), await signUpReady(server)];
  await owner.browser.post('/api/arc-chat/sample').send({}).expect(200);
  await messageOfKind(owner, 'upload');
  await owner.browser
    .post('/api/arc-chat/send')
    .send({ message: 'Analyse my hazard log', sessionId: 'chat_1' })
    .expect(200);
  await messageOfKind(owner, 'review-requested', 30_000);
}, 60_000);
afterAll(() => server.stop());

const deskOf = async ({ browser }: Pick<Person, 'browser'>) => (await browser.get('/api/desk').expect(200)).body;
const find = async ({ browser }: Pick<Person, 'browser'>, words: string): Promise<FoundRow[]> =>
  (await browser.get('/api/search').query({ words }).expect(200)).body.found;
const kinds = (found: FoundRow[]) => [...new Set(found.map(({ kind }) => kind))];

/** A pending question in somebody's account. */
async function ask(person: Ready, change: Partial<InterruptRow>): Promise<number> {
  const _id = await nextId('interrupt');
  const { accountId } = person.user;
  const row = makeInterrupt({
    _id,
    accountId,
    runId: new Types.ObjectId(),
    askKey: `${_id}`,
    userAgentId: person.agent.id,
    ...change,
  });
  await runInAccount(accountId, () => Interrupt.create(row));
  announce(accountId, ['interrupts']);
  return _id;
}

async function memberOf(person: Ready, role: Role) {
  const email = `${randomUUID()}@example.org`;
  const { body } = await person.browser
    .post('/api/account/members')
    .send({ email, roles: [role] })
    .expect(200);
  const token = new URL(body.invitation.link).searchParams.get('invitation');
  const browser = server.browser();
  await browser.post('/api/account/invitations/accept').send({ token, password: 'correct-horse-1' }).expect(200);
  return { browser };
}

describe('a new company', () => {
  test('has the sandbox workspace and arc-chat on, and can switch both off for good', async () => {
    const { browser, email, password } = await signUp(server);
    const states = async () => (await browser.get('/api/oauth/status/all').expect(200)).body;
    expect(await states()).toMatchObject({ sandbox: { enabled: true }, 'arc-chat': { enabled: true } });
    for (const integrationId of ['sandbox', 'arc-chat'])
      await browser.post('/api/integrations/toggle').send({ integrationId, enabled: false }).expect(200);
    // What is missing of an account is made at each sign-in.
    await browser.post('/api/logout').expect(200);
    await browser.post('/api/login').send({ email, password }).expect(200);
    expect(await states()).toMatchObject({ sandbox: { enabled: false }, 'arc-chat': { enabled: false } });
  });

  test('has nothing to come back to', async () => {
    const person = await signUp(server);
    expect(await deskOf(person)).toEqual({
      waiting: 0,
      waitingForOthers: 0,
      next: null,
      assigned: [],
      newest: null,
      nextRun: null,
    });
  });
});

describe('who comes back', () => {
  /** @shows GET /api/desk */
  test('sees the review that waits, how far it is, and the newest figures', async () => {
    const before = await deskOf(owner);
    const { interruptId, progress } = before.next;
    expect(before).toMatchObject({
      waiting: 1,
      waitingForOthers: 0,
      next: { agentName: 'Clara', progress: { decided: 0 } },
    });
    expect(before.newest).toMatchObject({
      title: 'Quillmere e-prescribing hazard log v2.3.xlsx',
      figures: [
        { value: '25', label: 'hazards' },
        { value: '7', label: 'findings to fix' },
        { value: '3 of 69', label: 'coverage' },
      ],
      changed: null,
      path: expect.stringMatching(/^\/analyses\/\d+$/),
    });
    const { body: question } = await owner.browser.get(`/api/interrupts/${interruptId}`).expect(200);
    const [{ id }] = question.view.rows.rows;
    // Rows can be thousands: each stands once in an answer.
    expect(question.context).toMatchObject({ title: expect.any(String) });
    const [listed] = (await owner.browser.get(`/api/agents/${owner.agent.id}/interrupts`).expect(200)).body;
    for (const read of [question, listed]) expect(read.context).not.toHaveProperty('rows');
    const rows = [{ id, outcome: 'rejected', reason: 'Known' }];
    const { body: saved } = await owner.browser
      .put(`/api/interrupts/${interruptId}/draft`)
      .send({ rows, version: question.draft.version })
      .expect(200);
    expect(saved.context).not.toHaveProperty('rows');
    expect((await deskOf(owner)).next.progress).toEqual({ decided: 1, of: progress.of });
    // A newer question without decisions does not come before the one that was begun.
    const newer = await ask(owner, { prompt: 'Shall I go on?' });
    expect(await deskOf(owner)).toMatchObject({ waiting: 2, next: { interruptId } });
    await owner.browser.patch(`/api/interrupts/${newer}/resolve`).send({ approved: true }).expect(200);
  });

  test('sees what only others may answer as theirs', async () => {
    const approver = await memberOf(other, 'approver');
    const member = await memberOf(other, 'member');
    const plain = await ask(other, {});
    await ask(other, {
      interruptType: 'hazard_review',
      context: { rows: [makeProposal()] },
      draft: { rows: [], version: 0, savedAt: null, savedBy: null },
    });
    expect(await deskOf(approver)).toMatchObject({ waiting: 1, waitingForOthers: 1, next: { interruptId: plain } });
    expect(await deskOf(member)).toMatchObject({ waiting: 0, waitingForOthers: 2, next: null });
  });

  test('sees the scheduled run that comes next, and none once the trial is over', async () => {
    const person = await signUpReady(server);
    const schedule = async (name: string, cronExpression: string, enabled = true) =>
      person.browser
        .post('/api/automation/jobs')
        .send({ name, actionType: 'hazard_log_analysis', prompt: '', cronExpression, enabled })
        .expect(200);
    await schedule('Off', '0 * * * *', false);
    await schedule('In a year', '0 9 1 1 *');
    const { body } = await schedule('Soon', '5 * * * *');
    expect((await deskOf(person)).nextRun).toEqual({ name: 'Soon', at: body.job.nextRunAt });
    await endTrial(person);
    expect((await deskOf(person)).nextRun).toBeNull();
  });

  test('is not signed out', async () => {
    await server.browser().get('/api/desk').expect(401);
    await server.browser().get('/api/search').query({ words: 'dose' }).expect(401);
  });
});

/** The rows that a path of the tables shows. */
function askAgain(path: string) {
  const { searchParams } = new URL(path, 'http://localhost');
  const [query, of] = [JSON.parse(searchParams.get('query') ?? ''), Number(searchParams.get('of'))];
  return owner.browser.post('/api/arc-chat/ask-again').send({ agentId: 'clinical_safety', query, of }).expect(200);
}

describe('the search over everything', () => {
  /** @shows GET /api/search */
  test('finds hazards, findings, tickets, analyses and questions by words, and what each opens', async () => {
    const found = await find(owner, 'QM-07');
    expect(found[0]).toMatchObject({ kind: 'Hazard', id: 'QM-07' });
    const { pathname, searchParams } = new URL(found[0]?.path ?? '', 'http://localhost');
    const { body: analysis } = await owner.browser
      .get(`/api/hazard-analysis/${pathname.split('/').at(-1)}`)
      .expect(200);
    const hazard = analysis.existingHazards.find(({ id }: { id: string }) => id === 'QM-07');
    expect(Object.fromEntries(searchParams)).toEqual({
      show: 'hazards',
      hazard: 'QM-07',
      row: String(hazard.rows.first),
    });
    expect(kinds(await find(owner, 'QM-12'))).toEqual(['Hazard', 'Finding']);
    expect(kinds(await find(owner, 'quillmere'))).toEqual(['Analysis', 'Question']);
    expect(kinds(await find(owner, 'finding QM-12'))).toEqual(['Finding']);
    const [ticket] = (await find(owner, 'dose')).filter(({ kind }) => kind === 'Ticket');
    expect(ticket?.title.toLowerCase()).toContain('dose');
    expect((await askAgain(ticket?.path ?? '')).body.rows).toEqual([ticket?.id]);
    const [listed] = (await find(owner, 'quillmere log')).filter(({ kind }) => kind === 'Analysis');
    expect(listed).toMatchObject({ path: `/analyses/${listed?.id}`, note: expect.stringContaining('25 hazards') });
    const [question] = (await find(owner, 'review quillmere')).filter(({ kind }) => kind === 'Question');
    expect(question?.path).toBe(`/agent-inbox?interrupt=${question?.id}`);
  });

  test('opens a finding on the page of its analysis', async () => {
    const findings = (await find(owner, 'QM-12')).filter(({ kind }) => kind === 'Finding');
    for (const { path, id } of findings) {
      expect(path).toMatch(/^\/analyses\/\d+\?show=findings&/);
      expect(new URL(path, 'http://localhost').searchParams.get('finding')).toBe(id);
    }
    expect(findings.length).toBeGreaterThan(0);
  });

  test('finds nothing of another company', async () => {
    expect(await find(other, 'quillmere')).toEqual([]);
    await ask(other, { prompt: 'A question about zanzibar' });
    expect(await find(other, 'zanzibar')).toHaveLength(1);
    expect(await find(owner, 'zanzibar')).toEqual([]);
  });

  test('finds a question by its number, also one that many came after', async () => {
    const wanted = await ask(other, { prompt: 'Shall I?' });
    const { accountId } = other.user;
    const runId = new Types.ObjectId();
    const later = Array.from({ length: 500 }, (_, at) => 1_000_000 + at).map((_id) =>
      makeInterrupt({ _id, accountId, runId, askKey: `${_id}`, userAgentId: other.agent.id, prompt: 'Or not?' }),
    );
    await runInAccount(accountId, () => Interrupt.insertMany(later));
    const found = await find(other, `question #${wanted}`);
    expect(found[0]).toMatchObject({ kind: 'Question', id: String(wanted), title: 'Shall I?' });
    const ofAnother = await find(owner, `question ${wanted}`);
    expect(ofAnother.map(({ title }) => title)).not.toContain('Shall I?');
  });

  test('needs every word, and gives at most so many of a kind', async () => {
    expect(await find(owner, 'dose nonsense-word')).toEqual([]);
    const ofKind = (found: FoundRow[], kind: string) => found.filter((it) => it.kind === kind).length;
    expect(ofKind(await find(owner, 'QM-'), 'Hazard')).toBe(LIMITS.search.ofKind);
  });

  test.each([
    ['a', 400],
    ['ab', 200],
    ['a'.repeat(LIMITS.search.max), 200],
    ['a'.repeat(LIMITS.search.max + 1), 400],
  ])('takes words within the limits: %s', async (words, status) => {
    await owner.browser.get('/api/search').query({ words }).expect(status);
  });
});
