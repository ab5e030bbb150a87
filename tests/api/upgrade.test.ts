import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ChatMessage } from '../../models/contracts/chat.ts';
import { type Browser, makeBrowser } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { type ServerProcess, startProcess } from '../factories/process.ts';

const FIXTURE = 'tests/fixtures/data-0.1.0';
const directory = mkdtempSync(join(tmpdir(), 'arc-upgrade-'));
/** Results of the demo company's last analysis. */
const LATEST = {
  /** Numbers of hazards, proposals and findings. */
  counts: [25, 32, 12],
  metadata: { coverageScore: 4, coverage: { covered: 3, possible: 43, none: 26, relevant: 72, unsure: 4 } },
};
let server: ServerProcess;

beforeAll(async () => {
  mkdirSync(join(directory, 'store'));
  for (const name of ['begun', 'keys.json']) cpSync(join(FIXTURE, name), join(directory, name));
  writeFileSync(
    join(directory, 'store', 'store.mdb'),
    gunzipSync(readFileSync(join(FIXTURE, 'store', 'store.mdb.gz'))),
  );
  server = await startProcess(directory);
}, 120_000);
afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Somebody of that data, logged in with their old password. */
async function logIn(email: string, password = 'correct-horse-1'): Promise<Browser> {
  const browser = makeBrowser(() => server.url);
  await browser.post('/api/login', { email, password });
  return browser;
}
const questionsOf = async (browser: Browser) => {
  const [agent] = await browser.get('/api/user-agents');
  return browser.get(`/api/agents/${agent.id}/interrupts`);
};
const history = async (browser: Browser) =>
  ((await browser.get('/api/arc-chat/history?limit=200')) as { messages: ChatMessage[] }).messages;
const reach = (browser: Browser, kind: string) =>
  eventually(async () => (await kindsOf(browser)).includes(kind as never), kind);
const kindsOf = async (browser: Browser) => (await history(browser)).map(({ kind }) => kind);
const mergedLog = async (browser: Browser): Promise<ArrayBuffer> => {
  const made = (await history(browser)).find(({ kind }) => kind === 'merge-complete');
  const name = made?.card?.actions?.find(({ action }) => action === 'download')?.value;
  const answer = await fetch(`${server.url}/api/download/${encodeURIComponent(name ?? 'none')}`, {
    headers: { cookie: browser.cookie() },
  });
  expect(answer.status).toBe(200);
  return answer.arrayBuffer();
};

describe('data of version 0.1.0 is opened', () => {
  test('with a company: its people, agents, documents, analysis, credits, schedule and audit trail', async () => {
    const demo = await logIn('demo@quillmere.example', 'demo-company-1');
    const { members } = await demo.get('/api/account/members');
    expect(members).toMatchObject([{ name: 'Amina Rahman' }, { name: 'Ben Hughes' }]);
    expect(await demo.get('/api/user-agents')).toMatchObject([
      { agentId: 'clinical_safety', status: 'onboarded', pendingInterrupts: 1 },
      { agentId: 'mdr' },
    ]);
    const { documents } = await demo.get('/api/documents');
    expect(documents.map(({ name }: { name: string }) => name)).toEqual([
      'Quillmere e-prescribing hazard log v2.3-merged.xlsx',
      'Safety case, extract.md',
    ]);
    const { user } = await demo.get('/api/auth/status');
    const latest = await demo.get(`/api/hazard-analysis/latest/${user.id}`);
    expect(latest).toMatchObject({ status: 'in-review', analysisMetadata: LATEST.metadata });
    expect([latest.existingHazards.length, latest.newHazards.length, latest.findings.length]).toEqual(LATEST.counts);
    expect(
      (await demo.get('/api/billing')).movements.map(({ balanceAfter }: { balanceAfter: number }) => balanceAfter),
    ).toEqual([49_910, 49_950, 49_960, 50_000]);
    expect(await demo.get('/api/automation/jobs')).toMatchObject({
      jobs: [{ name: 'Weekly check of the hazard log', cronExpression: '0 9 * * 1', enabled: true }],
    });
    // The question that waits may have been reminded of already.
    const { events } = (await demo.get('/api/audit')) as { events: { event: string }[] };
    expect(events.filter(({ event }) => event !== 'interrupt.reminded')).toHaveLength(7);
    expect(await demo.get('/api/audit/verify')).toMatchObject({ whole: true });
    expect((await kindsOf(demo)).filter((kind) => kind !== 'text')).toEqual([
      'analysis-complete',
      'analysis-started',
      'merge-complete',
      'review-complete',
      'analysis-complete',
      'analysis-started',
      ...Array.from({ length: 4 }, () => 'upload'),
    ]);
    expect((await mergedLog(demo)).byteLength).toBeGreaterThan(10_000);
  });

  test('with a pending review and its draft, which is answered and its run continues', async () => {
    const ada = await logIn('ada@example.org');
    const [waiting] = await questionsOf(ada);
    expect(waiting).toMatchObject({
      status: 'pending',
      draft: {
        version: 1,
        savedBy: 'Ada',
        rows: [{ outcome: 'accepted' }, { outcome: 'rejected', reason: 'Known already' }],
      },
    });
    const decided = waiting.draft.rows;
    const left = waiting.view.rows.rows.filter(
      ({ id }: { id: string }) => !decided.some((row: { id: string }) => row.id === id),
    );
    const rows = [
      ...decided,
      ...left.map(({ id }: { id: string }) => ({ id, outcome: 'rejected', reason: 'Not ours' })),
    ];
    await ada.patch(`/api/interrupts/${waiting.id}/resolve`, { userResponse: { rows } });
    await reach(ada, 'review-complete');
    expect(await ada.get('/api/audit/verify')).toMatchObject({ whole: true });
  });

  test('with its connections, sealed with the old keys, and its settings', async () => {
    const ada = await logIn('ada@example.org');
    expect(await ada.get('/api/channels/slack/installations')).toMatchObject([
      { name: 'Workspace T1', admits: 'workspace' },
    ]);
    expect(await ada.get('/api/channels/teams/installations')).toMatchObject([{ admits: 'members' }]);
    expect(await ada.get('/api/preferences')).toMatchObject({
      timeZone: 'Europe/Berlin',
      channelConsent: { slack: 'reference-only', teams: 'reference-only' },
    });
    expect(await ada.get('/api/automation/jobs')).toMatchObject({
      jobs: [{ name: 'Weekly look', timeZone: 'Europe/Berlin' }],
    });
  });

  test.each([
    ['an analysis that was under way', 'cleo', 'review-requested'],
    ['an analysis requested but not started', 'ben', 'review-requested'],
    ['a merge requested but not started', 'dora', 'merge-complete'],
  ])('with %s when the server was killed, which is processed and answered once', async (_what, name, kind) => {
    const browser = await logIn(`${name}@example.org`);
    await reach(browser, kind);
    const kinds = await kindsOf(browser);
    for (const one of ['analysis-started', 'analysis-complete', 'review-requested', kind])
      expect(kinds.filter((it) => it === one)).toHaveLength(1);
    // With the files that the conversation had then, by name.
    const started = (await history(browser)).find((message) => message.kind === 'analysis-started');
    expect(started?.message).toMatch(/^I am reading .+\.xlsx and .+\.csv\./);
    if (kind === 'merge-complete') expect((await mergedLog(browser)).byteLength).toBeGreaterThan(10_000);
  });
});
