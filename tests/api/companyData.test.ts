/** @environment connectors */
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { verifyAudit } from '../../bot/engine/audit/verifyAudit.ts';
import { finishErasures } from '../../bot/engine/erasure/eraseCompany.ts';
import { Account } from '../../models/account.ts';
import { LIMITS } from '../../models/contracts/limits.ts';
import { StoredFile } from '../../models/file.ts';
import { removeExpiredFiles } from '../../models/files.ts';
import { Member } from '../../models/member.ts';
import { runInAccount } from '../../models/store/context.ts';
import { accountFieldOf } from '../../models/store/entity.ts';
import { announce } from '../../models/store/revisions.ts';
import { User } from '../../models/user.ts';
import { provider } from '../environments/connectors.ts';
import { addColleague } from '../factories/colleague.ts';
import { auditOf } from '../factories/members.ts';
import { eventually, type Person, signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';
import { connect, openThings, readTokens } from '../factories/thingsPlace.ts';
import { makeWholeCompany } from '../factories/wholeCompany.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
  openThings();
});
afterAll(() => server.stop());
let owner: Person;
beforeEach(async () => {
  owner = await signUp(server);
});

type Line = Record<string, unknown> & { collection?: string; document?: Record<string, unknown> };

const database = () => {
  if (!mongoose.connection.db) throw new Error('no store');
  return mongoose.connection.db;
};
const listExports = async ({ browser }: Person) => (await browser.get('/api/account/exports').expect(200)).body.exports;
const askForExport = async ({ browser }: Person) =>
  (await browser.post('/api/account/exports').send({}).expect(202)).body.export;
const isReady = (by: Person, id: string) =>
  eventually(
    async () =>
      (await listExports(by)).find((one: { id: string; status: string }) => one.id === id && one.status === 'ready'),
    'the export',
  );
async function download({ browser }: Person, id: string): Promise<Line[]> {
  const answer = await browser.get(`/api/account/exports/${id}/file`).buffer(true).parse(readBytes).expect(200);
  return gunzipSync(answer.body as Buffer)
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
function readBytes(response: unknown, done: (error: Error | null, body: Buffer) => void): void {
  const stream = response as NodeJS.ReadableStream;
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => done(null, Buffer.concat(chunks)));
}
const erase = ({ browser }: Person, body: object) => browser.post('/api/account/erasure').send(body);
const confirmed = ({ email, password }: Person) => ({ typed: email, password });

/**
 * Every collection, and what becomes of it when a company is erased. A new collection belongs into one of these lists:
 * into the second and third only with a reason.
 */
const ERASED =
  'accessTokens accountExports automationJobs briefs campaigns channelIdentities channelInstallations ' +
  'channelReferences connectorGrants connectorScopes controlledDocuments conversationAnalyses conversations deliveries ' +
  'devices documentWords findingComments findingLives handovers hazardAnalyses indexedDocuments integrationSettings interrupts invitations ledgerEntries ' +
  'matchChoices members messages modelDrafts oauthStates optOuts paymentEvents procedures projects prospectLists ' +
  'readingProfiles runs sessions sharedLinks signals storedFiles subscriptions tenantClaims ticketMatches ' +
  'ticketReadings toolServerUses toolServers trackedTickets turns userAgents verifications workspaces';
/** Kept with the audit chain, which holds ids and digests; the company's row loses its name. */
const KEPT = 'accounts auditEvents auditHeads';
/** Of no company: ids that were given, rates by digest, migrations, calls of organisations that nobody connected. */
const OF_NO_COMPANY = 'agendaJobs counters migrations rateCounts unconnectedCalls users';

const namesIn = (list: string) => list.split(' ');
const collectionNames = async () => {
  const stored = await database().listCollections({}, { nameOnly: true }).toArray();
  const declared = Object.values(mongoose.models).map(({ collection }) => collection.name);
  const all = [...stored.map(({ name }) => name), ...declared];
  return [...new Set(all)].filter((name) => !/^(system|files)\./.test(name)).sort();
};
const filterOf = (collection: string, accountId: number) => ({
  [collection === 'sessions' ? 'session.accountId' : accountFieldOf(collection)]: accountId,
});

describe('an export of everything', () => {
  /** @shows GET /api/account/exports, POST /api/account/exports, GET /api/account/exports/:id/file */
  test('is prepared in the background, downloaded by an owner, and in the audit', async () => {
    const made = await askForExport(owner);
    expect(made).toMatchObject({ status: 'preparing', askedBy: 'Ada Okafor', size: null, expiresAt: null });
    const ready = await isReady(owner, made.id);
    expect(ready).toMatchObject({ done: ready.total, size: expect.any(Number) });
    const days = (Date.parse(ready.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(LIMITS.accountExports.days - 0.1);
    expect(days).toBeLessThanOrEqual(LIMITS.accountExports.days);
    const [head, user, chain] = await download(owner, made.id);
    const { accountId } = owner.user;
    expect(head).toMatchObject({ format: 'arc-account', email: owner.email, accounts: [accountId] });
    expect(user?.document).toMatchObject({ email: owner.email, passwordHash: '[withheld]' });
    expect(chain).toMatchObject({ account: accountId, auditWhole: true });
    expect((await auditOf(accountId)).slice(-2)).toEqual([
      `account.export-asked by ${owner.user.id}: account:${accountId} asked`,
      `account.exported by ${owner.user.id}: account:${accountId} downloaded`,
    ]);
  });

  test('is of one company alone, and holds no earlier export', async () => {
    const other = await signUp(server, { firstName: 'Elsewhere' });
    const { accountId } = other.user;
    await Member.create({ accountId, userId: owner.user.id, roles: ['member'] });
    const first = await askForExport(owner);
    await isReady(owner, first.id);
    const second = await askForExport(owner);
    await isReady(owner, second.id);
    const lines = await download(owner, second.id);
    expect(JSON.stringify(lines)).not.toContain('Elsewhere');
    expect(lines.filter(({ collection }) => collection === 'accountExports')).toHaveLength(2);
    expect(lines.filter((line) => 'base64' in line)).toEqual([]);
  });

  test('is made once, however often it is asked for at once', async () => {
    const asked = await Promise.all([askForExport(owner), askForExport(owner), askForExport(owner)]);
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
  });

  test('is refused to members, to other companies, by its file’s name, and after its days', async () => {
    const colleague = await addColleague(server, owner, ['approver', 'deputy']);
    const { id } = await askForExport(owner);
    await isReady(owner, id);
    await colleague.browser.post('/api/account/exports').send({}).expect(403);
    await colleague.browser.get('/api/account/exports').expect(403);
    await colleague.browser.get(`/api/account/exports/${id}/file`).expect(403);
    const other = await signUp(server);
    await other.browser.get(`/api/account/exports/${id}/file`).expect(404);
    await server.browser().get(`/api/account/exports/${id}/file`).expect(401);
    await runInAccount(owner.user.accountId, async () => {
      const file = await StoredFile.findOne({ kind: 'account-export' }).lean();
      await owner.browser.get(`/api/download/${encodeURIComponent(file?.name ?? '')}`).expect(404);
      await StoredFile.updateOne({ _id: file?._id }, { $set: { expiresAt: new Date(0) } });
      // Its days are over before the sweep has come by.
      const over = await owner.browser.get(`/api/account/exports/${id}/file`).expect(410);
      expect(over.body.code).toBe('export_over');
      expect((await listExports(owner)).filter((one: { id: string }) => one.id === id)).toEqual([]);
      await removeExpiredFiles();
    });
    expect((await owner.browser.get(`/api/account/exports/${id}/file`).expect(410)).body.code).toBe('export_over');
    expect(await listExports(owner)).toEqual([]);
  });
});

describe('an erasure', () => {
  /** @shows POST /api/account/erasure */
  test('leaves nothing of the company in any collection, and its name in none', async () => {
    const unlisted = (await collectionNames()).filter(
      (name) => !namesIn(`${ERASED} ${KEPT} ${OF_NO_COMPANY}`).includes(name),
    );
    expect(unlisted).toEqual([]);

    const { owner: mine, colleague } = await makeWholeCompany(server, 'Quillfeather');
    const { accountId } = mine.user;
    await connect(mine);
    const { accessToken } = await readTokens(mine);
    const { id } = await askForExport(mine);
    await isReady(mine, id);
    // One of everything, also of what no call of this test writes.
    for (const name of namesIn(ERASED)) {
      const row = { accountId, session: { accountId, userId: 0 }, text: 'Quillfeather' };
      const rows = database().collection(name);
      if ((await rows.countDocuments(filterOf(name, accountId))) === 0)
        await rows.insertOne({ _id: `made-up-${accountId}` as never, ...row });
      expect([name, await database().collection(name).countDocuments(filterOf(name, accountId))]).not.toEqual([
        name,
        0,
      ]);
    }
    await User.updateOne({ _id: colleague.user.id }, { $set: { lastAccountId: accountId } });

    const socket = await server.socket(mine.cookie);
    const { body } = await erase(mine, confirmed(mine)).expect(200);
    expect(body).toEqual({ success: true, notRevoked: [expect.stringContaining('Slack')], isPlanLeft: false });
    for (const name of namesIn(ERASED))
      expect([name, await database().collection(name).countDocuments(filterOf(name, accountId))]).toEqual([name, 0]);
    for (const name of await collectionNames()) {
      const rows = JSON.stringify(await database().collection(name).find({}).toArray());
      expect([name, rows.includes('Quillfeather')]).toEqual([name, false]);
    }
    expect(await database().collection('files.files').countDocuments({ 'metadata.accountId': accountId })).toBe(0);
    expect(provider.isValid(accessToken)).toBe(false);
    await eventually(async () => socket.disconnected, 'the socket to be closed');
    for (const one of [mine, colleague])
      expect((await one.browser.get('/api/auth/status')).body.authenticated).toBe(false);
    expect(await User.findById(mine.user.id).lean()).toBeNull();
    expect((await User.findById(colleague.user.id).lean())?.lastAccountId).toBeNull();
    expect(await runInAccount(accountId, () => verifyAudit(accountId))).toMatchObject({ whole: true });
    // A colleague still signs in, to a company of their own.
    const again = server.browser();
    await again.post('/api/login').send({ email: colleague.email, password: colleague.password }).expect(200);
    expect((await again.get('/api/auth/status')).body.user.accountId).not.toBe(accountId);
  }, 120_000);

  /** @shows GET /api/account/erasure */
  test('says before what goes and whom it affects', async () => {
    const colleague = await addColleague(server, owner, ['member']);
    await connect(owner);
    const read = async ({ browser }: Person) => (await browser.get('/api/account/erasure').expect(200)).body;
    expect(await read(owner)).toEqual({
      companyName: 'Ada’s company',
      otherOwners: [],
      others: [{ name: colleague.email, email: colleague.email }],
      connections: ['Things'],
      plan: null,
      isPersonErased: true,
      hasPassword: true,
    });
    const elsewhere = await signUp(server);
    await Member.create({ accountId: elsewhere.user.accountId, userId: owner.user.id, roles: ['member'] });
    expect((await read(owner)).isPersonErased).toBe(false);
    await erase(owner, confirmed(owner)).expect(200);
    // The person stays, and goes on in the other company.
    const again = server.browser();
    await again.post('/api/login').send({ email: owner.email, password: owner.password }).expect(200);
    expect((await again.get('/api/auth/status')).body.user.accountId).toBe(elsewhere.user.accountId);
  });

  test.each([
    ['another text', { typed: 'Somebody else' }, { typed: expect.stringContaining('Ada’s company') }],
    ['a wrong password', { password: 'wrong-horse-1' }, { password: 'This is not your password.' }],
    ['no password', { password: undefined }, { password: 'This is not your password.' }],
  ])('with %s erases nothing', async (_what, change, fields) => {
    const { body } = await erase(owner, { ...confirmed(owner), ...change }).expect(400);
    expect(body.fields).toEqual(fields);
    expect((await Account.findById(owner.user.accountId).lean())?.erasure ?? null).toBeNull();
    await owner.browser.get('/api/account/exports').expect(200);
  });

  test('is refused to members, to programs, and while somebody else owns the company too', async () => {
    const colleague = await addColleague(server, owner, ['member', 'approver', 'deputy']);
    await erase(colleague, confirmed(colleague)).expect(403);
    await colleague.browser.get('/api/account/erasure').expect(403);
    await Member.updateOne({ userId: colleague.user.id }, { $set: { roles: ['owner'] } });
    announce(owner.user.accountId, ['account']);
    const { body } = await erase(owner, confirmed(owner)).expect(422);
    expect(body.error).toBe(
      `${colleague.email} owns the company too, so nothing was erased. Take that role away first, under Members.`,
    );
    await owner.browser.get('/api/account/exports').expect(200);
  });

  test('takes a fresh sign-in where there is no password', async () => {
    await User.updateOne({ _id: owner.user.id }, { $set: { passwordHash: null } });
    const sessions = database().collection('sessions');
    await sessions.updateMany(
      { 'session.userId': owner.user.id },
      { $set: { 'session.since': Date.now() - 3_600_000 } },
    );
    announce(owner.user.accountId, ['account']);
    const { body } = await erase(owner, { typed: owner.email }).expect(422);
    expect(body.error).toMatch(/Log out, log in again/);
    await sessions.updateMany({ 'session.userId': owner.user.id }, { $set: { 'session.since': Date.now() } });
    announce(owner.user.accountId, ['account']);
    await erase(owner, { typed: 'ada’s COMPANY ' }).expect(200);
  });

  test('is finished after a crash, and takes what work wrote meanwhile', async () => {
    const { accountId, id } = owner.user;
    // As a process leaves it that ended right after it had begun.
    await Account.updateOne({ _id: accountId }, { $set: { erasure: { by: id, at: new Date(), isSwept: false } } });
    await finishErasures();
    expect(await Member.countDocuments({ accountId })).toBe(1);
    const later = () => finishErasures(new Date(Date.now() + 60 * 60_000));
    await later();
    expect(await Member.countDocuments({ accountId })).toBe(0);
    expect(await User.findById(id).lean()).toBeNull();
    // And erased once more only where it was begun.
    expect(await later()).toBe(0);

    const other = await signUp(server);
    await erase(other, confirmed(other)).expect(200);
    const messages = database().collection('messages');
    await messages.insertOne({ accountId: other.user.accountId, text: 'late' });
    await later();
    expect(await messages.countDocuments({ accountId: other.user.accountId })).toBe(0);
    expect((await auditOf(other.user.accountId)).filter((line) => line.startsWith('account.erased'))).toHaveLength(1);
  });
});
