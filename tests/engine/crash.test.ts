import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ChatMessage, MessageKind, RunProgress } from '../../models/contracts/chat.ts';
import type { HazardAnalysis } from '../../models/contracts/hazardAnalysis.ts';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { makeBrowser, makeReady, uploadSample } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { type ServerProcess, startProcess } from '../factories/process.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-crash-'));
let server: ServerProcess;
const browser = makeBrowser(() => server.url);

const history = async () =>
  (await browser.get('/api/arc-chat/history?limit=200')) as { messages: ChatMessage[]; working: RunProgress[] };
const countOf = async (kind: MessageKind) =>
  (await history()).messages.filter((message) => message.kind === kind).length;
const once = (kind: MessageKind) =>
  eventually(async () => (await countOf(kind)) >= 1, `a message of kind ${kind}`, 40_000);
const restart = async () => {
  await server.kill();
  server = await startProcess(directory);
};

beforeAll(async () => {
  server = await startProcess(directory);
  await makeReady(browser, 'ada@example.org');
  await uploadSample(browser);
}, 60_000);
afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

describe('kill -9, start again', () => {
  test('right after a message was acknowledged: it is answered, once', async () => {
    await browser.post('/api/arc-chat/send', { message: 'help', clientId: 'one' });
    await restart();
    await eventually(
      async () => (await history()).messages.some(({ message }) => message.includes('I never set a severity')),
      'the answer',
    );
    expect((await history()).messages.filter(({ message }) => message === 'help')).toHaveLength(1);
    expect((await history()).messages.filter(({ message }) => message.includes('I never set a severity'))).toHaveLength(
      1,
    );
  }, 60_000);

  test('in the middle of an analysis: the run goes on and says its result once', async () => {
    await browser.post('/api/arc-chat/send', { message: 'Analyse my hazard log', clientId: 'two' });
    await once('analysis-started');
    await restart();
    await once('analysis-complete');
    await once('review-requested');
    expect(await countOf('analysis-started')).toBe(1);
    expect(await countOf('analysis-complete')).toBe(1);
    expect(await countOf('review-requested')).toBe(1);
  }, 90_000);

  test('between the answer to the review and what follows from it: the answer stands and the run ends once', async () => {
    const [agent] = await browser.get('/api/user-agents');
    const [asked] = (await browser.get(`/api/agents/${agent.id}/interrupts`)) as Interrupt[];
    expect(asked?.status).toBe('pending');
    await restart();
    await browser.patch(`/api/interrupts/${asked?.id}/resolve`, { approved: true });
    await restart();
    await once('review-complete');
    expect(await countOf('review-complete')).toBe(1);
    const [answered] = (await browser.get(`/api/agents/${agent.id}/interrupts`)) as Interrupt[];
    expect(answered).toMatchObject({ status: 'resolved', resolution: { outcome: 'approved', by: { name: 'Ada' } } });
  }, 90_000);

  test('during the merge: one file, the same when asked again', async () => {
    await browser.post('/api/arc-chat/send', { message: 'merge', clientId: 'three' });
    await restart();
    await once('merge-complete');
    const { user } = await browser.get('/api/auth/status');
    const latest = (await browser.get(`/api/hazard-analysis/latest/${user.id}`)) as HazardAnalysis;
    expect(latest.status).toBe('merged');
    const again = await browser.post('/api/hazard-analysis/create-merged-hazard-log', { analysisResultId: latest.id });
    expect(again.filename).toBe(latest.files.merged);
  }, 90_000);

  test.each([15, 60, 120, 200, 320])(
    '%d ms after a second analysis was asked for: still said once',
    async (milliseconds) => {
      const before = await countOf('analysis-complete');
      await browser.post('/api/arc-chat/send', {
        message: 'Analyse my hazard log again',
        clientId: `at-${milliseconds}`,
      });
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      await restart();
      await eventually(async () => (await countOf('analysis-complete')) > before, 'the next result', 40_000);
      await eventually(async () => (await countOf('review-requested')) > before, 'the next review', 40_000);
      expect(await countOf('analysis-complete')).toBe(before + 1);
      expect(await countOf('analysis-started')).toBe(before + 1);
      expect(await countOf('review-requested')).toBe(before + 1);
    },
    90_000,
  );

  test('the ledger has charged each run once', async () => {
    const { balance } = await browser.get('/api/user/tokens/balance');
    expect(balance.tokensRemaining + balance.tokensUsed).toBe(50_000);
    // help nothing, analysis 40 (four steps), merge 10 by words and 10 by the call; four analyses whose review was taken over (30 each), 40 set aside for the one that waits.
    expect(balance.tokensUsed).toBe(60 + 4 * 30 + 40);
  });
});
