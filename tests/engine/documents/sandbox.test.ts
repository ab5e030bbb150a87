/** @environment store */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { noteConnection } from '../../../bot/engine/accounts/integrations.ts';
import {
  addDocument,
  deleteDocument,
  findDocument,
  mayDelete,
  readDocuments,
  saveDraft,
  takesDocuments,
} from '../../../bot/engine/documents/sandbox.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { type FileRow, StoredFile } from '../../../models/file.ts';
import { readFileBytes } from '../../../models/files.ts';
import type { Who } from '../../../models/policies/who.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { changes } from '../../../models/store/revisions.ts';
import { codeOf, connectTestStore, makeWho, nextNumber } from '../../factories/account.ts';

connectTestStore();

const PDF = Buffer.from('%PDF-1.7\nthe safety case');
const DRAFT = { key: 'run:1', name: 'Draft.xlsx', type: 'sheet', bytes: Buffer.from('draft'), agentName: 'Clara' };

let who: Who;
let heard: string[] = [];
const inAccount = <T>(work: () => Promise<T>) => runInAccount(who.accountId, work);
const listen = (accountId: number, topics: string[]) => void (accountId === who.accountId && heard.push(...topics));
beforeEach(async () => {
  who = makeWho();
  await open();
  heard = [];
  changes.on('changed', listen);
});
afterEach(() => {
  changes.off('changed', listen);
});

const open = () => inAccount(() => noteConnection(who.accountId, 'sandbox', true));
const add = (fileName: string, bytes: Uint8Array = PDF, by = who) =>
  inAccount(() => addDocument(by, { fileName, bytes }));
const names = () => inAccount(async () => (await readDocuments(who.accountId)).map(({ name }) => name));
/** Stores a row without its bytes. */
const putRow = (change: Partial<FileRow>) =>
  inAccount(() =>
    StoredFile.create({
      _id: new Types.ObjectId(),
      accountId: who.accountId,
      name: `${nextNumber()}.pdf`,
      originalName: 'a.pdf',
      kind: 'document',
      type: 'application/pdf',
      size: 1,
      digest: '',
      key: String(nextNumber()),
      ...change,
    } as never),
  );
/** Fills the sandbox until this many bytes are left. */
const leaveBytes = (bytes: number) => putRow({ size: LIMITS.documents.bytes - bytes });

describe('a document added by a person', () => {
  test('is stored with who added it, found by its id, and listed', async () => {
    const row = await add('C:\\papers\\Safety case.pdf');
    expect(row).toMatchObject({
      accountId: who.accountId,
      name: 'Safety case.pdf',
      kind: 'document',
      type: 'application/pdf',
      size: PDF.length,
      key: `document:Safety case.pdf:${createHash('sha256').update(PDF).digest('hex')}`,
      addedBy: { userId: who.userId, name: 'Ada Okafor' },
      expiresAt: null,
    });
    expect(heard).toEqual(['integrations']);
    expect(await inAccount(() => findDocument(who.accountId, String(row._id)))).toMatchObject({ _id: row._id });
    expect(await inAccount(() => readFileBytes(row))).toEqual(PDF);
    expect(await names()).toEqual(['Safety case.pdf']);
  });

  test('is the same document when added again, and another one with another name or content', async () => {
    const first = await add('a.pdf');
    expect((await add('a.pdf'))._id).toEqual(first._id);
    const ids = [await add('b.pdf'), await add('a.pdf', Buffer.from('%PDF-1.8'))].map(({ _id }) => String(_id));
    expect(new Set([String(first._id), ...ids]).size).toBe(3);
    const other = makeWho();
    await runInAccount(other.accountId, () => noteConnection(other.accountId, 'sandbox', true));
    const theirs = await runInAccount(other.accountId, () => addDocument(other, { fileName: 'a.pdf', bytes: PDF }));
    expect(theirs._id).not.toEqual(first._id);
  });

  test.each([
    ['of an unsupported type', 'a.exe', PDF],
    ['with content of another type', 'a.docx', PDF],
    ['that is empty', 'a.txt', Buffer.alloc(0)],
  ])('%s is refused because of its name', async (_what, name, bytes) => {
    await expect(add(name, bytes)).rejects.toMatchObject({
      code: 'invalid_document_type',
      fields: { document: `${name} can’t be taken.` },
    });
    expect(await names()).toEqual([]);
    expect(heard).toEqual([]);
  });
});

describe('the size of the sandbox', () => {
  const FULL = { code: 'workspace_full', message: expect.stringMatching(/\b100 documents.*\b200 MB/) };

  test('is limited to a number of documents; adding an existing one again is allowed', async () => {
    await add('first.pdf');
    for (let count = 1; count < LIMITS.documents.count - 1; count += 1) await putRow({});
    await add('last.pdf');
    await expect(add('one more.pdf')).rejects.toMatchObject(FULL);
    expect((await add('first.pdf')).name).toBe('first.pdf');
    expect(await names()).toHaveLength(LIMITS.documents.count);
  });

  test('is limited to a number of bytes of documents only', async () => {
    await leaveBytes(PDF.length);
    await putRow({ size: 10, kind: 'export' });
    await expect(add('a.pdf', Buffer.concat([PDF, PDF]))).rejects.toMatchObject(FULL);
    await expect(add('a.pdf', Buffer.concat([PDF, Buffer.from('.')]))).rejects.toMatchObject(FULL);
    await add('a.pdf');
    await expect(add('a.txt', Buffer.from('.'))).rejects.toMatchObject(FULL);
    const other = makeWho();
    await runInAccount(other.accountId, async () => {
      await noteConnection(other.accountId, 'sandbox', true);
      await addDocument(other, { fileName: 'a.pdf', bytes: PDF });
    });
  });
});

describe('a sandbox that accepts nothing', () => {
  test('refuses documents, and keeps its own readable', async () => {
    const row = await add('a.pdf');
    expect(await inAccount(() => takesDocuments(who.accountId))).toBe(true);
    await inAccount(() => noteConnection(who.accountId, 'sandbox', false));
    // A connection that ended keeps its switch.
    await inAccount(() => noteConnection(who.accountId, 'notion', true));
    expect(await inAccount(() => takesDocuments(who.accountId))).toBe(false);
    await expect(add('b.pdf')).rejects.toMatchObject({
      code: 'sandbox_off',
      message:
        'A real workspace is connected, so the sandbox workspace takes no more documents. Those in it stay readable.',
    });
    expect(await inAccount(() => saveDraft(who.accountId, DRAFT))).toBeNull();
    expect(await names()).toEqual(['a.pdf']);
    expect(await inAccount(() => findDocument(who.accountId, String(row._id)))).toMatchObject({ name: 'a.pdf' });
  });

  test('is reported to an account that never switched it on', async () => {
    who = makeWho();
    expect(await inAccount(() => takesDocuments(who.accountId))).toBe(false);
    await expect(add('b.pdf')).rejects.toMatchObject({
      code: 'sandbox_off',
      message: 'The sandbox workspace is switched off. Switch it on under Integrations.',
    });
    expect(await inAccount(() => saveDraft(who.accountId, DRAFT))).toBeNull();
    expect(await names()).toEqual([]);
  });
});

describe('documents', () => {
  test('are listed newest first, then by id, without other files', async () => {
    const at = (day: number) => new Date(Date.UTC(2026, 0, day));
    await putRow({ name: 'second', createdAt: at(2) });
    await putRow({ name: 'third', createdAt: at(3) });
    await putRow({ name: 'third again', createdAt: at(3) });
    await putRow({ name: 'first', createdAt: at(1) });
    await putRow({ name: 'an export', kind: 'export' });
    expect(await names()).toEqual(['third again', 'third', 'second', 'first']);
  });

  test('are read only from their own account, without other files', async () => {
    const row = await add('a.pdf');
    const other = makeWho();
    const find = (of: Who, id: unknown) => runInAccount(of.accountId, () => findDocument(of.accountId, String(id)));
    expect(await codeOf(find(other, row._id))).toBe('file_not_found');
    expect(await codeOf(find(who, (await putRow({ kind: 'export' }))._id))).toBe('file_not_found');
    expect(await codeOf(find(who, row._id))).toBe('done');
  });
});

describe('an agent’s draft', () => {
  const save = (change: Partial<typeof DRAFT> = {}) =>
    inAccount(() => saveDraft(who.accountId, { ...DRAFT, ...change }));

  test('is stored under the agent’s name, once for the work that made it', async () => {
    expect(await save()).toBe('A copy is in the sandbox workspace.');
    expect(heard).toEqual(['integrations']);
    expect(await save({ bytes: Buffer.from('drawn again') })).toBe('A copy is in the sandbox workspace.');
    const [row, ...more] = await inAccount(() => readDocuments(who.accountId));
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      key: 'document:run:1',
      name: 'Draft.xlsx',
      type: 'sheet',
      kind: 'document',
      addedBy: { userId: null, name: 'Clara' },
    });
    expect(await inAccount(() => readFileBytes(row as FileRow))).toEqual(DRAFT.bytes);
    expect(await save({ key: 'run:2' })).toBe('A copy is in the sandbox workspace.');
    expect(await names()).toHaveLength(2);
  });

  test('that does not fit is not stored; an existing one stays', async () => {
    expect(await save()).toBe('A copy is in the sandbox workspace.');
    await leaveBytes(DRAFT.bytes.length);
    expect(await save({ key: 'run:2' })).toBeNull();
    expect(await save()).toBe('A copy is in the sandbox workspace.');
    expect(await names()).not.toContain('Draft (2).xlsx');
  });
});

describe('a document is deleted', () => {
  const remove = (by: Who, row: FileRow) => codeOf(inAccount(() => deleteDocument(by, String(row._id))));
  const member = () => makeWho({ accountId: who.accountId, roles: ['member'] });

  test('by whoever added it and by the owner, with its bytes', async () => {
    const [added, other] = [member(), member()];
    const [own, owners, one] = [await add('a.pdf', PDF, added), await add('b.pdf'), await add('c.pdf', PDF, added)];
    expect([mayDelete(added, own), mayDelete(other, own), mayDelete(who, own)]).toEqual([true, false, true]);
    heard = [];
    expect(await remove(other, own)).toBe('not_allowed');
    expect(await remove(added, owners)).toBe('not_allowed');
    expect(heard).toEqual([]);
    expect(await remove(added, own)).toBe('done');
    expect(heard).toEqual(['integrations']);
    expect(await remove(who, one)).toBe('done');
    expect(await remove(added, own)).toBe('file_not_found');
    await expect(inAccount(() => readFileBytes(own))).rejects.toThrow('FileNotFound');
    expect(await names()).toEqual(['b.pdf']);
  });

  test('never from another account', async () => {
    const row = await add('a.pdf');
    const other = makeWho();
    const work = runInAccount(other.accountId, () => deleteDocument(other, String(row._id)));
    expect(await codeOf(work)).toBe('file_not_found');
    expect(await names()).toEqual(['a.pdf']);
  });
});
