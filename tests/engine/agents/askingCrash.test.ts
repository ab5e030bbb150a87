import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChatMessage } from '../../../models/contracts/chat.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { makeBrowser, makeReady } from '../../factories/httpPerson.ts';
import { eventually } from '../../factories/person.ts';
import { type ServerProcess, startProcess } from '../../factories/process.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-asking-'));
let server: ServerProcess;

/** Companies whose agents have worked for so many milliseconds at the kill. */
const COMPANIES = [5, 40, 120, 300].map((milliseconds) => ({
  milliseconds,
  browser: makeBrowser(() => server.url),
}));
const LONGEST = Math.max(...COMPANIES.map(({ milliseconds }) => milliseconds));

beforeAll(async () => {
  server = await startProcess(directory, {});
  await Promise.all(
    COMPANIES.map(async ({ browser, milliseconds }) => {
      await makeReady(browser, `asks${milliseconds}@example.org`, ['clinicalsafety']);
      await browser.post('/api/user-agents/hire', { agentId: 'researcher' });
      await browser.post('/api/user-agents/onboard', { agentId: 'researcher', tools: [] });
      const form = new FormData();
      form.append('document', new Blob(['The liability of the supplier ends after two years.']), 'Contract.md');
      await browser.post('/api/documents', form);
    }),
  );
}, 120_000);
afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

test('killed at four points while one agent asks another, each does its work once and one step is paid', async () => {
  await Promise.all(
    COMPANIES.map(async ({ browser, milliseconds }) => {
      await wait(LONGEST - milliseconds);
      const message = '@Clara ask Rhea what the contract says about liability';
      await browser.post('/api/arc-chat/send', { message, clientId: 'once' });
      await wait(milliseconds);
    }),
  );
  await server.kill();
  server = await startProcess(directory, {});
  for (const { browser, milliseconds } of COMPANIES) {
    const said = async () =>
      ((await browser.get('/api/arc-chat/history?limit=200')) as { messages: ChatMessage[] }).messages
        .filter(({ messageType, agentName }) => messageType === 'assistant' && agentName)
        .map(({ agentName, message }) => `${agentName}: ${message.slice(0, 12)}`);
    const isSaid = async () => (await said()).some((line) => line.startsWith('Clara: I asked Rhea'));
    await eventually(isSaid, `the answer after ${milliseconds} ms`, 60_000);
    // Ids of one second are in the order of neither process.
    expect((await said()).sort()).toEqual(['Clara: I asked Rhea', 'Rhea: **liability*']);
    const used = async () => (await browser.get('/api/user/tokens/balance')).balance.tokensUsed;
    await eventually(async () => (await used()) === LIMITS.credits.step, `one step to be paid (${milliseconds} ms)`);
  }
}, 180_000);
