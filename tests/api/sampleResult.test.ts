import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HazardAnalysis } from '../../models/clinical_safety/hazardAnalysis.ts';
import { StoredFile } from '../../models/file.ts';
import { dangerouslyRunInEveryAccount } from '../../models/store/context.ts';
import { messageOfKind, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** @shows POST /api/hazard-analysis/sample */
test('a visitor gets the figures that an account gets for the sample, three findings and the matrix; nothing is stored', async () => {
  const visitor = server.browser();
  const kept = () =>
    dangerouslyRunInEveryAccount(async () => [
      await HazardAnalysis.countDocuments(),
      await StoredFile.countDocuments(),
    ]);
  const before = await kept();
  const { body } = await visitor.post('/api/hazard-analysis/sample').send({}).expect(200);
  expect(await kept()).toEqual(before);
  expect(body.findings).toHaveLength(3);
  for (const { places } of body.findings)
    expect(places[0]).toMatchObject({ sheet: expect.any(String), cell: expect.any(String) });
  expect(body.matrix.cells).toHaveLength(5);
  expect(body.hazards).toHaveLength(25);
  expect((await visitor.post('/api/hazard-analysis/sample').send({}).expect(200)).body).toEqual(body);

  const person = await signUpReady(server);
  await person.browser.post('/api/arc-chat/sample').send({}).expect(200);
  await messageOfKind(person, 'upload');
  await person.browser.post(`/api/clinical-safety-agent/${person.agent.id}/analyze-hazard-log`).send({}).expect(200);
  const { card } = await messageOfKind(person, 'analysis-complete');
  expect(body.figures).toEqual(card?.figures);
}, 60_000);
