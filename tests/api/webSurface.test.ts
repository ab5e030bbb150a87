import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readSample } from '../../bot/agents/clinical_safety/sample/readSample.ts';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { mustChoose, proposalsOf } from '../factories/interrupt.ts';
import { eventually, messageOfKind, type Person, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';
import { withoutMatches } from '../factories/withoutMatches.ts';

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
    withoutMatches(
      (await person.browser.get(`/api/agents/${person.agent.id}/interrupts`).expect(200)).body as Interrupt[],
    )[0] as Interrupt;
  const question = await eventually(first, 'the review');
  return { person, question, read: first };
}

describe('a review on the web', () => {
  test('records where it was answered: in the chat, or in the inbox', async () => {
    const { person, question, read } = await asked();
    const answer = (body: object) => person.browser.patch(`/api/interrupts/${question.id}/resolve`).send(body);
    const refused = await answer({ approved: false, surface: 'slack' });
    expect(refused.status).toBe(400);
    expect(refused.body.fields).toHaveProperty('surface');
    await answer({ approved: false, surface: 'arc-chat' }).expect(200);
    expect((await read()).resolution).toMatchObject({ via: 'arc-chat' });
    // Where it was given is not part of the answer, so repeating it elsewhere counts as the same.
    await answer({ approved: false }).expect(200);
    expect((await read()).resolution?.text).toMatch(/in arc-chat/);
  });

  test('keeps the chosen match of a row that is not decided yet', async () => {
    const { person, question, read } = await asked();
    const save = (body: object) => person.browser.put(`/api/interrupts/${question.id}/draft`).send(body);
    const open = proposalsOf(question).find(mustChoose);
    const chosen = { [String(open?.id)]: String(open?.options[1]?.id) };
    await save({ rows: [], chosen, version: 0 }).expect(200);
    expect((await read()).draft).toMatchObject({ rows: [], chosen, version: 1 });
    // A surface that does not know this field leaves it unchanged.
    await save({ rows: [{ id: proposalsOf(question)[0]?.id, outcome: 'rejected' }], version: 1 }).expect(200);
    expect((await read()).draft).toMatchObject({ chosen, version: 2 });
  });
});

describe('analysing the same log again', () => {
  test('keeps rejections with who, when and why; proposals accepted later are not rejected', async () => {
    const { person, question, read } = await asked();
    const rows = proposalsOf(question);
    const again = async (before: number) => {
      await person.browser
        .post(`/api/clinical-safety-agent/${person.agent.id}/analyze-hazard-log`)
        .send({ message: 'Go' })
        .expect(200);
      return eventually(async () => {
        const now = await read();
        return now.id !== before && now.status === 'pending' ? now : null;
      }, 'the next review');
    };
    const decide = (rejected: string[], id: number) =>
      person.browser
        .patch(`/api/interrupts/${id}/resolve`)
        .send({
          userResponse: {
            rows: rows.map((row) =>
              rejected.includes(row.id)
                ? { id: row.id, outcome: 'rejected', reason: 'Known already' }
                : { id: row.id, outcome: 'accepted', choice: row.option },
            ),
          },
        })
        .expect(200);
    const [first, second] = rows.map(({ id }) => id) as [string, string];
    expect(rows.every(({ earlier }) => earlier === null)).toBe(true);
    await decide([first, second], question.id);
    await messageOfKind(person, 'review-complete');

    const next = await again(question.id);
    const marked = proposalsOf(next).filter(({ earlier }) => earlier);
    expect(marked.map(({ id }) => id)).toEqual([first, second]);
    expect(marked[0]?.earlier).toMatch(/^Rejected before, on .+ by Ada Okafor: Known already$/);
    expect(next.draft?.rows).toEqual([
      { id: first, outcome: 'rejected', reason: 'Known already' },
      { id: second, outcome: 'rejected', reason: 'Known already' },
    ]);
    expect(next.prompt).toContain('2 were rejected before, with the same tickets');
    // Nothing is decided automatically: without an answer the question waits.
    expect(next.status).toBe('pending');
    await decide([second], next.id);
    await eventually(async () => {
      const { body } = await person.browser.get('/api/arc-chat/history?limit=200').expect(200);
      return body.messages.filter(({ kind }: { kind: string }) => kind === 'review-complete').length === 2;
    }, 'the second record');
    const third = await again(next.id);
    expect(proposalsOf(third).flatMap(({ id, earlier }) => (earlier ? [id] : []))).toEqual([second]);
  });
});

describe('invalid input on the web', () => {
  test('is refused by the history if the message to page from is invalid', async () => {
    const { browser } = await signUpReady(server);
    const answer = await browser.get('/api/arc-chat/history?before=zzz');
    expect({ status: answer.status, fields: answer.body.fields }).toEqual({
      status: 400,
      fields: { before: 'This is not the id of a message.' },
    });
  });

  test.each([
    ['/api/arc-chat/upload-hazard-log', 'hazardLogFile'],
    ['/api/documents', 'document'],
  ])('is limited in an upload to %s to ten fields of 1 KiB beside the file', async (path, field) => {
    const { browser } = await signUpReady(server);
    await browser.post('/api/integrations/toggle').send({ integrationId: 'sandbox', enabled: true }).expect(200);
    const log = Buffer.from('Hazard ID,Hazard name,Cause,Severity,Likelihood\nH1,Wrong patient,Selection,Major,Low\n');
    const send = async (fields: number, bytes: number, name = 'log.csv', contentType = 'text/csv') => {
      const call = browser.post(path);
      for (let at = 0; at < fields; at += 1) call.field(`f${at}`, 'x'.repeat(bytes));
      return (await call.attach(field, log, { filename: name, contentType })).status;
    };
    expect(await send(10, 1024)).toBeLessThan(300);
    expect([await send(11, 1), await send(1, 1025)]).toEqual([400, 400]);
    // The type is recognised by the name, or else by the sender's content type.
    if (field === 'hazardLogFile') {
      expect(await send(0, 0, 'log.csv', 'application/octet-stream')).toBe(200);
      expect(await send(0, 0, 'log.bin', 'text/csv')).not.toBe(415);
      expect(await send(0, 0, 'log.bin', 'application/octet-stream')).toBe(415);
    }
  });

  test('a file’s name becomes one line without folders', async () => {
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
