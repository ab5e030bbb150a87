import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ChatMessage } from '../../models/contracts/chat.ts';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import type { RowDecision } from '../../models/contracts/questionRows.ts';
import { askIn } from '../factories/askQuestion.ts';
import { askForValves, valveCheck } from '../factories/madeUpKind.ts';
import { eventually, type Person, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
let owner: Awaited<ReturnType<typeof signUpReady>>;
let asked: Interrupt;

beforeAll(async () => {
  server = await startServer();
  const { registerQuestionKind } = await import('../../bot/engine/questions/kinds/index.ts');
  registerQuestionKind(valveCheck);
});
afterAll(() => server.stop());

beforeEach(async () => {
  owner = await signUpReady(server);
  const { arcAddress } = await import('../../bot/engine/conversations/conversations.ts');
  const { accountId, id: userId } = owner.user;
  const asking = { accountId, userId, agentId: 'clinical_safety', userAgentId: owner.agent.id };
  await askIn(arcAddress(userId), askForValves(), asking);
  asked = await eventually(async () => (await questions())[0], 'the question');
});

const questions = async () =>
  (await owner.browser.get(`/api/agents/${owner.agent.id}/interrupts`).expect(200)).body as Interrupt[];
const now = async () => (await questions()).find(({ id }) => id === asked.id) as Interrupt;
const rowsNow = async () => (await now()).draft?.rows;
const say = (message: string, person: Person = owner) =>
  person.browser.post('/api/arc-chat/send').send({ message }).expect(200);
const replied = (part: string) =>
  eventually(async () => {
    const { body } = await owner.browser.get('/api/arc-chat/history?limit=100');
    return (body.messages as ChatMessage[]).find(({ message }) => message.includes(part))?.message;
  }, `a reply with “${part}”`);
const keep = (rows: RowDecision[], version: number, by: Person = owner) =>
  by.browser.put(`/api/interrupts/${asked.id}/draft`).send({ rows, version });
const resolve = (body: object, by: Person = owner) =>
  by.browser.patch(`/api/interrupts/${asked.id}/resolve`).send(body);
const decideRest = (outcome: string, undecided: number, more: object = {}) =>
  resolve({ review: { step: 'decide-rest', outcome, undecided }, ...more });

/** Another person of the company; an approver may answer its questions. */
async function hireColleague(role = 'approver'): Promise<Person> {
  const colleague = await signUpReady(server);
  const { Member } = await import('../../models/member.ts');
  const { runInAccount } = await import('../../models/store/context.ts');
  const { accountId } = owner.user;
  await runInAccount(accountId, () => Member.create({ accountId, userId: colleague.user.id, roles: [role] } as never));
  await colleague.browser.post('/api/account/switch').send({ accountId }).expect(200);
  return colleague;
}

/** What the audit says about this question, oldest first. */
async function auditEvents(): Promise<string[]> {
  const { AuditEvent } = await import('../../models/auditEvent.ts');
  const { runInAccount } = await import('../../models/store/context.ts');
  const rows = await runInAccount(owner.user.accountId, () =>
    AuditEvent.find({ subject: `interrupt:${asked.id}` })
      .sort({ seq: 1 })
      .lean(),
  );
  return rows.map(({ userId, surface, subject, outcome }) => `${userId} ${surface} ${subject} ${outcome}`);
}

const FIRST: RowDecision = { id: 'v1', outcome: 'accepted' };
const worn = (id: string): RowDecision => ({ id, outcome: 'rejected', reason: 'Worn out' });

describe('the undecided rows of a review with decisions', () => {
  test('are decided alike in words, taken back, and sent; a decision that was made stays', async () => {
    await keep([FIRST], 0).expect(200);
    await say('Reject all');
    expect(await replied('decided in the review already')).toContain('“reject the 2 undecided”');
    await say('Reject the 3 undecided: Worn out');
    await replied('2 of 3 valves are undecided now. Nothing was changed.');
    await say('Reject the 2 undecided');
    await replied('Say why all are rejected');
    expect(await rowsNow()).toEqual([FIRST]);

    await say('Reject the 2 undecided: Worn out');
    await replied('2 valves rejected; every earlier decision stays as it was. Nothing is sent yet');
    expect(await rowsNow()).toEqual([FIRST, worn('v2'), worn('v3')]);
    expect((await now()).status).toBe('pending');

    await say('Undo last 2');
    await replied('Undone: 2 of 3 valves are undecided again. Nothing was sent.');
    expect(await rowsNow()).toEqual([FIRST]);

    await say('send the decisions');
    await replied('2 of 3 valves are not decided');
    await say('accept the 2 undecided');
    await replied('2 valves accepted');
    await say('send the decisions');
    await replied('Recorded your answer');
    expect(await now()).toMatchObject({
      status: 'resolved',
      userResponse: {
        rows: [
          FIRST,
          { id: 'v2', outcome: 'accepted', choice: 'gate', bestMatch: true },
          { id: 'v3', outcome: 'accepted' },
        ],
      },
    });
  });

  test('are offered with their number, and with what to ask first; the buttons for all rows are over', async () => {
    const labels = async () => {
      const { view } = await now();
      return view.actions.filter(({ isOver }) => !isOver).map(({ label }) => label);
    };
    expect(await labels()).toEqual(['Review row by row', 'Accept all', 'Reject all']);
    await keep([FIRST], 0).expect(200);
    expect(await labels()).toEqual(['Review row by row', 'Accept the 2 undecided', 'Reject the 2 undecided']);
    const reject = (await now()).view.actions.find(({ name }) => name === 'rejectedRest');
    expect(reject).toMatchObject({
      tone: 'danger',
      fields: ['reason'],
      confirm: 'Reject the 2 undecided? The decision already made stays as it is. Nothing is sent yet.',
    });
    await keep([FIRST, worn('v2')], 1).expect(200);
    expect(await labels()).toContain('Reject the 1 undecided');
    await decideRest('rejected', 1, { reason: 'Worn out' }).expect(200);
    expect(await labels()).toEqual(['Review row by row', 'Send 3 decisions', 'Undo the last 1']);
    expect((await now()).view.actions.find(({ name }) => name === 'send')?.confirm).toBe(
      'Send the review: 1 accepted, 0 edited, 2 rejected? This answer is final.',
    );
  });

  test('are not decided for another number than was shown, without a needed reason, or after the answer', async () => {
    await keep([FIRST], 0).expect(200);
    for (const undecided of [1, 3])
      expect((await decideRest('accepted', undecided).expect(400)).body.fields.review).toContain('2 of 3 valves');
    await decideRest('rejected', 2).expect(400);
    await decideRest('rejected', 2, { reason: ' ' }).expect(400);
    await decideRest('edited', 2).expect(400);
    expect((await now()).draft).toMatchObject({ version: 1, rows: [FIRST] });
    await decideRest('accepted', 2, { draftVersion: 0 }).expect(409);
    await decideRest('accepted', 2, { draftVersion: 1 }).expect(200);
    await resolve({ review: { step: 'send' }, draftVersion: 1 }).expect(409);
    await resolve({ review: { step: 'send' }, draftVersion: 2 }).expect(200);
    await resolve({ review: { step: 'send' } }).expect(200);
    expect((await resolve({ review: { step: 'undo-rest' } }).expect(409)).body.code).toBe('already_answered');
  });

  test('that were decided again since are not taken back with the others', async () => {
    await keep([FIRST], 0).expect(200);
    await decideRest('rejected', 2, { reason: 'Worn out' }).expect(200);
    const again: RowDecision = { id: 'v3', outcome: 'accepted' };
    await keep([FIRST, worn('v2'), again], 2).expect(200);
    await resolve({ review: { step: 'undo-rest' } }).expect(200);
    expect(await rowsNow()).toEqual([FIRST, again]);
    // The second time there is nothing left to take back.
    await resolve({ review: { step: 'undo-rest' } }).expect(200);
    expect(await rowsNow()).toEqual([FIRST, again]);
  });

  test('are for people who may answer', async () => {
    await keep([FIRST], 0).expect(200);
    const stranger = await signUpReady(server);
    const step = { review: { step: 'decide-rest', outcome: 'accepted', undecided: 2 } };
    await resolve(step, stranger).expect(404);
    const colleague = await hireColleague('member');
    await resolve(step, colleague).expect(403);
    expect(await rowsNow()).toEqual([FIRST]);
  });
});

describe('who decided each row', () => {
  test('is kept with when and on which surface, and whoever sends the review does not stand for all', async () => {
    const colleague = await hireColleague();
    await keep([worn('v1')], 0, colleague).expect(200);
    const [first] = (await now()).decidedBy;
    expect(first).toMatchObject({ id: 'v1', userId: colleague.user.id, via: 'inbox' });
    await owner.browser
      .put(`/api/interrupts/${asked.id}/draft`)
      .send({ rows: [worn('v1'), worn('v2')], version: 1, surface: 'arc-chat' })
      .expect(200);
    const both = (await now()).decidedBy;
    expect(both[0]).toEqual(first);
    expect(both[1]).toMatchObject({ id: 'v2', userId: owner.user.id, via: 'arc-chat' });
    const rows = [worn('v1'), worn('v2'), worn('v3')];
    await resolve({ userResponse: { rows }, draftVersion: 2 }).expect(200);
    const { decidedBy, resolution } = await now();
    expect(decidedBy.map(({ id, userId }) => [id, userId])).toEqual([
      ['v1', colleague.user.id],
      ['v2', owner.user.id],
      ['v3', owner.user.id],
    ]);
    expect(decidedBy[0]).toEqual(first);
    expect(resolution?.text).toMatch(/ \(1 by .+, 2 by .+\)$/);
    const { id } = asked;
    const [theirs, own] = [colleague.user.id, owner.user.id];
    await eventually(async () => (await auditEvents()).length === 4, 'the audit');
    expect((await auditEvents()).map((it) => it.replace(/:[0-9a-f]{64}$/, ''))).toEqual([
      `${theirs} inbox interrupt:${id} 1`,
      `${own} arc-chat interrupt:${id} 1`,
      `${own} inbox interrupt:${id} 1`,
      `${own} inbox interrupt:${id} rejected`,
    ]);
  });

  test('is the person who changed a decision last, and nobody once it is taken away', async () => {
    const colleague = await hireColleague();
    await keep([worn('v1'), worn('v2')], 0, colleague).expect(200);
    await keep([FIRST, worn('v2')], 1).expect(200);
    expect((await now()).decidedBy.map(({ id, userId }) => [id, userId])).toEqual([
      ['v1', owner.user.id],
      ['v2', colleague.user.id],
    ]);
    await keep([FIRST], 2).expect(200);
    expect((await now()).decidedBy.map(({ id }) => id)).toEqual(['v1']);
  });

  test('is one person alone where nobody else decided', async () => {
    await resolve({ approved: true }).expect(200);
    const { decidedBy, resolution } = await now();
    expect(decidedBy.map(({ userId }) => userId)).toEqual([owner.user.id, owner.user.id, owner.user.id]);
    expect(resolution?.text).not.toContain('(');
    expect(await eventually(async () => (await auditEvents())[0], 'the audit')).toContain('approved');
    expect(await auditEvents()).toHaveLength(1);
  });

  test('loses the name, and no more, when the person is forgotten', async () => {
    const colleague = await hireColleague();
    await keep([worn('v1')], 0, colleague).expect(200);
    await keep([worn('v1'), worn('v2')], 1).expect(200);
    const before = (await now()).decidedBy;
    const { dangerouslyForgetPerson } = await import('../../models/store/accountRows.ts');
    const { announce } = await import('../../models/store/revisions.ts');
    await dangerouslyForgetPerson(owner.user.accountId, colleague.user.id, before[0]?.name ?? '', 'former member');
    announce(owner.user.accountId, ['interrupts']);
    expect((await now()).decidedBy).toEqual([{ ...before[0], name: 'former member' }, before[1]]);
  });
});
