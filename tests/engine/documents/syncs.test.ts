/** @environment connectors */
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { makeSyncsDue, sweepSyncs, syncDocuments, syncs } from '../../../bot/engine/documents/syncDocuments.ts';
import { dropFailure, readFailures, retryFailure } from '../../../bot/engine/failures/failures.ts';
import { ConnectorScope } from '../../../models/connectorScope.ts';
import { StoredFile } from '../../../models/file.ts';
import { IndexedDocument } from '../../../models/indexedDocument.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { connectTool, openConnector } from '../../factories/connect.ts';
import { DOCUMENT_TOOLS, type DocumentTool } from '../../factories/documentTools.ts';
import { auditOf } from '../../factories/members.ts';
import { eventually, type Person, signUp } from '../../factories/person.ts';
import { type Server, startServer } from '../../factories/server.ts';
import { codeOf } from '../../factories/who.ts';

let server: Server;
let owner: Person;
let tool: DocumentTool;
beforeAll(async () => {
  server = await startServer();
  tool = await (DOCUMENT_TOOLS.notion as () => Promise<DocumentTool>)();
  openConnector(tool.plugIn, tool.fake);
});
afterAll(async () => {
  await tool.fake.stop();
  await server.stop();
});
beforeEach(async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  tool.clear();
  tool.put('d1', 'Plan', 'one');
  owner = await signUp(server);
  await connectTool(owner, 'notion');
  await owner.browser.put('/api/connectors/notion/scope').send({ values: tool.values }).expect(200);
  await eventually(async () => (await count()) === 1 && (await read()).lease === null, 'the first reading');
});
afterEach(() => {
  tool.fake.recover();
  jest.restoreAllMocks();
});

const inAccount = <T>(work: (accountId: number) => PromiseLike<T>) =>
  runInAccount(owner.user.accountId, () => work(owner.user.accountId));
/** Documents of this test. */
const count = () =>
  inAccount((accountId) =>
    StoredFile.countDocuments({ accountId, kind: 'document', originalName: { $in: ['Plan.md', 'Notes.md'] } }),
  );
const read = () => inAccount(async (accountId) => requireRow(await ConnectorScope.findOne({ accountId }).lean()));
const change = (to: object) => inAccount((accountId) => ConnectorScope.updateOne({ accountId }, { $set: to }));
const minutesUntil = (at: Date | undefined) => ((at?.getTime() ?? 0) - Date.now()) / 60_000;
const listed = async () => (await readFailures([owner.user.accountId])).failures;
const ADMIN = { userId: 7 };

test('a workspace is read again ten minutes after it was read, not before', async () => {
  expect(minutesUntil((await read()).dueAt)).toBeCloseTo(10, 0);
  // What was copied is indexed with it, so that the first question finds it.
  const indexed = await inAccount((accountId) => IndexedDocument.countDocuments({ accountId }));
  expect(indexed).toBe(await inAccount((accountId) => StoredFile.countDocuments({ accountId, kind: 'document' })));
  tool.put('d2', 'Notes', 'two');
  await sweepSyncs();
  expect(await count()).toBe(1);
  await change({ dueAt: new Date(0) });
  await sweepSyncs();
  expect(await count()).toBe(2);
});

test('what the release before has chosen, without the fields of work, is read', async () => {
  tool.put('d2', 'Notes', 'two');
  const added = { dueAt: '', lease: '', attempts: '', begun: '', error: '', readingStatus: '' };
  const { accountId } = owner.user;
  await inAccount(() => ConnectorScope.collection.updateOne({ accountId }, { $unset: added }));
  await sweepSyncs();
  expect(await count()).toBe(2);
});

test('one that fails is retried with growing waits, given up, listed, and read when it is tried again', async () => {
  tool.fake.fail(503, 'down', 100);
  await inAccount(syncDocuments);
  expect(await read()).toMatchObject({ attempts: 1, lease: null, readingStatus: null });
  expect(minutesUntil((await read()).dueAt)).toBeLessThan(2);
  expect(await listed()).toEqual([]);
  await change({ attempts: 15, dueAt: new Date(0) });
  await sweepSyncs();
  expect(await read()).toMatchObject({ attempts: 16, readingStatus: 'failed', error: expect.any(String) });
  const [failure] = await listed();
  expect(failure).toMatchObject({ kind: 'reading', where: 'notion', attempts: 16 });
  await change({ dueAt: new Date(0) });
  tool.fake.recover();
  tool.put('d2', 'Notes', 'two');
  await sweepSyncs();
  expect(await count()).toBe(1);
  const { id } = requireRow(failure ?? null);
  await retryFailure(ADMIN, { kind: 'reading', id });
  await sweepSyncs();
  expect(await count()).toBe(2);
  expect(await read()).toMatchObject({ attempts: 0, readingStatus: null, error: null });
  expect(await listed()).toEqual([]);
  expect(await auditOf(owner.user.accountId)).toContain('failure.retried by 7: integration:notion reading');
});

test('one that an administrator has dropped rests until somebody asks for it', async () => {
  await change({ readingStatus: 'failed' });
  const { _id } = await read();
  await dropFailure(ADMIN, { kind: 'reading', id: String(_id) });
  expect(await codeOf(dropFailure(ADMIN, { kind: 'reading', id: String(_id) }))).toBe('not_found');
  await change({ dueAt: new Date(0) });
  tool.put('d2', 'Notes', 'two');
  await sweepSyncs();
  expect(await count()).toBe(1);
  await inAccount(syncDocuments);
  expect(await count()).toBe(2);
});

test('one process reads a workspace; one whose lease is lost reads nothing more and leaves no cursor', async () => {
  await inAccount(makeSyncsDue);
  const mine = requireRow(await inAccount(async () => syncs.claim(await read())));
  await sweepSyncs();
  expect((await read()).lease).toEqual(mine.lease);
  const theirs = { owner: 'other:1:x', id: 'theirs' };
  await change({ lease: theirs });
  expect(await inAccount(() => syncs.complete(mine, { dueAt: new Date(0) }))).toBe(false);
  expect(await read()).toMatchObject({ lease: theirs, dueAt: mine.dueAt });
  syncs.letGo(mine);
});
