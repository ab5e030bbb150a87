import { randomUUID } from 'node:crypto';
import type { Role } from '../../models/member.ts';
import type { Person } from './person.ts';
import type { Server } from './server.ts';

/** Somebody whom an owner invited, signed in. */
export async function addColleague(server: Server, owner: Person, roles: Role[]): Promise<Person> {
  const email = `${randomUUID()}@example.org`;
  const invited = await owner.browser.post('/api/account/members').send({ email, roles }).expect(200);
  const token = new URL(invited.body.invitation.link).searchParams.get('invitation');
  const browser = server.browser();
  const password = 'correct-horse-1';
  await browser.post('/api/account/invitations/accept').send({ token, password }).expect(200);
  return { browser, user: (await browser.get('/api/auth/status')).body.user, email, password, cookie: '' };
}
