import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expireQuestions } from '../../bot/engine/outside/endQuestions.ts';
import { LIMITS } from '../../models/contracts/limits.ts';
import type { TokenScope } from '../../models/contracts/tokenScopes.ts';
import { Interrupt } from '../../models/interrupt.ts';
import { runInAccount } from '../../models/store/context.ts';
import { makeAccessToken, programWith } from '../factories/accessToken.ts';
import { endTrial } from '../factories/endTrial.ts';
import { eventually, type Person, signUp, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
let owner: Awaited<ReturnType<typeof signUpReady>>;
/** A program of the owner with every scope. */
let usual: Program;
beforeAll(async () => {
  server = await startServer();
  owner = await signUpReady(server);
  usual = await programOf(owner);
});
afterAll(() => server.stop());

const programOf = async (person: Pick<Person, 'browser'>, scopes?: readonly TokenScope[], name?: string) =>
  programWith(server.url, (await makeAccessToken(person, scopes, name)).secret);
type Program = Awaited<ReturnType<typeof programOf>>;

const approval = (change: object = {}) => ({
  kind: 'approval',
  prompt: 'Deploy release 12?',
  idempotencyKey: randomUUID(),
  ...change,
});
const ask = async (program: Program, change: object = {}) =>
  (await program.post('/api/questions').send(approval(change)).expect(200)).body;
const read = async (program: Program, id: number, query = '') =>
  (await program.get(`/api/questions/${id}${query}`).expect(200)).body;
const answer = (person: Person, id: number, body: object) =>
  person.browser.patch(`/api/interrupts/${id}/resolve`).send(body);
const refusal = async (program: Program, change: object) => {
  const { status, body } = await program.post('/api/questions').send(approval(change));
  return { status, code: body.code, fields: body.fields };
};

describe('a question that a program asks', () => {
  /** @shows POST /api/questions, GET /api/questions/:id */
  test('is in the inbox with who asks it, and its answer is returned, the same each time', async () => {
    const program = await programOf(owner, ['questions:ask'], 'Release robot');
    const asked = await ask(program, { description: 'Twelve changes, none to dosing.' });
    expect(asked).toMatchObject({
      status: 'pending',
      kind: 'approval',
      askedBy: 'Release robot',
      outcome: null,
      answer: null,
      answeredBy: null,
    });
    const inbox = (await owner.browser.get(`/api/agents/${owner.agent.id}/interrupts`).expect(200)).body;
    const shown = inbox.find((one: { id: number }) => one.id === asked.id);
    expect(shown).toMatchObject({ agentName: 'Release robot (outside Arc)', askedBy: 'Release robot', requires: null });
    expect(shown.view.sections.map(({ text }: { text: string }) => text)).toEqual([
      'Asked by “Release robot”, a program of your company. Its words are not Arc’s.',
      'Twelve changes, none to dosing.',
    ]);
    await answer(owner, asked.id, { approved: false, reason: 'Not on a Friday' }).expect(200);
    const answered = await read(program, asked.id);
    expect(answered).toMatchObject({
      status: 'answered',
      outcome: 'rejected',
      answer: { approved: false },
      reason: 'Not on a Friday',
      answeredBy: 'Ada Okafor',
      answeredIn: 'the inbox',
    });
    expect(await read(program, asked.id, '?wait=50')).toEqual(answered);
    await answer(owner, asked.id, { approved: true }).expect(409);
    expect(await read(program, asked.id)).toEqual(answered);
    const row = await runInAccount(owner.user.accountId, () =>
      eventually(async () => {
        const one = await Interrupt.findOne({ _id: asked.id }).lean();
        return one?.outbox.length === 0 && one;
      }, 'its consequences'),
    );
    expect(row.runId).toBeNull();
  });

  test.each([
    ['decision', { options: ['Now', { id: 'later', label: 'Next week' }] }, { selectedOption: 'later' }, undefined],
    ['input', {}, { userInput: 'On Monday' }, undefined],
    ['travel_request', {}, { userInput: 'Yes, by train' }, { text: 'Yes, by train' }],
    ['lunch', { options: ['Soup', 'Salad'] }, { selectedOption: 'Soup' }, { choice: 'Soup' }],
    [
      'choices',
      {
        points: [
          { id: 'when', prompt: 'When?', options: ['Now', 'Later'] },
          { id: 'who', prompt: 'Who?', options: [{ id: 'a', label: 'Ada' }, 'Bo'] },
        ],
      },
      { userResponse: { choices: { choice1: 'option2', choice2: 'option1' } } },
      {
        choices: [
          { point: 'when', choice: 'Later' },
          { point: 'who', choice: 'a' },
        ],
      },
    ],
  ])('of the kind %s is answered as its kind says', async (kind, parts, given, returned) => {
    const program = usual;
    const asked = await ask(program, { kind, ...parts });
    await answer(owner, asked.id, given).expect(200);
    expect(await read(program, asked.id)).toMatchObject({ kind, outcome: 'answered', answer: returned ?? given });
  });

  test('is asked once with one key, also at the same time; another question needs another key', async () => {
    const program = usual;
    const idempotencyKey = randomUUID();
    const asked = await Promise.all([1, 2, 3].map(() => ask(program, { idempotencyKey })));
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
    expect(await refusal(program, { idempotencyKey, prompt: 'Deploy release 13?' })).toMatchObject({
      status: 409,
      code: 'key_reused',
    });
    expect(await refusal(program, { idempotencyKey, webhook: 'https://hooks.example.org/a' })).toMatchObject({
      status: 409,
      code: 'key_reused',
    });
    await answer(owner, asked[0].id, { approved: true }).expect(200);
    expect(await ask(program, { idempotencyKey })).toMatchObject({ id: asked[0].id, status: 'answered' });
    // Keys belong to a token.
    expect((await ask(await programOf(owner), { idempotencyKey })).id).not.toBe(asked[0].id);
  });

  test(`is one of at most ${LIMITS.outside.pending} of a token that wait; asked again it is still the same`, async () => {
    const own = await signUpReady(server);
    const program = await programOf(own);
    const first = approval();
    const { id } = (await program.post('/api/questions').send(first).expect(200)).body;
    const { accountId } = own.user;
    await runInAccount(accountId, async () => {
      const row = await Interrupt.findOne({ _id: id, accountId }).lean();
      const copies = Array.from({ length: LIMITS.outside.pending - 2 }, (_, at) => ({
        ...row,
        ...{ _id: id * 1000 + at, askKey: `copy ${id} ${at}` },
      }));
      await Interrupt.collection.insertMany(copies as never);
    });
    await ask(program);
    const { status, body } = await program.post('/api/questions').send(approval());
    expect([status, body.code, body.error]).toEqual([
      422,
      'not_available',
      expect.stringContaining('wait for an answer'),
    ]);
    expect((await program.post('/api/questions').send(first).expect(200)).body.id).toBe(id);
  });

  test('names a member of its own company alone', async () => {
    const stranger = await signUpReady(server);
    for (const to of [stranger.user.email, 'nobody@example.org'])
      expect(await refusal(usual, { to })).toMatchObject({
        fields: { to: 'No member of the company has this e-mail.' },
      });
    expect((await ask(usual, { to: owner.user.email })).status).toBe('pending');
  });

  test('is waited for until it is answered, or for the given seconds', async () => {
    const program = usual;
    const asked = await ask(program, { wait: 0 });
    const waited = program.get(`/api/questions/${asked.id}?wait=50`).then(({ body }) => body);
    await answer(owner, asked.id, { approved: true }).expect(200);
    expect(await waited).toMatchObject({ status: 'answered', answer: { approved: true } });
    expect(await ask(program, { wait: 1 })).toMatchObject({ status: 'pending', answer: null });
    await program.get(`/api/questions/${asked.id}?wait=51`).expect(400);
  });

  test('is not waited for by more calls of one token than may wait', async () => {
    const program = usual;
    const { id } = await ask(program);
    const waits = Array.from({ length: LIMITS.outside.waiting + 1 }, () =>
      program.get(`/api/questions/${id}?wait=50`).then(({ status }) => status),
    );
    const first = await Promise.race(waits);
    expect(first).toBe(429);
    await answer(owner, id, { approved: true }).expect(200);
    expect((await Promise.all(waits)).sort()).toEqual([...Array(LIMITS.outside.waiting).fill(200), 429]);
    // Waiting again is possible once they have ended.
    expect((await program.get(`/api/questions/${id}?wait=1`)).status).toBe(200);
  });

  /** @shows DELETE /api/questions/:id */
  test('is withdrawn by the token that asked it, and then answered by nobody', async () => {
    const [program, beside] = [usual, await programOf(owner)];
    const { id } = await ask(program);
    await beside.delete(`/api/questions/${id}`).expect(404);
    expect((await program.delete(`/api/questions/${id}`).expect(200)).body.status).toBe('withdrawn');
    expect((await program.delete(`/api/questions/${id}`).expect(200)).body.status).toBe('withdrawn');
    expect((await answer(owner, id, { approved: true })).status).toBe(409);
    const answered = await ask(program);
    await answer(owner, answered.id, { approved: true }).expect(200);
    expect((await program.delete(`/api/questions/${answered.id}`).expect(200)).body.status).toBe('answered');
  });

  test('expires, before the sweep as after it', async () => {
    const program = usual;
    const asked = await ask(program, { expiresInSeconds: 60 });
    expect(Date.parse(asked.expiresAt) - Date.parse(asked.askedAt)).toBeLessThanOrEqual(60_100);
    const over = (id: number) =>
      runInAccount(owner.user.accountId, () =>
        Interrupt.updateOne({ _id: id }, { $set: { 'outside.expiresAt': new Date(Date.now() - 1) } }),
      );
    await over(asked.id);
    expect((await read(program, asked.id)).status).toBe('expired');
    const late = await answer(owner, asked.id, { approved: true });
    expect({ status: late.status, text: late.body.error }).toEqual({
      status: 409,
      text: 'This question was withdrawn before it was answered. There is nothing left to decide.',
    });
    const [swept, kept] = [await ask(program), await ask(program)];
    await over(swept.id);
    await expireQuestions();
    expect([(await read(program, swept.id)).status, (await read(program, kept.id)).status]).toEqual([
      'expired',
      'pending',
    ]);
    const row = await runInAccount(owner.user.accountId, () => Interrupt.findOne({ _id: swept.id }).lean());
    expect(row?.status).toBe('cancelled');
  });

  test('is withdrawn when its token is revoked; others stay', async () => {
    const { id: tokenId, secret } = await makeAccessToken(owner);
    const mine = await ask(programWith(server.url, secret));
    const beside = await programOf(owner);
    const kept = await ask(beside);
    await owner.browser.delete(`/api/access-tokens/${tokenId}`).expect(200);
    expect((await read(beside, mine.id)).status).toBe('withdrawn');
    expect((await read(beside, kept.id)).status).toBe('pending');
    const { body } = await owner.browser.get('/api/audit?kind=answers').expect(200);
    const withdrawn = body.events.filter(({ subject }: { subject: string }) => subject === `interrupt:${mine.id}`);
    expect(withdrawn).toMatchObject([{ event: 'interrupt.withdrawn', userId: owner.user.id }]);
  });
});

describe('a program', () => {
  /** @shows GET /api/questions */
  test('sees no question of another company, and without questions:read none of another token', async () => {
    const other = await signUpReady(server);
    const [mine, own, all, foreign] = await Promise.all([
      programOf(owner, ['questions:ask']),
      programOf(owner, ['questions:ask']),
      programOf(owner, ['questions:read']),
      programOf(other),
    ]);
    const { id } = await ask(mine);
    const statuses = await Promise.all(
      [mine, own, all, foreign].map(async (it) => (await it.get(`/api/questions/${id}`)).status),
    );
    expect(statuses).toEqual([200, 404, 200, 404]);
    await foreign.delete(`/api/questions/${id}`).expect(404);
    const listed = await Promise.all(
      [mine, own, all, foreign].map(async (it) => {
        const { body } = await it.get('/api/questions?limit=50&status=pending').expect(200);
        return body.questions.some((one: { id: number }) => one.id === id);
      }),
    );
    expect(listed).toEqual([true, false, true, false]);
    expect((await mine.get('/api/questions?status=answered').expect(200)).body.questions).toEqual([]);
  });

  test('asks only with the scope for it', async () => {
    const reader = await programOf(owner, ['questions:read', 'analyses:read', 'analyses:run']);
    const { status, body } = await reader.post('/api/questions').send(approval());
    expect({ status, code: body.code, text: body.error }).toEqual({
      status: 403,
      code: 'scope_missing',
      text: 'This access token may not do that. It needs the scope questions:ask; an owner can make a token that has it.',
    });
    await reader.delete('/api/questions/1').expect(403);
    const analyst = await programOf(owner, ['analyses:read']);
    await analyst.get('/api/questions').expect(403);
  });

  test.each(['hazard_review', 'match_review', 'tool_use', 'project_preview'])(
    'can’t ask a question of the kind %s, whose answer releases something',
    async (kind) => {
      const refused = await refusal(usual, { kind });
      expect(refused).toMatchObject({ status: 422, code: 'not_available' });
    },
  );

  test.each([
    ['prompt', { prompt: ' \u200b ' }],
    ['prompt', { prompt: 'x'.repeat(LIMITS.outside.prompt + 1) }],
    ['description', { description: 'x'.repeat(LIMITS.outside.description + 1) }],
    ['kind', { kind: 'Not a kind' }],
    ['idempotencyKey', { idempotencyKey: '' }],
    ['expiresInSeconds', { expiresInSeconds: 59 }],
    ['options', { options: ['Yes', 'No'] }],
    ['options', { kind: 'decision' }],
    ['options', { kind: 'decision', options: ['Only one'] }],
    ['options', { kind: 'decision', options: ['Same', 'same'] }],
    ['options', { kind: 'lunch', options: ['Soup'] }],
    ['points', { kind: 'choices' }],
    ['points', { points: [{ id: 'a', prompt: 'Which?', options: ['1', '2'] }] }],
    ['body', { prompt: 'A NUL \0' }],
  ])('is told what is wrong with %s', async (field, change) => {
    const refused = await refusal(usual, change);
    expect({ ...refused, fields: Object.keys(refused.fields ?? {}) }).toEqual({
      status: 400,
      code: 'bad_request',
      fields: [field],
    });
  });

  test('has its text stripped of what can’t be seen, and of nothing else', async () => {
    const program = usual;
    const prompt = '\u202eDeploy\u200b <b>now</b>? & [this](https://x.example)\n• a\u0007\tb';
    expect((await ask(program, { prompt })).prompt).toBe('Deploy <b>now</b>? & [this](https://x.example)\n• a\tb');
  });

  test('asks nothing for a company without an onboarded agent, or after its trial', async () => {
    const fresh = await signUp(server);
    expect(await refusal(await programOf(fresh), {})).toMatchObject({ status: 422, code: 'not_available' });
    const late = await signUpReady(server);
    const program = await programOf(late);
    const { id } = await ask(program);
    await endTrial(late);
    expect(await refusal(program, {})).toMatchObject({ status: 402, code: 'trial_over' });
    // What waits can still be answered and read.
    await answer(late, id, { approved: true }).expect(200);
    expect((await read(program, id)).status).toBe('answered');
  });

  test('asks in the inbox of the agent that it names, where that one is ready', async () => {
    const program = usual;
    expect((await ask(program, { agent: 'clinical_safety' })).agent).toBe('Clara');
    expect(await refusal(program, { agent: 'mdr' })).toMatchObject({ status: 422, code: 'not_available' });
  });
});
