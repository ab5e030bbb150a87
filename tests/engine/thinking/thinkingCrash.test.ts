import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChatMessage } from '../../../models/contracts/chat.ts';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { type Browser, makeBrowser, makeReady } from '../../factories/httpPerson.ts';
import { eventually } from '../../factories/person.ts';
import { type ServerProcess, startProcess } from '../../factories/process.ts';
import { type Asked, type Behaviour, USAGE } from '../../fakes/model/behaviour.ts';
import { startModelServer } from '../../fakes/model/server.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-thinking-'));
let model: Awaited<ReturnType<typeof startModelServer>>;
let server: ServerProcess;
let environment: Record<string, string>;

/** Companies whose thinking has gone on for so many milliseconds at each kill. */
const COMPANIES = [5, 40, 80, 120, 170, 230, 300, 380, 480, 600].map((milliseconds, at) => ({
  milliseconds,
  word: `zebra${at}`,
  browser: makeBrowser(() => server.url),
}));
const LONGEST = Math.max(...COMPANIES.map(({ milliseconds }) => milliseconds));
const ANSWER = 'MED-02 fits your words [1].';

/** Two tools that read, then one that writes, then the answer. */
function behave({ messages }: Asked): Behaviour {
  const results = messages.filter(({ role }) => role === 'tool').length;
  if (results >= 3) return { text: ANSWER, pause: 15 };
  if (results === 2)
    return {
      calls: [{ name: 'schedule_analysis', input: { name: 'Mondays', cronExpression: '0 9 * * 1' } }],
      pause: 15,
    };
  return {
    calls: [
      { name: 'describe_item', input: { id: 'MED-02' } },
      { name: 'find_kinds_of_hazard', input: { words: 'wrong dose' } },
    ],
    pause: 15,
  };
}

const restart = async () => {
  await server.kill();
  server = await startProcess(directory, environment);
};
const questionsOf = async (browser: Browser): Promise<Interrupt[]> => {
  const [agent] = await browser.get('/api/user-agents');
  return browser.get(`/api/agents/${agent.id}/interrupts`);
};
const answersOf = async (browser: Browser): Promise<string[]> =>
  ((await browser.get('/api/arc-chat/history?limit=200')) as { messages: ChatMessage[] }).messages
    .filter(({ messageType, kind }) => messageType === 'assistant' && kind === 'text')
    .map(({ message }) => message);
/** Does something for every company so that each has gone on for its time when this resolves. */
const inTime = (act: (company: (typeof COMPANIES)[number]) => Promise<unknown>) =>
  Promise.all(
    COMPANIES.map(async (company) => {
      await wait(LONGEST - company.milliseconds);
      await act(company);
      await wait(company.milliseconds);
    }),
  );

beforeAll(async () => {
  model = await startModelServer(behave);
  ({ environment } = model);
  server = await startProcess(directory, environment);
  await Promise.all(
    COMPANIES.map(({ browser, word }) => makeReady(browser, `${word}@example.org`, ['clinicalsafety'])),
  );
}, 120_000);
afterAll(async () => {
  await server.stop();
  await model.stop();
  rmSync(directory, { recursive: true, force: true });
});

test('killed at ten points before its question and at ten after, a run pays for no model call twice and answers once', async () => {
  await inTime(({ browser, word }) =>
    browser.post('/api/arc-chat/send', { message: `${word} every monday quux`, clientId: word }),
  );
  await restart();
  const asked = await Promise.all(
    COMPANIES.map(({ browser, word }) =>
      eventually(async () => (await questionsOf(browser))[0], `the question of ${word}`, 60_000),
    ),
  );
  await inTime(({ browser, word }) => {
    const question = asked[COMPANIES.findIndex((one) => one.word === word)];
    return browser.patch(`/api/interrupts/${question?.id}/resolve`, { approved: true });
  });
  await restart();
  for (const { browser, word } of COMPANIES) {
    await eventually(async () => (await answersOf(browser)).length > 0, `the answer for ${word}`, 60_000);
    const paid = 3 * (USAGE.input + USAGE.output) + LIMITS.credits.step;
    const used = async () => (await browser.get('/api/user/tokens/balance')).balance.tokensUsed;
    // The answer is sent before the run is settled.
    await eventually(async () => (await used()) === paid, `${word} to have paid ${paid}`);
    expect(await answersOf(browser)).toEqual([ANSWER]);
    expect(await questionsOf(browser)).toMatchObject([{ status: 'resolved', interruptType: 'tool_use' }]);
    const jobs = JSON.stringify(await browser.get('/api/automation/jobs'));
    expect(jobs.match(/"Mondays"/g)).toHaveLength(1);
    // A kill can interrupt one call that is under way, and nothing else is asked again.
    const calls = model.asked.filter(({ messages }) => messages[0]?.content.includes(`${word} `)).length;
    expect(calls).toBeGreaterThanOrEqual(3);
    expect(calls).toBeLessThanOrEqual(5);
  }
}, 180_000);
