import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

const password = 'correct-horse-1';
let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const tokenOf = (body: { invitation: { link: string } }) =>
  new URL(body.invitation.link).searchParams.get('invitation');

describe('at the same moment', () => {
  test('two owners who demote each other leave one owner', async () => {
    const first = await signUp(server);
    const email = `${randomUUID()}@example.org`;
    const { body } = await first.browser
      .post('/api/account/members')
      .send({ email, roles: ['owner'] })
      .expect(200);
    const second = server.browser();
    const token = tokenOf(body);
    await second.post('/api/account/invitations/accept').send({ token, password }).expect(200);
    const unmake = (browser: ReturnType<Server['browser']>, whom: string) =>
      browser.post('/api/account/members').send({ email: whom, roles: ['member'] });
    for (let round = 0; round < 5; round += 1) {
      const statuses = (await Promise.all([unmake(first.browser, email), unmake(second, first.email)])).map(
        (it) => it.status,
      );
      const owners = (await first.browser.get('/api/account/members').expect(200)).body.members.filter(
        (it: { roles: string[] }) => it.roles.includes('owner'),
      );
      expect([statuses, owners.length > 0]).toEqual([statuses, true]);
      const owner = owners[0].email === email ? second : first.browser;
      await owner.post('/api/account/members').send({ email, roles: ['owner'] });
      await owner.post('/api/account/members').send({ email: first.email, roles: ['owner'] });
    }
  });

  test('an invitation that is withdrawn while somebody joins is either used or withdrawn', async () => {
    const owner = await signUp(server);
    for (let round = 0; round < 4; round += 1) {
      const email = `${randomUUID()}@example.org`;
      const { body } = await owner.browser
        .post('/api/account/members')
        .send({ email, roles: ['member'] })
        .expect(200);
      const token = tokenOf(body);
      const accepting = server
        .browser()
        .post('/api/account/invitations/accept')
        .send({ token, password })
        .then((it) => it.status);
      const withdrawing = owner.browser
        .delete('/api/account/members')
        .send({ invitationId: body.invitation.id })
        .then((it) => it.status);
      const statuses = await Promise.all([accepting, withdrawing]);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      const { members } = (await owner.browser.get('/api/account/members').expect(200)).body;
      const joined = members.some((it: { email: string }) => it.email === email);
      expect(joined).toBe(statuses[0] === 200);
    }
  });
});
