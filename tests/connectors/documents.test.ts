/** @environment connectors */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { googledrive } from '../../bot/connectors/googledrive/index.ts';
import { saveDraft } from '../../bot/engine/documents/sandbox.ts';
import { readDocumentText } from '../../bot/engine/documents/storedText.ts';
import { syncDocuments, syncEveryAccount } from '../../bot/engine/documents/syncDocuments.ts';
import { StoredFile } from '../../models/file.ts';
import { runInAccount } from '../../models/store/context.ts';
import { connectTool, openConnector } from '../factories/connect.ts';
import { eventually, type Person, signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';
import { consent, returnFromProvider } from '../factories/thingsPlace.ts';
import { DOCUMENT, startGoogleDrive } from '../fakes/googleDrive.ts';

let server: Server;
let drive: Awaited<ReturnType<typeof startGoogleDrive>>;
let owner: Person;
beforeAll(async () => {
  [server, drive] = await Promise.all([
    startServer(),
    startGoogleDrive({ id: 'arc', secret: 'shh', redirectUris: [] }),
  ]);
  openConnector(googledrive, drive);
});
afterAll(async () => {
  await server.stop();
  await drive.stop();
});
beforeEach(async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  drive.files.clear();
  drive.addFolder('f1', 'Safety case');
  drive.addFolder('f2', 'Private');
  owner = await signUp(server);
});
afterEach(() => {
  jest.restoreAllMocks();
  drive.recover();
  drive.setPageSize(100);
});

const SCOPE = '/api/connectors/googledrive/scope';
const inAccount = <T>(work: (accountId: number) => Promise<T>) =>
  runInAccount(owner.user.accountId, () => work(owner.user.accountId));
const read = () => inAccount((accountId) => StoredFile.find({ accountId, kind: 'document' }).sort({ name: 1 }).lean());
const names = async () => (await read()).map(({ originalName }) => originalName);
const sync = () => inAccount((accountId) => syncDocuments(accountId));
/** Connected, with the folder chosen and read. */
async function begin() {
  expect(await connectTool(owner, 'googledrive')).toBe('/workspace?oauth=success&service=googledrive');
  await owner.browser
    .put(SCOPE)
    .send({ values: { folder: 'f1/Safety case' } })
    .expect(200);
  await sync();
}

describe('Google Drive', () => {
  test('one consent covers Google Docs; the folder is chosen by its name', async () => {
    await connectTool(owner, 'googledrive');
    for (const tool of ['googledrive', 'googledocs', 'google']) {
      const { body } = await owner.browser.get(`/api/oauth/status/${tool}`).expect(200);
      expect(body).toMatchObject({ authenticated: true, enabled: true, configured: true });
    }
    expect((await owner.browser.get(SCOPE).expect(200)).body.fields[0].options).toEqual([
      { value: 'f2/Private', label: 'Private' },
      { value: 'f1/Safety case', label: 'Safety case' },
    ]);
  });

  test('documents of the folder are read as text, page by page, with their link; other folders and kinds are not', async () => {
    drive.setPageSize(2);
    drive.put('d1', { name: 'Safety plan', mimeType: DOCUMENT, content: '# Plan\n\nThe dose is checked.' });
    drive.put('d2', { name: 'notes.txt', mimeType: 'text/plain', content: 'Notes' });
    drive.put('d3', { name: 'photo.png', mimeType: 'image/png', content: 'x' });
    drive.put('d4', { name: 'secret.md', parent: 'f2', content: 'no' });
    await begin();
    const [plan, notes, ...others] = await read();
    expect(others).toEqual([]);
    expect([plan?.originalName, notes?.originalName]).toEqual(['Safety plan.md', 'notes.txt']);
    expect(plan && (await inAccount(() => readDocumentText(plan)))).toContain('The dose is checked.');
    expect(plan?.source).toMatchObject({ service: 'googledrive', url: 'https://drive.google.com/file/d/d1/view' });
    const { body } = await owner.browser.get('/api/documents').expect(200);
    expect(body.documents[0]).toMatchObject({ addedBy: 'Google Drive', deletable: false });
    await owner.browser.delete(`/api/documents/${plan?._id}`).expect(403);
    const other = await signUp(server);
    expect((await other.browser.get('/api/documents').expect(200)).body.documents).toEqual([]);
  });

  test('what changed is read again, what is gone is deleted, and nothing else is asked for', async () => {
    drive.put('d1', { name: 'a.md', content: 'one' });
    drive.put('d2', { name: 'b.md', content: 'two' });
    await begin();
    drive.put('d1', { content: 'three', modified: Date.now() + 1000 });
    drive.files.delete('d2');
    drive.asked.length = 0;
    await syncEveryAccount();
    const [row, ...others] = await read();
    expect(others).toEqual([]);
    expect(row && (await inAccount(() => readDocumentText(row)))).toBe('three');
    drive.asked.length = 0;
    await sync();
    expect(drive.asked.map(({ path }) => path)).toEqual(['/drive/v3/files']);
  });

  test('choosing the folder reads it without being asked', async () => {
    drive.put('d1', { name: 'a.md', content: 'one' });
    await connectTool(owner, 'googledrive');
    await owner.browser
      .put(SCOPE)
      .send({ values: { folder: 'f1/Safety case' } })
      .expect(200);
    await eventually(async () => (await names()).length === 1, 'the folder to be read');
  });

  test('a draft is saved there once, with its link, and read back; the sandbox takes none then', async () => {
    await begin();
    const draft = {
      key: 'k1',
      name: 'Draft.md',
      type: 'text/markdown',
      bytes: Buffer.from('# Draft'),
      agentName: 'Clara',
    };
    const place = await inAccount((accountId) => saveDraft(accountId, draft));
    expect(place).toMatch(/^A copy is in Google Drive: https:\/\/drive\.google\.com\/file\/d\/up-\d+\/view$/);
    expect(await inAccount((accountId) => saveDraft(accountId, draft))).toBe(place);
    await sync();
    const [row, ...others] = await read();
    expect(others).toEqual([]);
    expect(row?.originalName).toBe('Draft.md');
    expect(row && (await inAccount(() => readDocumentText(row)))).toBe('# Draft');
    expect((await owner.browser.get('/api/oauth/status/all')).body).not.toHaveProperty('sandbox');
    // Somebody who has connected nothing keeps the sandbox workspace.
    const other = await signUp(server);
    expect((await other.browser.get('/api/oauth/status/all')).body.sandbox).toMatchObject({ enabled: true });
    const kept = await runInAccount(other.user.accountId, () => saveDraft(other.user.accountId, draft));
    expect(kept).toBe('A copy is in the sandbox workspace.');
  });

  test('another folder, or disconnecting, deletes what was read; the grant is revoked there', async () => {
    drive.put('d1', { name: 'a.md', content: 'one' });
    drive.put('d2', { name: 'b.md', parent: 'f2', content: 'two' });
    await begin();
    await owner.browser
      .put(SCOPE)
      .send({ values: { folder: 'f2/Private' } })
      .expect(200);
    await sync();
    expect(await names()).toEqual(['b.md']);
    expect((await owner.browser.delete('/api/oauth/googledrive').expect(200)).body).toEqual({
      success: true,
      revoked: true,
    });
    expect(await names()).toEqual([]);
  });

  test('a provider that is down keeps what was read, and a draft is kept in Arc alone', async () => {
    drive.put('d1', { name: 'a.md', content: 'one' });
    await begin();
    drive.fail(503, 'down', 3);
    await sync();
    expect(await names()).toEqual(['a.md']);
    drive.fail(503, 'down', 3);
    const draft = {
      key: 'k2',
      name: 'Draft.md',
      type: 'text/markdown',
      bytes: Buffer.from('# Draft'),
      agentName: 'Clara',
    };
    expect(await inAccount((accountId) => saveDraft(accountId, draft))).toBeNull();
  });

  test('a consent that is denied, a state that is not ours, an expired code and a refused refresh are said', async () => {
    const failed = (error: string) => `/workspace?oauth=error&service=googledrive&error=${error}`;
    drive.behaviour.denies = true;
    expect(await connectTool(owner, 'googledrive')).toBe(failed('access_denied'));
    drive.recover();
    const back = await consent(owner, 'googledrive');
    back.searchParams.set('state', 'x'.repeat(32));
    expect(await returnFromProvider(owner, back)).toContain('error=not_begun_here');
    drive.behaviour.codeLifetime = 0;
    expect(await connectTool(owner, 'googledrive')).toBe(failed('connection_refused'));
    drive.recover();
    await begin();
    drive.behaviour.lifetime = 1;
    await connectTool(owner, 'googledrive');
    drive.revokeAll();
    await sync();
    const { body } = await owner.browser.get('/api/oauth/status/googledrive').expect(200);
    expect(body).toMatchObject({ authenticated: false, error: expect.stringContaining('Connect it again') });
  });
});
