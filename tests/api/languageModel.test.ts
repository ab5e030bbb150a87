import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ChatMessage } from '../../models/contracts/chat.ts';
import type { Person } from '../factories/person.ts';
import type { Server } from '../factories/server.ts';
import type { Asked, Behaviour } from '../fakes/model/behaviour.ts';
import { startModelServer } from '../fakes/model/server.ts';

let server: Server;
let person: Person & { agent: { id: number } };
let model: Awaited<ReturnType<typeof startModelServer>>;
let behave: (asked: Asked) => Behaviour;

beforeAll(async () => {
  model = await startModelServer((asked) => behave(asked));
  Object.assign(process.env, model.environment);
  const [{ startServer }, { signUpReady }] = await Promise.all([
    import('../factories/server.ts'),
    import('../factories/person.ts'),
  ]);
  server = await startServer();
  person = await signUpReady(server);
});
afterAll(async () => {
  await server.stop();
  await model.stop();
});

const ask = async (message = 'What could go wrong when a dose is shown in the wrong unit?') => {
  const answers = async () => {
    const { body } = await person.browser.get('/api/arc-chat/history?limit=200').expect(200);
    return (body.messages as ChatMessage[]).filter(({ messageType }) => messageType === 'assistant');
  };
  const before = (await answers()).length;
  await person.browser.post('/api/arc-chat/send').send({ message }).expect(200);
  const { eventually } = await import('../factories/person.ts');
  return eventually(async () => {
    const all = await answers();
    return all.length > before ? (all[0]?.message ?? null) : null;
  }, 'an answer');
};
/** Looks up one kind of hazard, then says a text. */
const lookUp =
  (text: string) =>
  ({ messages }: Asked): Behaviour =>
    messages.some(({ role }) => role === 'tool')
      ? { text }
      : { calls: [{ name: 'describe_item', input: { id: 'MED-02' } }] };

describe('with a language model', () => {
  test('the answer rests on what its tools found, and its tokens are charged', async () => {
    behave = lookUp('MED-02 fits your words [1].');
    const used = async () => (await person.browser.get('/api/user/tokens/balance')).body.balance.tokensUsed;
    const before = await used();
    expect(await ask()).toBe('MED-02 fits your words [1].');
    // The answer is sent before its run is settled.
    const { eventually } = await import('../factories/person.ts');
    await eventually(async () => (await used()) - before >= 10 + 300, 'the tokens to be charged');
    expect((await used()) - before).toBe(10 + 300);
    expect(model.asked.at(-1)?.temperature).toBe(0);
  });

  test('what it invents is dropped for the built-in answer', async () => {
    behave = lookUp('XYZ-99 is safe.');
    const response = await ask();
    expect(response).not.toContain('XYZ-99');
    expect(response).toContain('kinds of hazard that I know');
  });

  test('that fails, the built-in answer stands', async () => {
    behave = () => ({ status: 500, text: 'overloaded' });
    expect(await ask()).toContain('kinds of hazard that I know');
  });

  test('thanks and requests to change a rating never reach it', async () => {
    behave = lookUp('MED-02 fits your words [1].');
    const before = model.asked.length;
    await ask('Thanks!');
    await ask('Set the severity of MED-02 to Minor');
    expect(model.asked).toHaveLength(before);
  });

  test('an approved schedule is made once, with the words that were approved', async () => {
    behave = ({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? { text: 'The schedule is made [1].' }
        : { calls: [{ name: 'schedule_analysis', input: { name: 'Mondays', cronExpression: '0 9 * * 1' } }] };
    const { eventually } = await import('../factories/person.ts');
    await person.browser.post('/api/arc-chat/send').send({ message: 'zebra every monday quux' }).expect(200);
    const question = await eventually(async () => {
      const { body } = await person.browser.get(`/api/agents/${person.agent.id}/interrupts`);
      return (body as { id: number; status: string; interruptType: string }[]).find(
        ({ status }) => status === 'pending',
      );
    }, 'the question');
    const jobs = async () => (await person.browser.get('/api/automation/jobs')).body as { jobs?: unknown[] };
    expect(JSON.stringify(await jobs())).not.toContain('Mondays');
    await person.browser
      .patch(`/api/interrupts/${question.id}/resolve`)
      .send({ approved: true, userResponse: { choices: { argument1: 'Monday check' } } })
      .expect(200);
    await eventually(async () => JSON.stringify(await jobs()).includes('Monday check'), 'the schedule');
    expect(JSON.stringify(await jobs()).match(/"Monday check"/g)).toHaveLength(1);
  });
});
