/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Access, DocumentSource, RemoteDocument } from '../../../bot/engine/connectors/connector.ts';
import { CursorRefused, ProviderFailure } from '../../../bot/engine/connectors/failure.ts';
import { copyDocuments } from '../../../bot/engine/documents/copyDocuments.ts';
import type { Workspace } from '../../../bot/engine/documents/workspace.ts';
import { ConnectorScope } from '../../../models/connectorScope.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { StoredFile } from '../../../models/file.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { connectTestStore, nextNumber } from '../../factories/account.ts';

connectTestStore();

const MOST = LIMITS.documents.count;
let accountId: number;
/** What the workspace has, by id. */
let remote: Map<string, Partial<RemoteDocument>>;
let change: Partial<DocumentSource>;
let cursors: (string | null)[];
beforeEach(async () => {
  accountId = nextNumber();
  remote = new Map();
  change = {};
  cursors = [];
  const chosen = { values: {}, setBy: 1, setAt: new Date(0) };
  await inAccount(() => ConnectorScope.create({ accountId, connector: 'things', ...chosen }));
});

const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
const toDocument = ([id, given]: [string, Partial<RemoteDocument>]): RemoteDocument => ({
  ...{ id, name: id, type: 'text/plain', url: `https://things.example/${id}`, version: '1', bytes: null },
  ...given,
});
const readScope = () => inAccount(async () => requireRow(await ConnectorScope.findOne({ accountId }).lean()));
const has = (...ids: string[]) => {
  remote = new Map(ids.map((id) => [id, {}]));
};
async function copy(): Promise<string[]> {
  const source: DocumentSource = {
    async list(_access, _values, cursor) {
      cursors.push(cursor);
      return { documents: [...remote].map(toDocument), next: null };
    },
    read: async (_access, { id, version }) => ({
      ...{ fileName: `${id}.txt`, type: 'text/plain', bytes: Buffer.from(`${id} ${version}`) },
    }),
    save: () => Promise.reject(new Error('not asked for')),
    ...change,
  };
  const connection = { use: (_account: number, work: (access: Access) => unknown) => work({} as Access) };
  const choice = await readScope();
  const workspace = { id: 'things', name: 'Things', source, values: {}, choice, query: 'all', connection };
  await inAccount(() => copyDocuments(accountId, workspace as unknown as Workspace));
  const rows = await inAccount(() => StoredFile.find({ accountId, kind: 'document' }).lean());
  return rows.map(({ key }) => key.replace('document:things:', '')).sort();
}

test('documents of another account, and those of no tool, stay as they are', async () => {
  has('a');
  await copy();
  accountId = nextNumber();
  await inAccount(() =>
    ConnectorScope.create({ accountId, connector: 'things', values: {}, setBy: 1, setAt: new Date(0) }),
  );
  expect(await copy()).toEqual(['a:1']);
});

test('one is refused: it keeps its copy, and the others are read', async () => {
  has('a', 'b');
  await copy();
  remote = new Map([
    ['a', { version: '2' }],
    ['b', { version: '2' }],
  ]);
  const refuse = (kind: 'refused' | 'unavailable') => {
    change = {
      read: async (_access, { id }) => {
        if (id === 'a') throw new ProviderFailure(kind, 'it answers 404');
        return { fileName: `${id}.txt`, type: 'text/plain', bytes: Buffer.from(id) };
      },
    };
  };
  refuse('unavailable');
  await expect(copy()).rejects.toMatchObject({ kind: 'unavailable' });
  refuse('refused');
  expect(await copy()).toEqual(['a:1', 'b:2']);
  change = {};
  expect(await copy()).toEqual(['a:2', 'b:2']);
});

test('too large, and one more than a company may have, are left out', async () => {
  remote.set('large', { bytes: LIMITS.uploadBytes + 1 });
  remote.set('largest', { bytes: LIMITS.uploadBytes });
  for (let number = 1; number <= MOST; number += 1) remote.set(`n${number}`, {});
  const read = await copy();
  expect(read).toHaveLength(MOST);
  expect(read).toContain('largest:1');
  expect(read).not.toContain('large:1');
  expect(read).not.toContain(`n${MOST}:1`);
  remote.delete('n1');
  expect(await copy()).toContain(`n${MOST}:1`);
  remote.set('largest', { bytes: LIMITS.uploadBytes + 1 });
  expect(await copy()).toHaveLength(MOST - 1);
  // Those that a listing of changes does not name count too.
  await inAccount(() => ConnectorScope.updateOne({ accountId }, { $set: { mark: 'mark' } }));
  const changed = ['x', 'y'].map((id) => toDocument([id, {}]));
  change = { list: async () => ({ documents: changed, next: null, mark: 'next' }) };
  const now = await copy();
  expect(now).toHaveLength(MOST);
  expect(now).not.toContain('y:1');
  expect((await readScope()).mark).toBeNull();
});

test('where a listing may be incomplete, what it leaves out is deleted only if it is gone', async () => {
  has('a', 'b', 'c');
  await copy();
  has('a');
  change = { isGone: async (_access, _values, id) => id === 'b' };
  expect(await copy()).toEqual(['a:1', 'c:1']);
});

test.each([
  ['ended', () => ConnectorScope.deleteMany({ accountId })],
  ['replaced by another', () => ConnectorScope.updateOne({ accountId }, { $set: { setAt: new Date() } })],
])('nothing is kept of a choice that is %s while a document is read', async (_how, end) => {
  has('a', 'b');
  const read: string[] = [];
  change = {
    read: async (_access, { id }) => {
      read.push(id);
      await inAccount(() => Promise.resolve(end()));
      return { fileName: `${id}.txt`, type: 'text/plain', bytes: Buffer.from(id) };
    },
  };
  expect(await copy()).toEqual([]);
  expect(read).toEqual(['a']);
});

describe('with a mark', () => {
  let marks = 0;
  const markOf = async () => (await readScope()).mark ?? null;
  /** Lists only what changed since the mark, or refuses it. */
  const since = (changed: Record<string, Partial<RemoteDocument>>, gone: string[] = [], isRefused = false) => {
    marks += 1;
    const next = `mark-${marks}`;
    change = {
      async list(_access, _values, cursor) {
        cursors.push(cursor);
        if (cursor !== null && isRefused) throw new CursorRefused();
        const rows = cursor === null ? [...remote] : Object.entries(changed);
        return { documents: rows.map(toDocument), next: null, gone: cursor === null ? [] : gone, mark: next };
      },
    };
    return next;
  };

  test('only what changed is asked for, and what is not named stays', async () => {
    has('a', 'b', 'c');
    const first = since({});
    await copy();
    expect(await markOf()).toBe(first);
    const second = since({ a: { version: '2' }, d: {} }, ['b', 'unknown']);
    expect(await copy()).toEqual(['a:2', 'c:1', 'd:1']);
    expect(cursors).toEqual([null, first]);
    expect(await markOf()).toBe(second);
  });

  test('that is not accepted any more, everything is listed again', async () => {
    has('a', 'b');
    const first = since({});
    await copy();
    has('b');
    since({}, [], true);
    expect(await copy()).toEqual(['b:1']);
    expect(cursors).toEqual([null, first, null]);
  });

  test('none is kept while something is left out, so that it is read when it can be', async () => {
    has('a', 'b');
    since({});
    change.read = async (_access, { id }) => {
      if (id === 'a') throw new ProviderFailure('refused', 'it answers 403');
      return { fileName: `${id}.txt`, type: 'text/plain', bytes: Buffer.from(id) };
    };
    expect(await copy()).toEqual(['b:1']);
    expect(await markOf()).toBeNull();
    since({});
    expect(await copy()).toEqual(['a:1', 'b:1']);
    expect(cursors).toEqual([null, null]);
  });

  test('none is kept of another choice than the one that is made meanwhile', async () => {
    since({});
    const { list } = change;
    change.list = async (...asked) => {
      await inAccount(() => ConnectorScope.updateOne({ accountId }, { $set: { setAt: new Date() } }));
      return requireRow(list ?? null)(...asked);
    };
    await copy();
    expect(await markOf()).toBeNull();
  });
});
