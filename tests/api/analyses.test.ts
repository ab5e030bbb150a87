import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readSample } from '../../bot/agents/clinical_safety/sample/readSample.ts';
import type { AnalysisSummary } from '../../models/contracts/clinical_safety/analyses.ts';
import { addColleague } from '../factories/colleague.ts';
import { eventually, messageOfKind, type Person, signUp, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const upload = async ({ browser }: Person, fileName: string, bytes: Uint8Array | string) =>
  browser
    .post('/api/arc-chat/upload-hazard-log')
    .attach('hazardLogFile', Buffer.from(bytes), fileName)
    .field('sessionId', 'chat_1')
    .expect(200);
const analyse = ({ browser }: Person, agentId: number) =>
  browser.post(`/api/clinical-safety-agent/${agentId}/analyze-hazard-log`).send({}).expect(200);
const list = async ({ browser }: Person) =>
  (await browser.get('/api/hazard-analyses').expect(200)).body as AnalysisSummary[];

/** @shows GET /api/hazard-analyses, GET /api/hazard-analysis/:id, /analyses no permission */
test('an analysis is listed with its figures and read by its id, by every member and nobody else', async () => {
  const owner = await signUpReady(server);
  const { log } = await readSample();
  await upload(owner, 'Ward log v1.7.xlsx', log.bytes);
  await analyse(owner, owner.agent.id);
  const { card } = await messageOfKind(owner, 'analysis-complete');
  const id = card?.hazardAnalysisId as number;
  const colleague = await addColleague(server, owner, ['member']);
  for (const person of [owner, colleague]) {
    const [listed] = await list(person);
    expect(listed).toMatchObject({
      id,
      logFileName: 'Ward log v1.7.xlsx',
      ticketsFileName: null,
      isSample: false,
      by: 'Ada Okafor',
      figures: { ticketsAnalysed: 0, covered: 0, relevant: 0 },
    });
    const { body } = await person.browser.get(`/api/hazard-analysis/${id}`).expect(200);
    expect(body.existingHazards).toHaveLength(listed?.figures?.hazards as number);
    const toFix = body.findings.filter(({ level }: { level: string }) => level === 'fix').length;
    expect(listed?.figures?.toFix).toBe(toFix);
  }
  const stranger = await signUp(server);
  expect(await list(stranger)).toEqual([]);
  expect((await stranger.browser.get(`/api/hazard-analysis/${id}`)).status).toBe(404);
  expect((await server.browser().get(`/api/hazard-analysis/${id}`)).status).toBe(401);
});

test('an analysis of the sample is listed as one', async () => {
  const person = await signUpReady(server);
  await person.browser.post('/api/arc-chat/sample').send({}).expect(200);
  await eventually(async () => (await person.browser.get('/api/arc-chat/history')).body.ready.log, 'the sample');
  await analyse(person, person.agent.id);
  await messageOfKind(person, 'analysis-complete');
  expect((await list(person)).map(({ isSample }) => isSample)).toEqual([true]);
});
