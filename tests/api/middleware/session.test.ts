/** @environment store */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import express, { type Request } from 'express';
import supertest from 'supertest';
import { requireChat } from '../../../api/middleware/chatGate.ts';
import { answerErrors } from '../../../api/middleware/errors.ts';
import { beginSession, endSession, makeSession, whoIs, whoIsStill } from '../../../api/middleware/session.ts';
import { answerUnchanged, notePolled } from '../../../api/middleware/unchanged.ts';
import { makeShortToken } from '../../../bot/engine/accounts/shortTokens.ts';
import { AuditEvent } from '../../../models/auditEvent.ts';
import { IntegrationSetting } from '../../../models/integrationSetting.ts';
import { Member } from '../../../models/member.ts';
import { connectedDatabase } from '../../../models/store/client.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { announce, changes, revisionTag } from '../../../models/store/revisions.ts';
import { User } from '../../../models/user.ts';
import { addMember, codeOf, connectTestStore, giveTrial, makeWho } from '../../factories/account.ts';

connectTestStore();

const DAY = 86_400_000;
type StoredSession = { _id: string; expires: Date; lastModified: Date; session: { since: number } };
const sessions = () => connectedDatabase().collection<StoredSession>('sessions');
let announced: [accountId: number, topics: string[]][] = [];
const hear = (accountId: number, topics: string[]) => void announced.push([accountId, topics]);
beforeEach(() => {
  announced = [];
  changes.on('changed', hear);
});
afterEach(() => {
  changes.off('changed', hear);
  jest.restoreAllMocks();
});

/** A process that serves sessions, with its own cache. */
function serve() {
  const app = express();
  app.use(makeSession(), express.json());
  app.post('/begin', async (request, response) => {
    await beginSession(request, request.body.userId, request.body.accountId);
    response.json({});
  });
  app.post('/end', async (request, response) => {
    await endSession(request);
    response.json({});
  });
  app.get('/who', async (request, response) => void response.json(await whoIs(request)));
  app.get('/still', async (request, response) => void response.json(await whoIsStill(request)));
  app.use(answerErrors);
  return app;
}
const begin = async (who: { userId: number; accountId: number }, cookie = '', app = serve()) => {
  const { headers } = await supertest(app).post('/begin').set('Cookie', cookie).send(who).expect(200);
  return String(headers['set-cookie']);
};
const ask = (path: string, cookie: string, app = serve()) => supertest(app).get(path).set('Cookie', cookie);
const idIn = (cookie: string) => /arc\.sid=s%3A([\w-]+)/.exec(cookie)?.[1] ?? '';

describe('a session', () => {
  test('lasts 14 days, in a cookie for this site only and hidden from scripts, and in the store', async () => {
    const start = Date.now();
    const cookie = await begin(await addMember());
    expect(cookie).toMatch(/^arc\.sid=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    const expires = Date.parse(/Expires=([^;]+)/.exec(cookie)?.[1] ?? '');
    expect(Math.abs(expires - start - 14 * DAY)).toBeLessThan(10_000);
    const row = await sessions().findOne({ _id: idIn(cookie) });
    expect(Math.abs(Number(row?.expires) - start - 14 * DAY)).toBeLessThan(10_000);
  });

  test('is not stored for signed-out people, and its cookie is not sent again', async () => {
    const before = await sessions().countDocuments();
    expect((await ask('/who', '')).headers['set-cookie']).toBeUndefined();
    expect(await sessions().countDocuments()).toBe(before);
    const cookie = await begin(await addMember());
    expect((await ask('/who', cookie)).headers['set-cookie']).toBeUndefined();
  });

  test.each([
    [590, false],
    [610, true],
  ])('last saved %i seconds ago is saved again by a call: %s', async (seconds, is) => {
    const cookie = await begin(await addMember());
    const lastModified = new Date(Date.now() - seconds * 1000);
    await sessions().updateOne({ _id: idIn(cookie) }, { $set: { lastModified } });
    await ask('/who', cookie).expect(200);
    const row = await sessions().findOne({ _id: idIn(cookie) });
    expect(Number(row?.lastModified) > Number(lastModified)).toBe(is);
  });

  test('starts under a new id, is recorded, and ends the previous one in every process', async () => {
    const [first, second] = [await addMember(), await addMember()];
    const start = Date.now();
    const one = await begin(first);
    expect(announced).toEqual([]);
    const other = await begin(second, one);
    expect(announced).toEqual([[first.accountId, ['account']]]);
    expect(idIn(other)).not.toBe(idIn(one));
    expect((await ask('/who', one)).body).toBeNull();
    expect((await ask('/who', other)).body).toMatchObject(second);
    const row = await sessions().findOne({ _id: idIn(other) });
    expect(row?.session).toMatchObject({ userId: second.userId, accountId: second.accountId });
    expect(row?.session.since).toBeGreaterThanOrEqual(start);
    const events = await runInAccount(second.accountId, () => AuditEvent.find({}).lean());
    expect(events).toMatchObject([
      { event: 'session.begun', userId: second.userId, subject: `user:${second.userId}`, outcome: 'begun' },
    ]);
  });

  test('ends in every process, and is recorded', async () => {
    const who = await addMember();
    const cookie = await begin(who);
    await supertest(serve()).post('/end').set('Cookie', cookie).expect(200);
    expect(announced).toEqual([[who.accountId, ['account']]]);
    expect(await sessions().countDocuments({ _id: idIn(cookie) })).toBe(0);
    const events = await runInAccount(who.accountId, () => AuditEvent.find({}).sort({ seq: 1 }).lean());
    expect(events.map(({ event, userId, subject, outcome }) => [event, userId, subject, outcome])).toEqual([
      ['session.begun', who.userId, `user:${who.userId}`, 'begun'],
      ['session.ended', who.userId, `user:${who.userId}`, 'ended'],
    ]);
  });

  test('of a signed-out person ends without a record', async () => {
    await supertest(serve()).post('/end').expect(200);
    expect(announced).toEqual([]);
    const half = (session: object) =>
      endSession({ session: { ...session, destroy: (done: () => void) => done() } } as never);
    await half({ userId: 1 });
    expect(announced).toEqual([]);
    await half({ accountId: 1 });
    expect(announced).toEqual([[1, ['account']]]);
    expect(await runInAccount(1, () => AuditEvent.countDocuments({}))).toBe(0);
  });

  test('that can’t be started or saved says so, and ends nothing', async () => {
    const who = await addMember();
    const fault = new Error('the store is lost');
    const session = (regenerate: Error | null, save: Error | null) => ({
      accountId: who.accountId,
      regenerate: (done: (fault: Error | null) => void) => done(regenerate),
      save: (done: (fault: Error | null) => void) => done(save),
    });
    const attempt = (it: object) =>
      beginSession({ session: it, headers: {} } as unknown as Request, who.userId, who.accountId);
    await expect(attempt(session(fault, null))).rejects.toBe(fault);
    await expect(attempt(session(null, fault))).rejects.toBe(fault);
    expect(announced).toEqual([]);
    await attempt(session(null, null));
    expect(announced).toHaveLength(1);
  });
});

describe('the caller of a call', () => {
  const bearer = async (who: { userId: number; accountId: number }) => `Bearer ${await makeShortToken(who)}`;

  test.each(['/who', '/still'])('is the member of the session, as they are now: %s', async (path) => {
    const who = await addMember(['member']);
    const [app, start] = [serve(), Date.now()];
    const cookie = await begin(who, '', app);
    const asked = async () => (await ask(path, cookie, app)).body;
    expect(await asked()).toMatchObject({ ...who, roles: ['member'] });
    await Member.updateOne({ userId: who.userId }, { $set: { roles: ['owner'] } });
    announce(who.accountId, ['account']);
    expect(await asked()).toMatchObject({ roles: ['owner'] });
    const endBefore = async (moment: number) => {
      await User.updateOne({ _id: who.userId }, { $set: { sessionsValidFrom: new Date(moment) } });
      announce(who.accountId, ['account']);
    };
    await endBefore(start);
    expect(await asked()).toMatchObject(who);
    await endBefore(Date.now() + 1000);
    expect(await asked()).toBeNull();
  });

  test('is nobody, also for a socket, once the session has ended elsewhere', async () => {
    const who = await addMember();
    const app = serve();
    const stale = { userId: who.userId, accountId: who.accountId, since: Date.now() };
    const get = (id: string) => ({
      headers: {},
      session: stale,
      sessionID: id,
      sessionStore: {
        get: (asked: string, done: (fault: null, data: object | null) => void) =>
          done(null, asked === 'live' ? stale : null),
      },
    });
    expect(await whoIsStill(get('live'))).toMatchObject(who);
    expect(await whoIsStill(get('ended'))).toBeNull();
    const cookie = await begin(who, '', app);
    await supertest(app).post('/end').set('Cookie', cookie).expect(200);
    expect((await ask('/still', cookie, app)).body).toBeNull();
  });

  test.each([
    ['whoIs', whoIs],
    ['whoIsStill', whoIsStill],
  ])('is identified by a token if one is sent, whatever session there is: %s', async (_name, read) => {
    const [one, other] = [await addMember(), await addMember()];
    const session = { ...one, since: Date.now() };
    const asked = (authorization: string) => read({ headers: { authorization }, session, sessionStore: null });
    expect(await asked(await bearer(other))).toMatchObject(other);
    expect(await asked('Bearer made-up')).toBeNull();
    expect(await asked(`${await bearer(other)} more`)).toMatchObject(one);
    expect(await asked(`x ${await bearer(other)}`)).toMatchObject(one);
  });

  test('with a session without a start time has one older than all others', async () => {
    const who = await addMember();
    const session = { userId: who.userId, accountId: who.accountId };
    const stored = {
      sessionStore: { get: (_id: string, done: (fault: null, data: object) => void) => done(null, session) },
    };
    const asked = async () => [
      await whoIs({ headers: {}, session }),
      await whoIsStill({ headers: {}, session, sessionID: 's', ...stored }),
    ];
    expect(await asked()).toEqual([expect.objectContaining(who), expect.objectContaining(who)]);
    await User.updateOne({ _id: who.userId }, { $set: { sessionsValidFrom: new Date(1) } });
    announce(who.accountId, ['account']);
    expect(await asked()).toEqual([null, null]);
  });
});

describe('a repeated poll', () => {
  const topics = ['chat' as const];
  const path = `/sample/${randomBytes(4).toString('hex')}`;
  beforeAll(() => {
    notePolled({ method: 'get', path, policy: 'signed-in' } as never, topics);
    notePolled({ method: 'get', path: `${path}/owner`, policy: 'owner' } as never, topics);
    notePolled({ method: 'get', path: `${path}/public`, policy: 'public' } as never, topics);
  });
  /** The outcome of a call: its status if answered at once, or that it continues. */
  async function poll(who: object, tag: string, address = path, method = 'get' as const) {
    const app = express();
    app.set('etag', false);
    const session = (request: object, _response: unknown, next: () => void) => {
      Object.assign(request, { session: who });
      next();
    };
    app.use(answerUnchanged(session as never), (_request, response) => void response.send('goes on'));
    return supertest(app)[method](address).set('If-None-Match', tag);
  }

  test('is answered at once while nothing has changed for the caller, who may still ask', async () => {
    const who = await addMember(['member']);
    const tag = revisionTag(who.accountId, topics, who.userId);
    const answer = await poll(who, tag);
    expect([answer.status, answer.headers.etag, answer.headers['cache-control']]).toEqual([
      304,
      tag,
      'private, no-cache',
    ]);
    expect((await poll(who, tag, `${path}/owner`)).text).toBe('goes on');
    expect((await poll({}, tag)).text).toBe('goes on');
    expect((await poll({}, tag, `${path}/public`)).text).toBe('goes on');
    expect((await poll(await addMember(), tag)).text).toBe('goes on');
    announce(who.accountId, topics);
    expect((await poll(who, tag)).text).toBe('goes on');
  });

  test('fails with the cause if the caller can’t be determined', async () => {
    const fault = new Error('the store is lost');
    jest.spyOn(User, 'findById').mockImplementation(() => {
      throw fault;
    });
    const session = (request: object, _response: unknown, next: () => void) => {
      Object.assign(request, { session: { userId: 1, accountId: 1 } });
      next();
    };
    const request = { method: 'GET', path, headers: { 'if-none-match': '"t"' } };
    const passed = await new Promise((done) => answerUnchanged(session as never)(request as never, {} as never, done));
    expect(passed).toBe(fault);
  });
});

test.each([
  ['is open', true, 1, 'done'],
  ['is closed while arc-chat is off', false, 1, 'channel_off'],
  ['is closed after the trial', true, -1, 'trial_over'],
])('the chat %s', async (_what, enabled, days, code) => {
  const who = makeWho();
  const { accountId } = who;
  await runInAccount(accountId, async () => {
    await giveTrial(accountId, days);
    await IntegrationSetting.create({ accountId, integrationId: 'arc-chat', enabled });
    await IntegrationSetting.create({ accountId, integrationId: 'slack', enabled: true });
    expect(await codeOf(requireChat(who))).toBe(code);
  });
});
