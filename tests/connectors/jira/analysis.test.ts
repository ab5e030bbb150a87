import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readSample } from '../../../bot/agents/clinical_safety/sample/readSample.ts';
import { makeBrowser, makeReady } from '../../factories/httpPerson.ts';
import { eventually } from '../../factories/person.ts';
import { type ServerProcess, startProcess } from '../../factories/process.ts';
import { type FakeJira, startJira } from '../../fakes/jira.ts';

/** Six pages; three thousand tickets take the same path, and a minute on a slow machine. */
const TICKETS = 600;
/** People's browsers would go to this address; the test follows its path only. */
const BASE_URL = 'http://127.0.0.1:1';
const directory = mkdtempSync(join(tmpdir(), 'arc-jira-'));
let jira: FakeJira;
let server: ServerProcess;
const browser = makeBrowser(() => server.url);
const start = () =>
  startProcess(directory, {
    ...{ BASE_URL, JIRA_CLIENT_ID: 'arc', JIRA_CLIENT_SECRET: 'shh', JIRA_BASE_URL: jira.url },
    // The work of a killed process can be claimed after three seconds instead of thirty.
    PATIENCE_FACTOR: '0.1',
  });
beforeAll(async () => {
  const redirectUris = [`${BASE_URL}/api/oauth/jira/callback`];
  jira = await startJira({ id: 'arc', secret: 'shh', redirectUris });
  server = await start();
  await makeReady(browser, 'ada@example.org');
}, 120_000);
afterAll(async () => {
  await server.stop();
  await jira.stop();
  rmSync(directory, { recursive: true, force: true });
});

const history = () => browser.get('/api/arc-chat/history?limit=200');
const say = (message: string) => browser.post('/api/arc-chat/send', { message });
/** Waits for the message that the tickets were read, the newest one first. */
const readMessage = (times: number) =>
  eventually(async () => {
    const { messages } = await history();
    const read = messages.filter(({ message }: { message: string }) => message.startsWith('I have read'));
    return read.length === times && read[0];
  }, 'the tickets to be read');

test('tickets feed an analysis, also when the server is killed meanwhile; then only changes are read', async () => {
  const begun = new URL(await browser.get('/api/oauth/jira/authorize?from=/'));
  const consent = await fetch(begun, { redirect: 'manual' });
  const back = new URL(consent.headers.get('location') ?? '');
  expect(await browser.get(back.pathname + back.search)).toBe('/?oauth=success&service=jira');
  await browser.put('/api/connectors/jira/scope', { values: { project: 'cloud-1/NRL' } });
  const before = Date.now() - 24 * 60 * 60_000;
  for (let at = 1; at <= TICKETS; at += 1)
    jira.put(`NRL-${at}`, { text: `The dose is shown ${at} times.`, created: before + at, updated: before });
  const { log } = await readSample();
  const form = new FormData();
  form.append('hazardLogFile', new Blob([new Uint8Array(log.bytes)]), log.fileName);
  await browser.post('/api/arc-chat/upload-hazard-log', form);

  await say('Read the tickets from Jira');
  await eventually(async () => jira.pages().length >= 3, 'some pages to be read');
  await server.kill();
  const pagesBefore = jira.pages().length;
  server = await start();
  const { message, attachments } = await readMessage(1);
  expect(message).toMatch(/^I have read 600 tickets from Jira \(project NRL\)\. Say “analyse”/);
  expect(attachments).toEqual([expect.objectContaining({ name: 'Jira project NRL.csv' })]);
  // The page that was under way when the server was killed may be read twice.
  expect(pagesBefore).toBeGreaterThanOrEqual(3);
  expect(jira.pages().length).toBeLessThanOrEqual(TICKETS / 100 + 2);
  expect((await history()).sources.tickets).toMatchObject({
    service: 'jira',
    name: 'Jira',
    query: 'project NRL',
    count: TICKETS,
  });

  await say('Analyse my hazard log');
  const { user } = await browser.get('/api/auth/status');
  const analysis = await eventually(
    async () => {
      const { messages } = await history();
      const isDone = messages.some(({ kind }: { kind: string }) => kind === 'analysis-complete');
      return isDone && browser.get(`/api/hazard-analysis/latest/${user.id}`);
    },
    'the analysis',
    120_000,
  );
  expect(analysis.analysisMetadata.jiraAnalysis.ticketsAnalyzed).toBe(TICKETS);

  jira.put('NRL-5', { summary: 'The dose is wrong', created: before + 5 });
  jira.issues.delete('NRL-6');
  jira.asked.length = 0;
  await say('Read the tickets from Jira again');
  expect((await readMessage(2)).message).toMatch(/^I have read 599 tickets from Jira/);
  expect(jira.pages()).toHaveLength(1);
}, 240_000);
