import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ChatMessage, MessageKind } from '../../models/contracts/chat.ts';
import type { HazardAnalysis } from '../../models/contracts/clinical_safety/hazardAnalysis.ts';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { type Browser, makeBrowser, makeReady, uploadSample } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { type ServerProcess, startProcess } from '../factories/process.ts';
import { withoutMatches } from '../factories/withoutMatches.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-crash-'));
let server: ServerProcess;
const newBrowser = () => makeBrowser(() => server.url);

/** Several companies, so that each kill covers many situations: a restart takes longer than what it tests. */
const ada = newBrowser();
const eve = newBrowser();
/** Companies whose analyses are started this many milliseconds before a kill. */
const others = [15, 60, 120, 200, 320].map((milliseconds) => ({ milliseconds, browser: newBrowser() }));
const merging = others[0]?.browser as Browser;

const history = async (browser: Browser) =>
  ((await browser.get('/api/arc-chat/history?limit=200')) as { messages: ChatMessage[] }).messages;
const countOf = async (browser: Browser, kind: MessageKind) =>
  (await history(browser)).filter((message) => message.kind === kind).length;
const reach = (browser: Browser, kind: MessageKind, count = 1) =>
  eventually(async () => (await countOf(browser, kind)) >= count, `${count} of kind ${kind}`, 60_000);
const restart = async () => {
  await server.kill();
  server = await startProcess(directory);
};
const analyse = (browser: Browser, clientId: string) =>
  browser.post('/api/arc-chat/send', { message: 'Analyse my hazard log', clientId });
/** The question that a design run waits with. */
const designAt = (browser: Browser, step: string) =>
  eventually(async () => {
    const designer = ((await browser.get('/api/user-agents')) as { id: number; agentId: string }[]).find(
      ({ agentId }) => agentId === 'designer',
    );
    const asked = (await browser.get(`/api/agents/${designer?.id}/interrupts`)) as Interrupt[];
    return asked.find(({ status, context }) => status === 'pending' && context.step === step);
  }, `the question about the ${step}`);
const decide = (browser: Browser, { id }: Interrupt, answer: object) =>
  browser.patch(`/api/interrupts/${id}/resolve`, answer);
/** Has a screen designed up to the choice of its style. */
async function designUntilStyle(browser: Browser): Promise<Interrupt> {
  await browser.post('/api/user-agents/hire', { agentId: 'designer' });
  await browser.post('/api/user-agents/onboard', { agentId: 'designer', tools: [] });
  await browser.post('/api/arc-chat/send', { message: 'Design a screen for nurses to record pulse', clientId: 'four' });
  for (const step of ['layout', 'components']) await decide(browser, await designAt(browser, step), { approved: true });
  return designAt(browser, 'style');
}
/** Starts everybody's analysis so that each has run for its time when this resolves. */
async function analyseInTime(clientId: string): Promise<void> {
  const longest = Math.max(...others.map(({ milliseconds }) => milliseconds));
  await Promise.all(
    others.map(async ({ milliseconds, browser }) => {
      await wait(longest - milliseconds);
      await analyse(browser, clientId);
      await wait(milliseconds);
    }),
  );
}
const questionOf = async (browser: Browser) => {
  const [agent] = await browser.get('/api/user-agents');
  return withoutMatches((await browser.get(`/api/agents/${agent.id}/interrupts`)) as Interrupt[])[0];
};
const expectSaid = async (browser: Browser, times: number) => {
  for (const kind of ['analysis-complete', 'review-requested'] as const) await reach(browser, kind, times);
  for (const kind of ['analysis-started', 'analysis-complete', 'review-requested'] as const)
    expect({ kind, times: await countOf(browser, kind) }).toEqual({ kind, times });
};

beforeAll(async () => {
  server = await startProcess(directory);
  await Promise.all(
    [ada, eve, ...others.map(({ browser }) => browser)].map(async (browser, index) => {
      await makeReady(browser, `person-${index}@example.org`);
      if (browser !== eve) await uploadSample(browser);
    }),
  );
}, 120_000);
afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

describe('after kill -9 and a restart', () => {
  describe('during work', () => {
    beforeAll(async () => {
      await analyse(ada, 'one');
      await reach(ada, 'analysis-started');
      await analyseInTime('one');
      await eve.post('/api/arc-chat/send', { message: 'help', clientId: 'one' });
      await restart();
    }, 120_000);

    test('a message that was acknowledged is answered once', async () => {
      const texts = async () => (await history(eve)).map(({ message }) => message);
      await eventually(
        async () => (await texts()).some((message) => message.includes('I never set a severity')),
        'the answer',
      );
      expect((await texts()).filter((message) => message === 'help')).toHaveLength(1);
      expect((await texts()).filter((message) => message.includes('I never set a severity'))).toHaveLength(1);
    }, 120_000);

    test('an analysis that was running continues and reports its result once', () => expectSaid(ada, 1), 90_000);

    test.each(others)(
      'an analysis killed $milliseconds ms after it was requested reports once',
      ({ browser }) => expectSaid(browser, 1),
      90_000,
    );
  });

  describe('during a pending review', () => {
    beforeAll(async () => {
      expect((await questionOf(ada))?.status).toBe('pending');
      await analyseInTime('two');
      await restart();
    }, 120_000);

    test.each(others)(
      'a second analysis killed $milliseconds ms after its request replaces the first and reports once',
      ({ browser }) => expectSaid(browser, 2),
      90_000,
    );
  });

  describe('between an answer and its consequences', () => {
    beforeAll(async () => {
      const [asked, other] = [await questionOf(ada), await questionOf(merging)];
      expect(asked?.status).toBe('pending');
      await merging.patch(`/api/interrupts/${other?.id}/resolve`, { approved: true });
      await reach(merging, 'review-complete');
      const style = await designUntilStyle(eve);
      await Promise.all([
        decide(eve, style, { selectedOption: 'Calm teal' }),
        merging.post('/api/arc-chat/send', { message: 'merge', clientId: 'three' }),
        ada.patch(`/api/interrupts/${asked?.id}/resolve`, { approved: true }),
      ]);
      await restart();
    }, 120_000);

    test('an answered review keeps its answer and its run ends once', async () => {
      await reach(ada, 'review-complete');
      expect(await countOf(ada, 'review-complete')).toBe(1);
      expect(await questionOf(ada)).toMatchObject({
        status: 'resolved',
        resolution: { outcome: 'approved', by: { name: 'Ada' } },
      });
    }, 90_000);

    test('a merge makes one file, and the same one when requested again', async () => {
      await reach(merging, 'merge-complete');
      const { user } = await merging.get('/api/auth/status');
      const latest = (await merging.get(`/api/hazard-analysis/latest/${user.id}`)) as HazardAnalysis;
      expect(latest.status).toBe('merged');
      const analysisResultId = latest.id;
      const again = await merging.post('/api/hazard-analysis/create-merged-hazard-log', { analysisResultId });
      expect(again.filename).toBe(latest.files.merged);
    }, 90_000);
  });

  test('a prototype being drawn exists once, with one question about it', async () => {
    const preview = await designAt(eve, 'preview');
    const sent = (await history(eve)).filter(({ attachments }) => attachments.length > 0);
    expect(sent).toHaveLength(1);
    const designs = await eve.get(`/api/ux-agent/designs/${preview.userAgentId}`);
    expect(designs).toHaveLength(1);
    expect(designs[0].previewUrl).toBe(preview.context.iframeUrl);
    expect(designs[0].frames).toHaveLength(16);
    await decide(eve, preview, { userResponse: { choice: 'approve' } });
    const kept = async () =>
      (await history(eve)).filter(({ message }) => message.includes('is saved with its prototype'));
    await eventually(async () => (await kept()).length > 0, 'that it is kept');
    expect(await kept()).toHaveLength(1);
  }, 90_000);

  test('the ledger has charged each run once', async () => {
    // Help is free. An analysis costs 40 in four steps: 30 are charged if another one replaces its
    // review, and all are reserved while it waits. A merge costs 10 by message and 10 by call; a design 40.
    const used = [[ada, 40] as const, [eve, 40] as const, [merging, 30 + 40 + 20] as const];
    const waiting = others.slice(1).map(({ browser }) => [browser, 30 + 40] as const);
    for (const [browser, tokens] of [...used, ...waiting]) {
      const { balance } = await browser.get('/api/user/tokens/balance');
      expect(balance.tokensRemaining + balance.tokensUsed).toBe(50_000);
      expect(balance.tokensUsed).toBe(tokens);
    }
  });
});
