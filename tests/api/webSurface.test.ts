import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readSample } from '../../bot/engine/hazards/sample/readSample.ts';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { eventually, messageOfKind, type Person, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

type Ready = Person & { agent: { id: number } };
let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

async function asked(): Promise<{ person: Ready; question: Interrupt; read: () => Promise<Interrupt> }> {
  const person = await signUpReady(server);
  const { log, tickets } = await readSample();
  for (const { fileName, bytes } of [tickets, log]) {
    await person.browser
      .post('/api/arc-chat/upload-hazard-log')
      .attach('hazardLogFile', Buffer.from(bytes), fileName)
      .expect(200);
  }
  await person.browser
    .post(`/api/clinical-safety-agent/${person.agent.id}/analyze-hazard-log`)
    .send({ message: 'Go' })
    .expect(200);
  const first = async () =>
    (await person.browser.get(`/api/agents/${person.agent.id}/interrupts`).expect(200)).body[0] as Interrupt;
  const question = await eventually(first, 'the review');
  return { person, question, read: first };
}

describe('a review on the web', () => {
  test('is recorded where it was answered: in the chat, or in the inbox', async () => {
    const { person, question, read } = await asked();
    const answer = (body: object) => person.browser.patch(`/api/interrupts/${question.id}/resolve`).send(body);
    const refused = await answer({ approved: false, surface: 'slack' });
    expect(refused.status).toBe(400);
    expect(refused.body.fields).toHaveProperty('surface');
    await answer({ approved: false, surface: 'arc-chat' }).expect(200);
    expect((await read()).resolution).toMatchObject({ via: 'arc-chat' });
    // Where it was given is no part of the answer: the same again from elsewhere is the same.
    await answer({ approved: false }).expect(200);
    expect((await read()).resolution?.text).toMatch(/in arc-chat/);
  });

  test('keeps which match was chosen for a row that is not decided yet', async () => {
    const { person, question, read } = await asked();
    const save = (body: object) => person.browser.put(`/api/interrupts/${question.id}/draft`).send(body);
    const open = question.context.rows?.find((row) => !row.sure && row.candidates.length > 1);
    const chosen = { [String(open?.id)]: String(open?.candidates[1]?.kbId) };
    await save({ rows: [], chosen, version: 0 }).expect(200);
    expect((await read()).draft).toMatchObject({ rows: [], chosen, version: 1 });
    // A surface that knows nothing of it leaves it alone.
    await save({ rows: [{ id: question.context.rows?.[0]?.id, outcome: 'rejected' }], version: 1 }).expect(200);
    expect((await read()).draft).toMatchObject({ chosen, version: 2 });
  });
});

describe('what is sent wrong', () => {
  test('the history refuses an older-than that is no message', async () => {
    const { browser } = await signUpReady(server);
    const answer = await browser.get('/api/arc-chat/history?before=zzz');
    expect({ status: answer.status, fields: answer.body.fields }).toEqual({
      status: 400,
      fields: { before: 'This is no id of a message.' },
    });
  });

  test('a file’s name is one line without folders', async () => {
    const person = await signUpReady(server);
    const body = [
      '--edge',
      'Content-Disposition: form-data; name="hazardLogFile"; filename="a%0D%0Ab.csv"',
      'Content-Type: text/csv',
      '',
      'Hazard ID,Hazard name,Cause,Severity,Likelihood,Initial risk',
      'H1,Wrong patient,Selection,Major,Low,3',
      '--edge--',
      '',
    ].join('\r\n');
    const answer = await person.browser
      .post('/api/arc-chat/upload-hazard-log')
      .set('Content-Type', 'multipart/form-data; boundary=edge')
      .send(body);
    expect(answer.status).toBe(200);
    expect(answer.body.parseResult.fileName).not.toMatch(/[\r\n]/);
    expect((await messageOfKind(person, 'upload')).message).not.toContain('\r');
  });
});
