import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readSample } from '../../bot/agents/clinical_safety/sample/readSample.ts';
import { noteConnection } from '../../bot/engine/accounts/integrations.ts';
import { LIMITS } from '../../models/contracts/limits.ts';
import { StoredFile } from '../../models/file.ts';
import { runInAccount } from '../../models/store/context.ts';
import { messageOfKind, type Person, signUp, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const PDF = Buffer.from('%PDF-1.7\nthe safety case');
const add = ({ browser }: Person, fileName: string, bytes: Buffer) =>
  browser.post('/api/documents').attach('document', bytes, fileName);
const list = async ({ browser }: Person) => (await browser.get('/api/documents').expect(200)).body;
const switchOn = ({ browser }: Person, enabled = true) =>
  browser.post('/api/integrations/toggle').send({ integrationId: 'sandbox', enabled });

async function withSandbox(): Promise<Person> {
  const person = await signUpReady(server);
  await switchOn(person).expect(200);
  return person;
}

test('uploads of signed-out people are not read, because the session is checked first', async () => {
  // Uploads that would be refused for themselves, if they were read.
  const attempts = [
    ['/api/documents', 'other', 'a.pdf'],
    ['/api/arc-chat/upload-hazard-log', 'hazardLogFile', 'run.exe'],
  ] as const;
  for (const [path, field, name] of attempts) {
    const send = (browser: Person['browser']) => browser.post(path).attach(field, PDF, name);
    expect({ path, code: (await send(server.browser())).body.code }).toEqual({ path, code: 'not_signed_in' });
    expect([413, 415, 400]).toContain((await send((await signUpReady(server)).browser)).status);
  }
});

describe('the sandbox workspace', () => {
  /** @shows GET /api/documents, POST /api/documents, DELETE /api/documents/:id */
  test('starts empty; documents are added, listed, opened and deleted', async () => {
    const person = await withSandbox();
    expect(await list(person)).toEqual({ open: true, documents: [] });
    const { body } = await add(person, 'Safety case.pdf', PDF).expect(201);
    expect(body.document).toMatchObject({
      name: 'Safety case.pdf',
      type: 'application/pdf',
      size: PDF.length,
      addedBy: 'Ada Okafor',
      analysable: false,
      deletable: true,
    });
    expect((await list(person)).documents).toEqual([body.document]);
    const opened = await person.browser.get(body.document.url).expect(200);
    expect(Buffer.from(opened.body)).toEqual(PDF);
    expect(opened.headers['content-disposition']).toContain('attachment');
    await person.browser.delete(`/api/documents/${body.document.id}`).expect(200);
    expect((await list(person)).documents).toEqual([]);
    await person.browser.get(body.document.url).expect(404);
    await person.browser.delete(`/api/documents/${body.document.id}`).expect(404);
  });

  test('keeps the same file once, and different content under the same name separately', async () => {
    const person = await withSandbox();
    await add(person, 'notes.md', Buffer.from('# One')).expect(201);
    await add(person, 'notes.md', Buffer.from('# One')).expect(201);
    await add(person, 'notes.md', Buffer.from('# Two')).expect(201);
    const { documents } = await list(person);
    expect(documents.map(({ name }: { name: string }) => name)).toEqual(['notes.md', 'notes.md']);
    expect(new Set(documents.map(({ url }: { url: string }) => url)).size).toBe(2);
  });

  test.each([
    ['an unsupported type', 'run.exe', Buffer.from('MZ'), 415, 'invalid_document_type'],
    ['a name that the content belies', 'report.pdf', Buffer.from('<html>'), 415, 'invalid_document_type'],
    ['a text with a hole in it', 'a.txt', Buffer.from([65, 0, 66]), 415, 'invalid_document_type'],
    ['an empty file', 'empty.txt', Buffer.alloc(0), 415, 'invalid_document_type'],
    ['a file over 10 MB', 'big.txt', Buffer.alloc(LIMITS.uploadBytes + 1, 97), 413, 'too_large'],
  ])('refuses %s', async (_what, name, bytes, status, code) => {
    const person = await withSandbox();
    const answer = await add(person, name, bytes);
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
    expect((await list(person)).documents).toEqual([]);
  });

  test('refuses a missing file, a wrong field and a wrong id', async () => {
    const person = await withSandbox();
    expect((await person.browser.post('/api/documents').field('x', '1')).body.code).toBe('no_file');
    expect((await person.browser.post('/api/documents').attach('other', PDF, 'a.pdf')).body.code).toBe('several_files');
    expect((await person.browser.delete('/api/documents/zzz')).body.fields).toEqual({
      id: 'This is not the id of a document.',
    });
  });

  test('takes a maximum number of documents', async () => {
    const person = await withSandbox();
    for (let number = 0; number < LIMITS.documents.count; number += 1) {
      await add(person, `${number}.txt`, Buffer.from(`${number}`)).expect(201);
    }
    const full = await add(person, 'one more.txt', Buffer.from('more'));
    expect({ status: full.status, code: full.body.code }).toEqual({ status: 422, code: 'workspace_full' });
    expect(full.body.error).toContain(`${LIMITS.documents.count} documents`);
    // An existing document is not counted again.
    await add(person, '0.txt', Buffer.from('0')).expect(201);
  });

  test('takes a maximum number of bytes', async () => {
    const person = await withSandbox();
    await add(person, 'first.txt', Buffer.from('first')).expect(201);
    const { accountId } = person.user;
    const leave = (bytes: number) =>
      runInAccount(accountId, () =>
        StoredFile.updateOne({ originalName: 'first.txt' }, { $set: { size: LIMITS.documents.bytes - bytes } }),
      );
    await leave(5);
    const full = await add(person, 'more.txt', Buffer.from('123456'));
    expect({ status: full.status, code: full.body.code }).toEqual({ status: 422, code: 'workspace_full' });
    expect(full.body.error).toContain('200 MB');
    await add(person, 'more.txt', Buffer.from('12345')).expect(201);
    // Other kinds of files have a limit of their own.
    await runInAccount(accountId, () =>
      StoredFile.updateOne({ originalName: 'first.txt' }, { $set: { kind: 'export' } }),
    );
    await add(person, 'more still.txt', Buffer.from('123456')).expect(201);
  });

  test('accepts nothing while switched off, and still shows its documents', async () => {
    const person = await withSandbox();
    await add(person, 'notes.md', Buffer.from('# One')).expect(201);
    await switchOn(person, false).expect(200);
    const refused = await add(person, 'more.md', Buffer.from('# More'));
    expect({ status: refused.status, text: refused.body.error }).toEqual({
      status: 422,
      text: 'The sandbox workspace is switched off. Switch it on under Integrations.',
    });
    expect(await list(person)).toMatchObject({ open: false, documents: [{ name: 'notes.md' }] });
  });

  test('disappears when a real workspace is connected, and its documents stay readable', async () => {
    const person = await withSandbox();
    const { body } = await add(person, 'Safety case.pdf', PDF).expect(201);
    const { accountId } = person.user;
    await runInAccount(accountId, () => noteConnection(accountId, 'notion', true));
    const states = (await person.browser.get('/api/oauth/status/all').expect(200)).body;
    expect(states).not.toHaveProperty('sandbox');
    await person.browser.get('/api/oauth/status/sandbox').expect(404);
    expect((await switchOn(person)).body.code).toBe('not_available');
    expect((await add(person, 'more.pdf', PDF)).body.code).toBe('sandbox_off');
    expect(await list(person)).toMatchObject({ open: false, documents: [{ name: 'Safety case.pdf' }] });
    await person.browser.get(body.document.url).expect(200);
    expect((await person.browser.get('/api/user/onboarding/status')).body.integrationsReady).toBe(true);
  });

  /** @shows POST /api/documents/:id/use */
  test('belongs to one company', async () => {
    const [mine, other] = await Promise.all([withSandbox(), withSandbox()]);
    const { body } = await add(mine, 'Safety case.pdf', PDF).expect(201);
    expect((await list(other)).documents).toEqual([]);
    await other.browser.get(body.document.url).expect(404);
    await other.browser.delete(`/api/documents/${body.document.id}`).expect(404);
    await other.browser.post(`/api/documents/${body.document.id}/use`).expect(404);
  });

  /** @shows /#integrations no permission */
  test('is read by colleagues; only the person who added a document, or an owner, deletes it', async () => {
    const owner = await withSandbox();
    const invited = await owner.browser
      .post('/api/account/members')
      .send({ email: `ben-${Date.now()}@example.org`, roles: ['member'] })
      .expect(200);
    const token = new URL(invited.body.invitation.link).searchParams.get('invitation');
    const ben = await signUp(server);
    ben.browser = server.browser();
    await ben.browser
      .post('/api/account/invitations/accept')
      .send({ token, password: 'correct-horse-1', firstName: 'Ben', lastName: 'Hughes' })
      .expect(200);
    const { body } = await add(owner, 'Safety case.pdf', PDF).expect(201);
    const own = await add(ben, 'Ben’s notes.md', Buffer.from('# Notes')).expect(201);
    expect((await list(ben)).documents).toMatchObject([{ deletable: true }, { deletable: false }]);
    expect((await ben.browser.delete(`/api/documents/${body.document.id}`)).status).toBe(403);
    await owner.browser.delete(`/api/documents/${own.body.document.id}`).expect(200);
  });
});

describe('the agents’ use of the sandbox', () => {
  test('takes a hazard log from the workspace into the chat, and refuses anything else', async () => {
    const person = await withSandbox();
    const { log } = await readSample();
    const { body } = await add(person, log.fileName, Buffer.from(log.bytes)).expect(201);
    expect(body.document.analysable).toBe(true);
    const used = await person.browser.post(`/api/documents/${body.document.id}/use`).expect(200);
    expect(used.body.parseResult).toMatchObject({ kind: 'hazard-log', fileName: log.fileName });
    expect((await messageOfKind(person, 'upload')).message).toContain('is a hazard log');
    const pdf = await add(person, 'Safety case.pdf', PDF).expect(201);
    expect((await person.browser.post(`/api/documents/${pdf.body.document.id}/use`)).status).toBe(415);
  });

  /** @shows S1-1.3, POST /api/hazard-analysis/create-merged-hazard-log */
  test('saves a merged log there as a draft of the agent', async () => {
    const person = await withSandbox();
    const { log, tickets } = await readSample();
    for (const { fileName, bytes } of [tickets, log]) {
      await person.browser
        .post('/api/arc-chat/upload-hazard-log')
        .attach('hazardLogFile', Buffer.from(bytes), fileName)
        .expect(200);
    }
    const { agent } = person as Awaited<ReturnType<typeof signUpReady>>;
    await person.browser.post(`/api/clinical-safety-agent/${agent.id}/analyze-hazard-log`).send({ message: 'Go' });
    const asked = (await messageOfKind(person, 'review-requested')).card?.interruptId;
    await person.browser.patch(`/api/interrupts/${asked}/resolve`).send({ approved: true }).expect(200);
    const { hazardAnalysisId } = (await messageOfKind(person, 'review-complete')).card ?? {};
    await person.browser
      .post('/api/hazard-analysis/create-merged-hazard-log')
      .send({ analysisResultId: hazardAnalysisId })
      .expect(200);
    expect((await messageOfKind(person, 'merge-complete')).message).toContain('A copy is in the sandbox workspace.');
    expect((await list(person)).documents).toMatchObject([{ addedBy: 'Clara', analysable: true }]);
  });
});
