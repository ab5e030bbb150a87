import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { io as connect } from 'socket.io-client';
import { LIMITS, RATES, type RateName } from '../../models/contracts/limits.ts';
import { nextId } from '../../models/counter.ts';
import { Interrupt } from '../../models/interrupt.ts';
import { Member } from '../../models/member.ts';
import { runInAccount } from '../../models/store/context.ts';
import { announce } from '../../models/store/revisions.ts';
import { User } from '../../models/user.ts';
import { makeInterrupt } from '../factories/interrupt.ts';
import { eventually, type Person, signUp, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

// A twentieth of the table's rates: one mail per person, five failed sign-ins of an e-mail elsewhere, six chat
// messages.
process.env.RATE_LIMIT_FACTOR = '0.05';
// Behind one proxy, so that a test can use many client addresses.
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
  return `198.18.${addresses >> 8}.${addresses & 255}`;
};
const post = (path: string, body: object, from = elsewhere(), browser = server.browser()) =>
  browser.post(path).set('X-Forwarded-For', from).send(body);

/** The factory's person, with a client address of their own. */
async function arrive(ready = false): Promise<Person> {
  const from = elsewhere();
  const browser = server.browser();
  const visitor = {
    ...server,
    browser: () => ({
      post: (path: string) => browser.post(path).set('X-Forwarded-For', from),
      get: (path: string) => browser.get(path).set('X-Forwarded-For', from),
      put: (path: string) => browser.put(path).set('X-Forwarded-For', from),
      patch: (path: string) => browser.patch(path).set('X-Forwarded-For', from),
    }),
  } as unknown as Server;
  return ready ? signUpReady(visitor) : signUp(visitor);
}

test('sign-ups count by address, even from signed-in people', async () => {
  const from = elsewhere();
  const browser = server.browser();
  const signUpHere = () =>
    post('/api/auth/send-signup-confirmation', { email: `${randomUUID()}@example.org`, password }, from, browser);
  expect((await signUpHere()).status).toBe(200);
  expect((await signUpHere()).body.code).toBe('too_many');
});

test('reset mails count by recipient, from wherever they are requested', async () => {
  // Signing up counts as a mail, so the recipient must be somebody who never requested one.
  const known = `${randomUUID()}@example.org`;
  await User.updateOne({ _id: (await arrive()).user.id }, { $set: { email: known } });
  for (const email of [known, `${randomUUID()}@example.org`]) {
    const ask = () => post('/api/auth/send-reset', { email });
    expect([(await ask()).status, (await ask()).body.code]).toEqual([200, 'too_many']);
  }
});

test('whatever else a body contains, accepting counts for the invitation and signing in for its e-mail', async () => {
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
  // The same counter as logging in, so the limit holds there too.
  expect((await post('/api/login', { email: victim.email, password: 'wrong-horse-1' })).body.code).toBe('too_many');
});

test('calls with an access token count by the token, refused tokens by the address', async () => {
  const make = async (person: Person): Promise<string> =>
    (
      await person.browser
        .post('/api/access-tokens')
        .send({ name: 'n8n', scopes: ['questions:ask', 'usage:read'], expiresInDays: 30 })
    ).body.secret;
  const call = async (secret: string, from: string, path = '/api/questions') => {
    const answer = await server
      .browser()
      .get(path)
      .set({ 'X-Forwarded-For': from, Authorization: `Bearer ${secret}` });
    return answer.status;
  };
  const secret = await make(await arrive());
  const calls = limitOf('token');
  for (let n = 0; n < calls; n += 1) expect(await call(secret, elsewhere())).toBe(200);
  expect(await call(secret, elsewhere())).toBe(429);
  expect(await call(secret, elsewhere(), '/api/billing')).toBe(429);
  const from = elsewhere();
  for (let n = 0; n < limitOf('badToken'); n += 1) expect(await call(`arc_${'x'.repeat(43)}`, from)).toBe(401);
  expect(await call(`arc_${'y'.repeat(43)}`, from)).toBe(429);
  // Even a token that works is refused there, and works elsewhere.
  const other = await make(await arrive());
  expect([await call(other, from), await call(other, elsewhere())]).toEqual([429, 200]);
});

const SIGN_IN: RateName[] = ['signInAddress', 'signInEmail', 'signIn'];
const UPLOAD: RateName[] = ['upload', 'uploadAccount'];
const CHAT: RateName[] = ['chat', 'chatAccount'];
/** What each call counts by, beside the overall rate. Calls that are not listed have only the overall rate. */
const RATES_BY_CALL: Record<string, RateName[]> = {
  'post /api/login': SIGN_IN,
  'post /api/account/invitations/accept': SIGN_IN,
  'post /api/auth/send-signup-confirmation': ['signUp', 'mailTarget', 'mailAddress'],
  'post /api/auth/send-reset': ['mailTarget', 'mailAddress'],
  'post /api/auth/verify-signup-confirmation': ['code', 'codeTarget'],
  'post /api/auth/reset-password': ['code', 'codeTarget'],
  'post /api/auth/change-password': ['password'],
  'get /api/account/invitations/:token': ['code'],
  'post /api/account/members': ['invite', 'inviteTarget'],
  'post /api/teams/connect': ['code'],
  'post /api/teams/tab-token': ['tabToken'],
  'post /api/access-tokens': ['accessTokens'],
  'post /api/account/exports': ['accountExports'],
  'post /api/account/erasure': ['password'],
  'post /api/shared-links': ['sharedLinks'],
  'post /api/shared-links/open': ['sharedOpen'],
  'get /api/oauth/:provider/auth': ['providerLogin'],
  'get /api/oauth/:provider/auth/callback': ['providerLogin'],
  'post /unsubscribe/:token': ['unsubscribe'],
  'post /api/mail/bounces': ['mailBounces'],
  'post /api/tool-servers': ['toolServers'],
  'post /api/tool-servers/:id/check': ['toolServers'],
  'post /api/collaborate': ['collaborate'],
  'post /api/hazard-analysis/sample': ['sample'],
  'get /api/search': ['search'],
  'post /api/arc-chat/send': CHAT,
  'post /api/arc-chat/threads': ['chat'],
  'post /api/interrupts/:id/comments': ['chat'],
  'put /api/arc-chat/messages/:messageId/feedback': ['chat'],
  'post /api/clinical-safety-agent/:id/analyze': CHAT,
  'post /api/clinical-safety-agent/:id/analyze-hazard-log': CHAT,
  'post /api/clinical-safety-agent/:id/compliance-sheet': CHAT,
  'post /api/clinical-safety-agent/:id/incident-record': CHAT,
  'post /api/clinical-safety-agent/:id/safety-case-report': CHAT,
  'post /api/clinical-safety-agent/:id/parse-cscr': UPLOAD,
  'post /api/arc-chat/upload-hazard-log': UPLOAD,
  'post /api/arc-chat/sample': UPLOAD,
  'post /api/documents': UPLOAD,
  'post /api/documents/:id/use': UPLOAD,
};
const limitOf = (name: RateName) => Math.max(1, Math.round(RATES[name].limit * 0.05));

/** @shows S1-9.1 */
test('every call declares its rates: its own and the overall one', async () => {
  const { bound } = await import('../../api/middleware/bind.ts');
  const shown: Record<string, string[]> = {};
  const wanted: Record<string, string[]> = {};
  for (const [name, { method, path }] of bound) {
    const call = server.browser()[method](path.replace(/:\w+/g, '1')).set('X-Forwarded-For', elsewhere());
    const { headers } = await call.send(method === 'get' ? undefined : { email: `${randomUUID()}@example.org` });
    const policies = String(headers['ratelimit-policy']).matchAll(/q=(\d+); w=(\d+)/g);
    shown[name] = [...policies].map(([, limit, seconds]) => `${limit} in ${seconds} s`).sort();
    const rates: RateName[] = ['everything', ...(RATES_BY_CALL[name] ?? [])];
    wanted[name] = rates.map((rate) => `${limitOf(rate)} in ${RATES[rate].seconds} s`).sort();
  }
  expect(shown).toEqual(wanted);
  expect(Object.keys(shown)).toEqual(expect.arrayContaining(Object.keys(RATES_BY_CALL)));
});

/** People of one company. */
async function company(size: number): Promise<Person[]> {
  const people = await Promise.all(Array.from({ length: size }, () => arrive()));
  const accountId = people[0]?.user.accountId ?? 0;
  for (const { user, browser } of people.slice(1)) {
    await Member.create({ accountId, userId: user.id, roles: ['member'] });
    await browser.post('/api/account/switch').send({ accountId }).expect(200);
  }
  announce(accountId, ['account']);
  return people;
}
type Ask = () => PromiseLike<{ status: number; body: { code?: string } }>;
/** Calls that count together, and a similar one that does not. */
type Counted = { together: Ask; apart: Ask; before?: number };
const anyone = () => `${randomUUID()}@example.org`;
const say = ({ browser }: Person) => browser.post('/api/arc-chat/send').send({});
const drop = ({ browser }: Person) => browser.post('/api/documents').send({});
const invite = ({ browser }: Person, email = anyone()) =>
  browser.post('/api/account/members').send({ email, roles: ['member'] });
/** Calls each of several people in turn, so that none reaches a limit of their own. */
function takeTurns(people: Person[], ask: (person: Person) => ReturnType<Ask>): Ask {
  let turn = 0;
  return () => {
    turn += 1;
    return ask(people[turn % people.length] as Person);
  };
}
function ofOneAddress(ask: (address: string) => ReturnType<Ask>): Counted {
  const address = elsewhere();
  return { together: () => ask(address), apart: () => ask(elsewhere()) };
}
const lookUp = (address: string) =>
  server.browser().get(`/api/account/invitations/${randomUUID()}`).set('X-Forwarded-For', address);
const statusOf = (address: string) => server.browser().get('/api/auth/status').set('X-Forwarded-For', address);

const COUNTED: [name: RateName, what: string, () => Promise<Counted> | Counted][] = [
  ['code', 'tokens tried from one address', () => ofOneAddress(lookUp)],
  [
    'codeTarget',
    'codes tried for one e-mail',
    () => {
      const attempt = (email: string) => post('/api/auth/verify-signup-confirmation', { email, code: '123456' });
      return { together: () => attempt('one@example.org'), apart: () => attempt('other@example.org') };
    },
  ],
  [
    'mailAddress',
    'mails asked for from one address',
    () => ofOneAddress((address) => post('/api/auth/send-reset', { email: anyone() }, address)),
  ],
  [
    'tabToken',
    'tokens of the tab from one address',
    () => ofOneAddress((address) => post('/api/teams/tab-token', { token: 'x' }, address)),
  ],
  [
    'password',
    'attempts of one person with their current password',
    async () => {
      const [one, other] = [await arrive(), await arrive()];
      const attempt = ({ browser }: Person) =>
        browser.post('/api/auth/change-password').send({ password: 'wrong-horse-1', newPassword: 'another-horse-2' });
      return { together: () => attempt(one), apart: () => attempt(other) };
    },
  ],
  ['collaborate', 'plans from one address', () => ofOneAddress((address) => post('/api/collaborate', {}, address))],
  [
    'sample',
    'samples read for one visitor',
    () => ofOneAddress((address) => post('/api/hazard-analysis/sample', {}, address)),
  ],
  [
    'providerLogin',
    'logins at a provider from one address',
    () => ofOneAddress((address) => server.browser().get('/api/oauth/google/auth').set('X-Forwarded-For', address)),
  ],
  [
    'sharedOpen',
    'links opened from one address',
    () => ofOneAddress((address) => post('/api/shared-links/open', { secret: 'x' }, address)),
  ],
  [
    'unsubscribe',
    'requests to stop mails from one address',
    () => ofOneAddress((address) => post('/unsubscribe/none', {}, address)),
  ],
  [
    'mailBounces',
    'reports of mails that came back, from one address',
    () => ofOneAddress((address) => post('/api/mail/bounces', { recipients: ['a@b.test'] }, address)),
  ],
  [
    'search',
    'searches of one person, from wherever',
    async () => {
      const [one, other] = [await arrive(), await arrive()];
      const ask = ({ cookie }: Person) =>
        server.browser().get('/api/search?words=dose').set('X-Forwarded-For', elsewhere()).set('Cookie', cookie);
      return { together: () => ask(one), apart: () => ask(other) };
    },
  ],
  ['everything', 'whatever one address asks', () => ofOneAddress(statusOf)],
  [
    'everything',
    'whatever one person asks, from wherever',
    async () => {
      const [one, other] = [await arrive(), await arrive()];
      const ask = ({ cookie }: Person) => statusOf(elsewhere()).set('Cookie', cookie);
      // Signing up called the session endpoint once.
      return { together: () => ask(one), apart: () => ask(other), before: 1 };
    },
  ],
  [
    'invite',
    'invitations of one company',
    async () => {
      const [one, other] = [await arrive(), await arrive()];
      return { together: () => invite(one), apart: () => invite(other) };
    },
  ],
  [
    'inviteTarget',
    'invitations to one e-mail, by whichever company',
    async () => {
      const [email, owners] = [anyone(), [await arrive(), await arrive()]];
      return {
        together: takeTurns(owners, (one) => invite(one, email)),
        apart: takeTurns(owners, (one) => invite(one)),
      };
    },
  ],
  [
    'upload',
    'files of one person',
    async () => {
      const [one, colleague] = (await company(2)) as [Person, Person];
      return { together: () => drop(one), apart: () => drop(colleague) };
    },
  ],
  [
    'uploadAccount',
    'files of one company',
    async () => {
      const [people, other] = [await company(3), await arrive()];
      return { together: takeTurns(people, drop), apart: () => drop(other) };
    },
  ],
  [
    'chatAccount',
    'messages of one company',
    async () => {
      const [people, other] = [await company(6), await arrive()];
      return { together: takeTurns(people, say), apart: () => say(other) };
    },
  ],
];

test.each(COUNTED)('%s: %s reach a limit together, while others’ calls continue', async (name, _what, make) => {
  const { together, apart, before = 0 } = await make();
  for (let time = before; time < limitOf(name); time += 1) {
    expect({ time, code: (await together()).body.code }).not.toEqual({ time, code: 'too_many' });
  }
  const { status, body } = await together();
  expect({ status, code: body.code }).toEqual({ status: 429, code: 'too_many' });
  expect((await apart()).body.code).not.toBe('too_many');
});

describe('sockets', () => {
  const cookieOf = ({ cookie }: Person) => cookie;

  test('share the message rate with calls', async () => {
    const person = await arrive(true);
    const socket = await server.socket(cookieOf(person));
    const say = () => socket.timeout(5000).emitWithAck('send', { message: 'help' });
    const answers = [];
    for (let time = 0; time < 7; time += 1) answers.push(await say());
    expect(answers.map(({ success }) => success)).toEqual([true, true, true, true, true, true, false]);
    expect(answers.at(-1)?.error).toMatch(/Too many tries/);
    expect((await person.browser.post('/api/arc-chat/send').send({ message: 'help' })).body.code).toBe('too_many');
  });

  test('of one session are limited, and closing one makes room', async () => {
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

  test('need a session', async () => {
    const socket = connect(server.url, { transports: ['websocket'], forceNew: true, reconnection: false });
    const error = await new Promise<Error>((resolve) => socket.once('connect_error', resolve));
    socket.close();
    expect(error.message).toMatch(/sign in/);
  });
});

test('signing counts wrong passwords alone', async () => {
  const officer = await arrive(true);
  const { accountId, id: userId } = officer.user;
  const registration = { profession: 'Nurse', register: 'NMC', registrationNumber: '12A3456' };
  const clinicalSafetyOfficer = { userId, ...registration };
  await officer.browser.put('/api/preferences').send({ clinicalSafetyOfficer, signsAnswers: true }).expect(200);
  const ask = async () => {
    const _id = await nextId('interrupt');
    const row = makeInterrupt({ _id, accountId, askKey: `${_id}`, requires: 'clinical-safety-officer' });
    return runInAccount(accountId, () => Interrupt.create(row as never));
  };
  const sign = async (given: object) => {
    const { _id, shownDigest } = await ask();
    const body = { approved: true, shownDigest, sign: { password, reason: 'Read', ...given } };
    const { status } = await officer.browser.patch(`/api/interrupts/${_id}/resolve`).send(body);
    return status;
  };
  expect(limitOf('password')).toBe(1);
  expect([await sign({}), await sign({ reason: ' ' }), await sign({})]).toEqual([200, 400, 200]);
  expect([await sign({ password: 'wrong-horse-1' }), await sign({})]).toEqual([400, 429]);
});
