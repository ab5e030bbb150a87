import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import { type HeldServer, startHeldServer } from '../../../factories/heldServer.ts';
import { makeBrowser, makeReady } from '../../../factories/httpPerson.ts';
import { openLog } from '../../../factories/openLog.ts';
import { eventually } from '../../../factories/person.ts';

let server: HeldServer;
const browser = makeBrowser(() => server.url());

beforeAll(async () => {
  server = await startHeldServer({});
  await makeReady(browser, 'ada@example.org');
  const form = new FormData();
  form.append('hazardLogFile', new Blob([openLog()]), 'Ward log.csv');
  await browser.post('/api/arc-chat/upload-hazard-log', form);
}, 120_000);
afterAll(() => server.stop());

test('an answer about how to read a log is kept as its profile, also if the process ends between the two', async () => {
  await browser.post('/api/arc-chat/send', { message: 'Analyse my hazard log', clientId: 'one' });
  const { user } = await browser.get('/api/auth/status');
  const [agent] = await browser.get('/api/user-agents');
  const questions = async () => (await browser.get(`/api/agents/${agent.id}/interrupts`)) as Interrupt[];
  const asked = await eventually(async () => (await questions())[0], 'the question');
  const reached = server.hold('readingProfiles');
  await browser.patch(`/api/interrupts/${asked.id}/resolve`, {
    userResponse: { choices: { choice1: 'option2' } },
  });
  await reached;
  expect((await browser.get('/api/reading-profiles')).profiles).toEqual([]);
  await server.kill();
  await server.restart();
  const analysis = await eventually(async () => {
    const latest = await browser.get(`/api/hazard-analysis/latest/${user.id}`);
    return latest?.status === 'complete' ? latest : null;
  }, 'the analysis');
  expect(analysis.analysisMetadata.log.matrix).toMatchObject({ source: 'numeric', basis: 'chosen' });
  expect((await browser.get('/api/reading-profiles')).profiles).toMatchObject([
    { version: 1, points: [{ id: 'scale', choice: 'product' }] },
  ]);
  expect(await questions()).toHaveLength(1);
}, 120_000);
