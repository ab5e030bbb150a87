import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { io as connect } from 'socket.io-client';
import { LIMITS } from '../../models/contracts/limits.ts';
import { Member } from '../../models/member.ts';
import { announce } from '../../models/store/revisions.ts';
import { User } from '../../models/user.ts';
import { eventually, type Person, signUp, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

// A twentieth of the table's rates: one mail to a person, five failed sign-ins of an e-mail elsewhere, six chat messages.
process.env.RATE_LIMIT_FACTOR = '0.05';
// Behind one proxy, so that a test can come from many addresses.
process.env.TRUST_PROXY = '1';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const password = 'correct-horse-1';
let addresses = 0;
const elsewhere = () => {
  addresses += 1;
  return `198.51.100.${addresses}`;
};
const post = (path: string, body: object, from = elsewhere(), browser = server.browser()) =>
  browser.post(path).set('X-Forwarded-For', from).send(body);

/** The factory's person, from an address of their own. */
async function arrive(ready = false): Promise<Person> {
  const from = elsewhere();
  const browser = server.browser();
  const visitor = {
    ...server,
    browser: () => ({
      post: (path: string) => browser.post(path).set('X-Forwarded-For', from),
      get: (path: string) => browser.get(path).set('X-Forwarded-For', from),
    }),
  } as unknown as Server;
  return ready ? signUpReady(visitor) : signUp(visitor);
}

test('sign-ups are counted by address, also of somebody who is signed in', async () => {
  const from = elsewhere();
  const browser = server.browser();
  const signUpHere = () =>
    post('/api/auth/send-signup-confirmation', { email: `${randomUUID()}@example.org`, password }, from, browser);
  expect((await signUpHere()).status).toBe(200);
  expect((await signUpHere()).body.code).toBe('too_many');
});

test('reset mails are counted by whom they would go to, from wherever they are asked for', async () => {
  // Signing up counts as a mail, so somebody is known here who never asked for one.
  const known = `${randomUUID()}@example.org`;
  await User.updateOne({ _id: (await arrive()).user.id }, { $set: { email: known } });
  for (const email of [known, `${randomUUID()}@example.org`]) {
    const ask = () => post('/api/auth/send-reset', { email });
    expect([(await ask()).status, (await ask()).body.code]).toEqual([200, 'too_many']);
  }
});

test('whatever else a body holds, accepting counts for the invitation and signing in for its e-mail', async () => {
  const [owner, victim] = await Promise.all([arrive(), arrive()]);
  const invited = await owner.browser.post('/api/account/members').send({ email: victim.email, roles: ['member'] });
  const token = new URL(invited.body.invitation.link).searchParams.get('invitation');
  const wrong = () => `guess-number-${randomUUID()}`;
  const refusedIn = async (guess: () => ReturnType<typeof post>) =>
    (await Promise.all(Array.from({ length: 8 }, guess))).map(({ body }) => body.code);
  const another = () => `${randomUUID()}@example.org`;
  expect(
    await refusedIn(() => post('/api/account/invitations/accept', { token, email: another(), password: wrong() })),
  ).toContain('too_many');
  const other = await arrive();
  expect(
    await refusedIn(() => post('/api/login', { token: randomUUID(), email: other.email, password: wrong() })),
  ).toContain('too_many');
});

test('accepting an invitation counts as a sign-in of its e-mail', async () => {
  const [owner, victim] = await Promise.all([arrive(), arrive()]);
  const invited = await owner.browser.post('/api/account/members').send({ email: victim.email, roles: ['member'] });
  const token = new URL(invited.body.invitation.link).searchParams.get('invitation');
  const guess = () => post('/api/account/invitations/accept', { token, password: `guess-number-${randomUUID()}` });
  const refusals = await Promise.all(Array.from({ length: 6 }, guess));
  expect(refusals.map(({ body }) => body.code).sort()).toContain('too_many');
  expect(refusals.filter(({ body }) => body.code === 'bad_credentials').length).toBeLessThanOrEqual(3);
  // The same counter as logging in: nobody goes on there.
  expect((await post('/api/login', { email: victim.email, password: 'wrong-horse-1' })).body.code).toBe('too_many');
});

describe('sockets', () => {
  const cookieOf = ({ cookie }: Person) => cookie;

  test('messages by socket and by call are counted together', async () => {
    const person = await arrive(true);
    const socket = await server.socket(cookieOf(person));
    const say = () => socket.timeout(5000).emitWithAck('send', { message: 'help' });
    const answers = [];
    for (let time = 0; time < 7; time += 1) answers.push(await say());
    expect(answers.map(({ success }) => success)).toEqual([true, true, true, true, true, true, false]);
    expect(answers.at(-1)?.error).toMatch(/Too many tries/);
    expect((await person.browser.post('/api/arc-chat/send').send({ message: 'help' })).body.code).toBe('too_many');
  });

  test('a session has so many and no more; one that is closed makes room', async () => {
    const person = await arrive();
    const open = Array.from({ length: LIMITS.socketsPerSession }, () => server.socket(cookieOf(person)));
    const sockets = await Promise.all(open);
    await expect(server.socket(cookieOf(person))).rejects.toThrow(/Too many tries/);
    sockets[0]?.close();
    await eventually(
      () =>
        server.socket(cookieOf(person)).then(
          () => true,
          () => false,
        ),
      'room for one more',
    );
  });

  const isClosed = (socket: Awaited<ReturnType<Server['socket']>>) =>
    eventually(async () => !socket.connected, 'the socket to be closed', 5000);
  const ENDINGS: [string, (person: Person) => Promise<unknown>][] = [
    ['logging out', ({ browser }) => browser.post('/api/logout').send({}).expect(200)],
    [
      'being removed',
      async ({ user }) => {
        await Member.deleteOne({ accountId: user.accountId, userId: user.id });
        announce(user.accountId, ['account']);
      },
    ],
    [
      'a new password, told by another process',
      async ({ user }) => {
        await User.updateOne({ _id: user.id }, { $set: { sessionsValidFrom: new Date(Date.now() + 1) } });
        announce(user.accountId, ['account'], false);
      },
    ],
  ];
  test.each(ENDINGS)('are closed at once by %s', async (_what, end) => {
    const [person, other] = await Promise.all([arrive(), arrive()]);
    const [socket, bystander] = await Promise.all([server.socket(cookieOf(person)), server.socket(cookieOf(other))]);
    await end(person);
    await isClosed(socket);
    expect(bystander.connected).toBe(true);
    await expect(server.socket(cookieOf(person))).rejects.toThrow(/sign in/);
  });

  test('nobody is connected without a session', async () => {
    const socket = connect(server.url, { transports: ['websocket'], forceNew: true, reconnection: false });
    const error = await new Promise<Error>((resolve) => socket.once('connect_error', resolve));
    socket.close();
    expect(error.message).toMatch(/sign in/);
  });
});
