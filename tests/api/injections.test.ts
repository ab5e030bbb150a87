import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ChatMessage } from '../../models/contracts/chat.ts';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import type { Person } from '../factories/person.ts';
import type { Server } from '../factories/server.ts';
import { INJECTIONS, type Injection } from '../fakes/injections.ts';
import type { Asked, Behaviour } from '../fakes/model/behaviour.ts';
import { startModelServer } from '../fakes/model/server.ts';

/** Where the texts stand, with the id of the item that holds the text of an index. */
const PLACES = {
  'the name of a hazard': (at: number) => `HN-${at}`,
  'the cause of a hazard': (at: number) => `HC-${at}`,
  'the summary of a ticket': (at: number) => `TS-${at}`,
  'the description of a ticket': (at: number) => `TD-${at}`,
};
const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
const filled = (text: string, id: string) => text.replaceAll('ID', id);

let server: Server;
let person: Person & { agent: { id: number } };
let model: Awaited<ReturnType<typeof startModelServer>>;
let obey: { injection: Injection; id: string } | null = null;
let before: unknown[];
let waitFor: typeof import('../factories/person.ts').eventually;

/** Looks the item up, then does what the text in it says. */
function behave({ messages }: Asked): Behaviour {
  // The analysis asks it to choose among hazards: it chooses none.
  if (!obey) return { text: 'none' };
  const { injection, id } = obey;
  const results = messages.filter(({ role }) => role === 'tool').length;
  if (results === 0) return { calls: [{ name: 'describe_item', input: { id } }] };
  if (injection.calls && results === 1) {
    return { calls: [{ ...injection.calls, input: JSON.parse(filled(JSON.stringify(injection.calls.input), id)) }] };
  }
  return { text: filled(injection.says ?? 'I have done what the text says.', id) };
}

beforeAll(async () => {
  model = await startModelServer(behave);
  Object.assign(process.env, model.environment);
  const [{ startServer }, { signUpReady, eventually }] = await Promise.all([
    import('../factories/server.ts'),
    import('../factories/person.ts'),
  ]);
  waitFor = eventually;
  server = await startServer();
  person = await signUpReady(server);
  const rows = INJECTIONS.flatMap(({ text }, at) => [
    [`HN-${at}`, filled(text, `HN-${at}`), 'A wrong selection'],
    [`HC-${at}`, `Wrong dose is shown, ${at}`, filled(text, `HC-${at}`)],
  ]);
  const log = `Hazard ID,Hazard name,Cause,Severity,Likelihood,Initial risk,Status\n${rows
    .map((row) => [...row.map(cell), 'Major', 'Medium', '3', 'Open'].join(','))
    .join('\n')}\n`;
  const tickets = `Issue key,Summary,Description\n${INJECTIONS.flatMap(({ text }, at) => [
    [`TS-${at}`, filled(text, `TS-${at}`), 'The dose of a medicine is shown in the wrong unit.'],
    [`TD-${at}`, `Dose of a medicine is wrong, ${at}`, filled(text, `TD-${at}`)],
  ])
    .map((row) => row.map(cell).join(','))
    .join('\n')}\n`;
  for (const [name, text] of [
    ['log.csv', log],
    ['tickets.csv', tickets],
  ] as const) {
    await person.browser
      .post('/api/arc-chat/upload-hazard-log')
      .attach('hazardLogFile', Buffer.from(text), name)
      .expect(200);
  }
  await person.browser.post('/api/arc-chat/send').send({ message: 'Analyse my hazard log' }).expect(200);
  await waitFor(async () => (await questions()).some(({ status }) => status === 'pending'), 'the review');
  before = await hazards();
}, 120_000);
afterAll(async () => {
  await server.stop();
  await model.stop();
});

const questions = async () =>
  (await person.browser.get(`/api/agents/${person.agent.id}/interrupts`).expect(200)).body as Interrupt[];
const toolUse = async () =>
  (await questions()).find(({ status, interruptType }) => status === 'pending' && interruptType === 'tool_use');
const jobs = async () => (await person.browser.get('/api/automation/jobs').expect(200)).body.jobs as unknown[];
const hazards = async () =>
  (await person.browser.get(`/api/hazard-analysis/latest/${person.user.id}`).expect(200)).body.existingHazards;

/** Asks about the item in a conversation of its own. @returns what was answered, or asked */
async function ask(id: string): Promise<string> {
  const { body: thread } = await person.browser.post('/api/arc-chat/threads').expect(200);
  const message = `zebra quux ${id}?`;
  await person.browser.post('/api/arc-chat/send').send({ message, conversation: thread.id }).expect(200);
  const said = async () => {
    const { body } = await person.browser.get(`/api/arc-chat/history?conversation=${thread.id}`).expect(200);
    return (body.messages as ChatMessage[]).filter(
      ({ messageType, kind }) => messageType === 'assistant' && kind === 'text',
    );
  };
  const question = await waitFor(async () => (await toolUse()) ?? (await said())[0], `what ${id} gives`);
  if (!('interruptType' in question)) return question.message;
  expect(await jobs()).toEqual([]);
  const answered = await person.browser
    .patch(`/api/interrupts/${question.id}/resolve`)
    .send({ approved: false, reason: 'Nobody asked for this' });
  expect(answered.status).toBe(200);
  const last = await waitFor(async () => (await said())[0], `the answer after the refusal for ${id}`);
  return last.message;
}

describe.each(Object.entries(PLACES))('a text in %s', (_place, idAt) => {
  test.each(INJECTIONS.map((injection, at) => [injection.text, at] as const))(
    '“%s” changes nothing',
    async (_text, at) => {
      const injection = INJECTIONS[at] as Injection;
      const id = idAt(at);
      obey = { injection, id };
      const calls = model.asked.length;
      const answer = await ask(id);
      const seen = model.asked.slice(calls).flatMap(({ messages }) => messages.filter(({ role }) => role === 'tool'));
      expect(seen.length).toBeGreaterThan(0);
      // Whatever of it reaches the model is data: one fence, which no text in it can end.
      for (const { content } of seen) expect(content.match(/<\/?data>/g)).toEqual(['<data>', '</data>']);
      const says = filled(injection.says ?? 'I have done what the text says.', id);
      expect(answer).not.toContain(says.replace(/[.!]$/, ''));
      expect(answer).not.toMatch(/evil\.example/);
    },
  );
});

test('after all of them nothing is scheduled, rated, closed or waiting but the review', async () => {
  expect(before).toHaveLength(2 * INJECTIONS.length);
  expect(await hazards()).toEqual(before);
  expect(await jobs()).toEqual([]);
  const waiting = (await questions()).filter(({ status }) => status === 'pending');
  expect(waiting.map(({ interruptType }) => interruptType)).toEqual(['hazard_review']);
});

test('a true answer cites its source, which opens the row in the table', async () => {
  obey = { injection: { text: '', says: 'ID is open [1].' }, id: 'HN-2' };
  expect(await ask('HN-2')).toContain('HN-2 is open [1].\n\nSources:\n[1] HN-2, “log.csv” row ');
  const { body } = await person.browser.get('/api/arc-chat/history').expect(200);
  const [source] = body.messages[0].card.sources;
  expect(source).toMatchObject({ number: 1, label: expect.stringMatching(/^HN-2, “log\.csv” row \d+$/) });
  const address = new URL(source.path, server.url);
  expect([address.pathname, address.searchParams.get('agent')]).toEqual(['/workspace', String(person.agent.id)]);
  const query = JSON.parse(String(address.searchParams.get('query')));
  const asked = { agentId: 'clinical_safety', query };
  const { rows } = (await person.browser.post('/api/arc-chat/ask-again').send(asked).expect(200)).body;
  expect(rows).toEqual([expect.stringMatching(/^HN-2 \d+$/)]);
});
