import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { changeUser } from '../../bot/engine/accounts/changeUser.ts';
import { announce } from '../../models/store/revisions.ts';
import { type Person, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** The paths that pages poll. */
const pathsOf = ({ user, agent }: Awaited<ReturnType<typeof signUpReady>>) => [
  '/api/arc-chat/history',
  '/api/user-agents',
  `/api/user-agents/${agent.id}`,
  `/api/agents/${agent.id}/interrupts`,
  '/api/workspaces/clinical_safety',
  `/api/hazard-analysis/latest/${user.id}`,
  '/api/oauth/status/all',
  '/api/oauth/status/slack',
  '/api/automation/jobs',
  '/api/documents',
];
const tagOf = async ({ browser }: Person, path: string) =>
  String((await browser.get(path).expect(200)).headers.etag ?? '');
const poll = ({ browser }: Person, path: string, tag: string) => browser.get(path).set('If-None-Match', tag);

describe('a poll', () => {
  /** @shows S2-9.1, S2-9.4 */
  test('is answered 304 without a body on every polled path while nothing is new', async () => {
    const person = await signUpReady(server);
    for (const path of pathsOf(person)) {
      const tag = await tagOf(person, path);
      const again = await poll(person, path, tag);
      expect({ path, status: again.status, body: again.text, etag: again.headers.etag }).toEqual({
        path,
        status: 304,
        body: '',
        etag: tag,
      });
    }
  });

  test('is answered in full once something changed', async () => {
    const person = await signUpReady(server);
    const tag = await tagOf(person, '/api/user-agents');
    await person.browser.post('/api/user-agents/hire').send({ agentId: 'mdr' }).expect(200);
    expect((await poll(person, '/api/user-agents', tag)).body).toHaveLength(2);
  });

  test('of questions is answered in full in another time zone', async () => {
    const person = await signUpReady(server);
    const path = pathsOf(person).find((it) => it.endsWith('/interrupts')) ?? '';
    const tag = await tagOf(person, path);
    await person.browser.put('/api/preferences').send({ timeZone: 'Asia/Tokyo' }).expect(200);
    expect((await poll(person, path, tag)).status).toBe(200);
  });

  test('is refused after logging out, and to signed-out callers', async () => {
    const person = await signUpReady(server);
    const tag = await tagOf(person, '/api/user-agents');
    const cookie = person.cookie;
    await person.browser.post('/api/logout').expect(200);
    const answer = await server.browser().get('/api/user-agents').set('Cookie', cookie).set('If-None-Match', tag);
    expect(answer.status).toBe(401);
    expect((await server.browser().get('/api/user-agents').set('If-None-Match', tag)).status).toBe(401);
  });

  test('is refused once the session was ended elsewhere', async () => {
    const person = await signUpReady(server);
    const tag = await tagOf(person, '/api/user-agents');
    await mongoose.connection.db?.collection('sessions').deleteMany({ 'session.userId': person.user.id });
    // As the other process announces it.
    announce(person.user.accountId, ['account'], false);
    expect((await poll(person, '/api/user-agents', tag)).status).toBe(401);
  });

  test('is refused at once to people who lost the permission', async () => {
    const person = await signUpReady(server);
    const tag = await tagOf(person, '/api/user-agents');
    expect(await changeUser(person.email.toUpperCase(), { sessionsValidFrom: new Date(Date.now() + 1000) })).toBe(true);
    expect((await poll(person, '/api/user-agents', tag)).status).toBe(401);
    expect(await changeUser('nobody@example.org', {})).toBe(false);
  });
});
