import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Interrupt as Question } from '../../models/contracts/interrupts.ts';
import { nextId } from '../../models/counter.ts';
import { Interrupt } from '../../models/interrupt.ts';
import { Run } from '../../models/run.ts';
import { runInAccount } from '../../models/store/context.ts';
import { addColleague } from '../factories/colleague.ts';
import { hireOnboarded } from '../factories/hireOnboarded.ts';
import { makeInterrupt } from '../factories/interrupt.ts';
import { eventually, type Person, signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
let owner: Person & { agent: { id: number } };
let deputy: Person;
let approver: Person;
let member: Person;
beforeAll(async () => {
  server = await startServer();
  owner = await hireOnboarded(await signUp(server), 'designer');
  deputy = await addColleague(server, owner, ['deputy']);
  approver = await addColleague(server, owner, ['approver']);
  member = await addColleague(server, owner, ['member']);
});
afterAll(() => server.stop());

const inAccount = <T>(work: () => Promise<T>) => runInAccount(owner.user.accountId, work);
const listed = async (by: Person) =>
  (await by.browser.get(`/api/agents/${owner.agent.id}/interrupts`).expect(200)).body as Question[];
const withdraw = (by: Person, id: number) => by.browser.post(`/api/interrupts/${id}/withdraw`).send({});
/** A question that the work of a person waits for. */
async function askFor(by: Person): Promise<Question> {
  const old = new Set((await listed(owner)).map(({ id }) => id));
  await by.browser.post('/api/arc-chat/send').send({ message: '@Dara design a screen to record pulse' }).expect(200);
  return eventually(async () => (await listed(owner)).find(({ id }) => !old.has(id)), 'the question');
}

/** @shows POST /api/interrupts/:id/withdraw */
describe('a question is withdrawn', () => {
  test('by who may cancel the work that asks: the work ends, and nothing more is asked or answered', async () => {
    const { id, context } = await askFor(owner);
    // The name that called the agent is no part of what the screen is for.
    expect(context.objective).toBe('design a screen to record pulse');
    const { body } = await withdraw(deputy, id).expect(200);
    expect(body).toMatchObject({ id, status: 'cancelled', resolution: null, abilities: { answer: false } });
    const { runId } = (await inAccount(() => Interrupt.findById(id).lean())) ?? {};
    expect(await inAccount(() => Run.findById(runId).lean())).toMatchObject({ status: 'cancelled' });
    expect((await listed(owner)).filter(({ status }) => status === 'pending')).toEqual([]);
    const late = await owner.browser.patch(`/api/interrupts/${id}/resolve`).send({ approved: true });
    expect(late.status).toBe(409);
    expect((await withdraw(owner, id).expect(422)).body).toMatchObject({ error: `Question ${id} is closed.` });
  });

  test('is offered to owner, officer and deputy, and to whose work it is', async () => {
    const { id } = await askFor(member);
    const offered = async (by: Person) => (await listed(by)).find((one) => one.id === id)?.abilities.withdraw ?? false;
    const all = await Promise.all([owner, deputy, approver, member].map(offered));
    expect(all).toEqual([true, true, false, true]);
    expect((await withdraw(approver, id).expect(403)).body.code).toBe('not_allowed');
    expect((await withdraw(member, id).expect(200)).body.status).toBe('cancelled');
  });

  test('not where a program asks it, which withdraws its own', async () => {
    const id = await nextId('interrupt');
    const { accountId } = owner.user;
    const outside = { tokenId: 'token', name: 'Release bot', webhook: null };
    const of = { _id: id, accountId, userAgentId: owner.agent.id, askKey: `${id}`, runId: null, outside };
    await inAccount(() => Interrupt.create(makeInterrupt(of as never)));
    expect((await listed(owner)).find((one) => one.id === id)?.abilities).toEqual({ answer: true });
    expect((await withdraw(owner, id).expect(422)).body.error).toBe(
      `Question ${id} is asked by Release bot, which alone can withdraw it.`,
    );
  });

  test('of no other company', async () => {
    const { id } = await askFor(owner);
    const stranger = await signUp(server);
    await withdraw(stranger, id).expect(404);
    expect((await listed(owner)).find((one) => one.id === id)?.status).toBe('pending');
  });
});
