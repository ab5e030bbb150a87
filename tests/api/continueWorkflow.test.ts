import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { raiseInterrupt } from '../../bot/engine/interrupts/raiseInterrupt.ts';
import { findAgent } from '../../models/contracts/catalogue.ts';
import { runInAccount } from '../../models/store/context.ts';
import { type Person, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

type Ready = Person & { agent: { id: number } };
/** Someone with the developer onboarded, whose workflows this call continues. */
async function signUpDeveloper(): Promise<Ready> {
  const person = await signUpReady(server);
  const { body } = await person.browser.post('/api/user-agents/hire').send({ agentId: 'developer' }).expect(200);
  await person.browser.post('/api/user-agents/onboard').send({ agentId: 'developer', tools: [] }).expect(200);
  return { ...person, agent: body };
}
/** A question as a workflow asks it. */
const ask = ({ user, agent }: Ready, question: Parameters<typeof raiseInterrupt>[3]) =>
  runInAccount(user.accountId, async () => {
    const run = { _id: new Types.ObjectId(), accountId: user.accountId, userAgentId: agent.id, step: 's', round: 0 };
    const clara = findAgent('clinical_safety') as never;
    const { asked, deliver } = await raiseInterrupt(run as never, null, clara, question);
    await deliver();
    return asked._id;
  });
const continueWith = ({ browser }: Person, id: number, body: object) =>
  browser.post(`/api/fullstack-agent/continue/${id}`).send(body);
const options = [
  { id: 'approve', label: 'Use it', action: 'approve' },
  { id: 'edit', label: 'Change it', action: 'edit' },
];

/** @shows GET /api/interrupts/:id */
test('a question is read by its id, pending and answered, but not by another company', async () => {
  const [person, stranger] = [await signUpDeveloper(), await signUpDeveloper()];
  const id = await ask(person, { interruptType: 'input', prompt: 'Who owns H7?' });
  const path = `/api/interrupts/${id}`;
  expect((await person.browser.get(path).expect(200)).body).toMatchObject({ id, status: 'pending' });
  await stranger.browser.get(path).expect(404);
  await person.browser.get('/api/interrupts/99999999').expect(404);
  await person.browser.get('/api/interrupts/none').expect(400);
  await person.browser.patch(`${path}/resolve`).send({ userInput: 'Priya' }).expect(200);
  expect((await person.browser.get(path).expect(200)).body).toMatchObject({ id, status: 'resolved' });
});

/** @shows POST /api/fullstack-agent/continue/:interruptId */
test('continuing a workflow answers its pending question, once', async () => {
  const person = await signUpDeveloper();
  const id = await ask(person, { interruptType: 'REPLIT_PROJECT_CREATED', prompt: 'Use it?', options });
  expect((await continueWith(person, id, { action: 'edit' })).body.fields).toEqual({
    userResponse: 'Say what should change.',
  });
  const { body } = await continueWith(person, id, {
    action: 'edit',
    text: 'The date first',
    userId: person.user.id,
  }).expect(200);
  expect(body).toMatchObject({
    status: 'resolved',
    userResponse: { choice: 'edit', text: 'The date first' },
    resolution: { via: 'inbox', by: { name: 'Ada Okafor' } },
  });
  await continueWith(person, id, { action: 'edit', text: 'The date first' }).expect(200);
  expect((await continueWith(person, id, { action: 'approve' })).body.code).toBe('already_answered');
});

test.each([
  [{ interruptType: 'approval' as const, prompt: 'Shall I?' }, { action: 'approve' }, { approved: true }],
  [{ interruptType: 'approval' as const, prompt: 'Shall I?' }, { action: 'reject' }, { approved: false }],
  [
    { interruptType: 'decision' as const, prompt: 'Which?', options: ['A', 'B'] },
    { action: 'B' },
    { selectedOption: 'B' },
  ],
  [{ interruptType: 'input' as const, prompt: 'Who?' }, { action: 'answer', text: 'Priya' }, { userInput: 'Priya' }],
])('a question %j is continued by %j', async (question, action, userResponse) => {
  const person = await signUpDeveloper();
  const { body } = await continueWith(person, await ask(person, question), action).expect(200);
  expect(body.userResponse).toEqual(userResponse);
});

test('a continuation is refused to others, for an unknown question, and without a decision', async () => {
  const [mine, other] = await Promise.all([signUpDeveloper(), signUpReady(server)]);
  const id = await ask(mine, { interruptType: 'approval', prompt: 'Shall I?' });
  expect((await continueWith(other, id, { action: 'approve' })).status).toBe(404);
  expect((await continueWith(mine, 999_999, { action: 'approve' })).status).toBe(404);
  expect((await continueWith(mine, id, {})).body.fields).toHaveProperty('action');
  expect((await continueWith(mine, id, { action: 'perhaps' })).body.fields).toEqual({
    approved: 'Choose approve or reject.',
  });
});

test('another agent’s question can’t be continued here', async () => {
  const person = await signUpReady(server);
  const id = await ask(person, { interruptType: 'approval', prompt: 'Shall I?' });
  expect((await continueWith(person, id, { action: 'approve' })).body.code).toBe('wrong_agent');
});
