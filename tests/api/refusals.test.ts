import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { bound } from '../../api/middleware/bind.ts';
import { changeUser } from '../../bot/engine/accounts/changeUser.ts';
import { ROLES } from '../../models/member.ts';
import { callersOf } from '../factories/accessToken.ts';
import { type Person, signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';
import { VALID_PARTS } from '../factories/validParts.ts';

let server: Server;
let mine: Person;
beforeAll(async () => {
  server = await startServer();
  mine = await signUp(server);
});
afterAll(() => server.stop());

/** The callers of an owner who is an administrator too. */
async function callersOfAdministrator() {
  const owner = await signUp(server);
  await changeUser(owner.email, { isAdmin: true });
  return callersOf(server.url, owner);
}

/** Calls whose ids are not numbers. */
const NAMES_BY_TEXT =
  /threads|messages|documents|\/runs\/:|installations|tokens|links|tool-servers|tenants|profiles|match-decisions/;
/** A path with ids of the right form; whether they exist does not matter to what is refused before. */
const withIds = (path: string) =>
  path.replace(':channel', 'slack').replace(/:\w+/g, NAMES_BY_TEXT.test(path) ? '0123456789abcdef01234567' : '1');

/** @shows call-4, POST /api/teams/connect */
test('calls for owners or administrators are refused to a member with every other role, whatever is sent', async () => {
  const email = `${randomUUID()}@example.org`;
  const invited = await mine.browser
    .post('/api/account/members')
    .send({ email, roles: ['member', 'approver', 'deputy'] })
    .expect(200);
  const token = new URL(invited.body.invitation.link).searchParams.get('invitation');
  const member = server.browser();
  await member.post('/api/account/invitations/accept').send({ token, password: 'correct-horse-1' }).expect(200);
  const { user } = (await member.get('/api/auth/status')).body;
  const clinicalSafetyOfficer = { userId: user.id, profession: 'Nurse', register: 'NMC', registrationNumber: '1A' };
  await mine.browser.put('/api/preferences').send({ clinicalSafetyOfficer }).expect(200);
  const { roles } = (await member.get('/api/auth/status')).body.user;
  expect(roles.toSorted()).toEqual(ROLES.filter((role) => role !== 'owner').toSorted());
  const reserved = [...bound.values()].filter(({ policy }) => policy === 'owner' || policy === 'admin');
  expect(reserved.length).toBeGreaterThan(10);
  const let_in: string[] = [];
  for (const { method, path, policy } of reserved) {
    const callers = policy === 'admin' ? [member, mine.browser] : [member];
    for (const caller of callers) {
      const { status, body } = await caller[method](withIds(path)).send(method === 'get' ? undefined : {});
      if (status !== 403 || body.code !== 'not_allowed') let_in.push(`${method} ${path}: ${status}`);
    }
  }
  expect(let_in).toEqual([]);
});

/** Parts that the question's own type checks, which refuses an invalid answer with the question. */
const TAKES_ANYTHING = new Set(['/api/interrupts/:id/resolve userResponse']);
/** Values that most fields refuse. */
const WRONG = [{ wrong: { deeply: true } }, 7, 'x'.repeat(50_000), null];

/** @shows call-2 */
test('every part of every body is checked, and an invalid value is refused with its name', async () => {
  const callerOf = await callersOfAdministrator();
  const unchecked: string[] = [];
  let checked = 0;
  for (const { method, path, policy, body } of bound.values()) {
    if (method === 'get' || !(body instanceof z.ZodObject)) continue;
    for (const [part, shape] of Object.entries(body.shape as Record<string, z.ZodType>)) {
      const wrong = WRONG.find((value) => !shape.safeParse(value).success);
      const fields =
        wrong !== undefined &&
        (
          await callerOf({ policy })
            [method](withIds(path))
            .send({ ...VALID_PARTS, [part]: wrong })
        ).body.fields;
      if (Object.keys(fields || {}).some((name) => name.split('.')[0] === part)) checked += 1;
      else if (!TAKES_ANYTHING.has(`${path} ${part}`)) unchecked.push(`${method} ${path}: ${part}`);
    }
  }
  expect(checked).toBeGreaterThan(50);
  expect(unchecked).toEqual([]);
});

test('an invalid number in a path is refused with its name', async () => {
  const callerOf = await callersOfAdministrator();
  const silent: string[] = [];
  for (const { method, path, policy, params } of bound.values()) {
    const shape = (params as z.ZodObject).shape as Record<string, z.ZodType>;
    const [name = ''] = Object.keys(shape).filter((it) => shape[it]?.safeParse('7').data === 7);
    if (!name) continue;
    for (const odd of ['x', '0', '-1', '1.5', '99999999999999999999']) {
      const address = path.replace(`:${name}`, odd).replace(':channel', 'slack');
      const { status, body } = await callerOf({ policy })
        [method](address)
        .send(method === 'get' ? undefined : VALID_PARTS);
      if (status !== 400 || !(name in (body.fields ?? {}))) silent.push(`${method} ${path} ${odd}: ${status}`);
    }
  }
  expect(silent).toEqual([]);
});

test('reports of bounced mails are nothing where no token for them is set', async () => {
  const { status, body } = await server
    .browser()
    .post('/api/mail/bounces')
    .set('Authorization', 'Bearer ')
    .send({ recipients: [mine.email] });
  expect([status, body.code]).toEqual([404, 'not_found']);
});
