import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChatMessage } from '../../../models/contracts/chat.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { makeBrowser, makeReady } from '../../factories/httpPerson.ts';
import { eventually } from '../../factories/person.ts';
import { type ServerProcess, startProcess } from '../../factories/process.ts';
import { type Asked, type Behaviour, USAGE } from '../../fakes/model/behaviour.ts';
import { startModelServer } from '../../fakes/model/server.ts';

const ANSWER = 'MED-02 fits your words [1].';
const directory = mkdtempSync(join(tmpdir(), 'arc-taken-over-'));
let model: Awaited<ReturnType<typeof startModelServer>>;
let processes: ServerProcess[];
let isHeld = true;

/** Looks one thing up; the second call is held for as long as the first process lives. */
function behave({ messages }: Asked): Behaviour {
  if (!messages.some(({ role }) => role === 'tool'))
    return { calls: [{ name: 'describe_item', input: { id: 'MED-02' } }] };
  return isHeld ? { text: ANSWER, until: new Promise(() => undefined) } : { text: ANSWER };
}

beforeAll(async () => {
  model = await startModelServer(behave);
  const uri = String(process.env.TEST_STORE_URI).replace(/\/(?=\?|$)/, `/t_${randomBytes(6).toString('hex')}`);
  const environment = {
    MONGODB_URI: uri,
    SESSION_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    PATIENCE_FACTOR: '0.2',
    ...model.environment,
  };
  processes = [await startProcess(directory, environment)];
  processes.push(await startProcess(directory, environment));
}, 120_000);
afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()));
  await model.stop();
  rmSync(directory, { recursive: true, force: true });
});

test('a second process takes over a run whose process ended in the middle of a model call', async () => {
  const [first, second] = processes as [ServerProcess, ServerProcess];
  let url = first.url;
  const browser = makeBrowser(() => url);
  await makeReady(browser, 'ada@example.org', ['clinicalsafety']);
  await browser.post('/api/arc-chat/send', { message: 'What goes wrong when a dose has the wrong unit?' });
  await eventually(async () => model.asked.length === 2, 'the second model call');
  isHeld = false;
  await first.kill();
  url = second.url;
  const answers = async () =>
    ((await browser.get('/api/arc-chat/history')) as { messages: ChatMessage[] }).messages
      .filter(({ messageType, kind }) => messageType === 'assistant' && kind === 'text')
      .map(({ message }) => message);
  await eventually(async () => (await answers()).length > 0, 'the answer of the second process', 60_000);
  expect(await answers()).toEqual([ANSWER]);
  // The first call was saved; only the one that was under way is asked again.
  expect(model.asked).toHaveLength(3);
  const paid = 2 * (USAGE.input + USAGE.output) + LIMITS.credits.step;
  const used = async () => (await browser.get('/api/user/tokens/balance')).balance.tokensUsed;
  await eventually(async () => (await used()) === paid, `${paid} to be paid`);
}, 120_000);
