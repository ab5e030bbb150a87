/** @environment store */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Response } from 'express';
import { rememberDevice } from '../../../api/middleware/device.ts';
import { countChat, limitRate } from '../../../api/middleware/rate.ts';
import { createInvitation } from '../../../bot/engine/accounts/members.ts';
import { RATES, type RateName } from '../../../models/contracts/limits.ts';
import { acceptInvitation } from '../../../models/contracts/members.ts';
import { env } from '../../../models/env.ts';
import { connectTestStore, makeWho, nextNumber } from '../../factories/account.ts';
import { asUser, makeEdge } from '../../factories/edge.ts';

connectTestStore();
afterEach(() => {
  jest.restoreAllMocks();
});

const ACCEPT = acceptInvitation.path;
const NAMES = Object.keys(RATES) as RateName[];
const edge = makeEdge((router) => {
  for (const name of NAMES)
    router.post([`/${name}`, `/${name}/refused`], limitRate(name), (request, response: Response) => {
      response.status(request.path.endsWith('refused') ? 401 : 200).json({});
    });
  router.post(ACCEPT, limitRate('signIn'), (_request, response) => void response.status(401).json({}));
  router.post(`${ACCEPT}/target`, limitRate('codeTarget'), (_request, response) => void response.json({}));
  router.post('/mark', (request, response) => {
    rememberDevice(request, request.body.email);
    response.json({});
  });
});
const address = () => `198.51.${randomBytes(1)[0]}.${randomBytes(1)[0]}`;
type Call = { path?: string; from?: string; session?: object; body?: object; cookie?: string };
/** How many calls of one kind are still allowed after this one. */
async function leftAfter({ path = '/', from = address(), session = {}, body = {}, cookie = '' }: Call) {
  const answer = await edge
    .post(path)
    .set({ 'X-Forwarded-For': from, Cookie: cookie, ...asUser(session) })
    .send(body);
  return Number(/r=(\d+)/.exec(String(answer.headers.ratelimit))?.[1]);
}
/** Whether two calls are counted by the same counter. */
async function together(one: Call, other: Call): Promise<boolean> {
  const first = await leftAfter(one);
  return (await leftAfter(other)) === first - 1;
}
const person = (userId = nextNumber(), accountId = nextNumber()) => ({ userId, accountId });

describe('counted by the caller', () => {
  const path = '/collaborate';
  test('is one person, from wherever', async () => {
    const session = person();
    expect(await together({ path, session }, { path, session })).toBe(true);
  });
  test('is one address, of whoever is not signed in', async () => {
    const from = address();
    expect(await together({ path, from }, { path, from })).toBe(true);
    expect(await together({ path, from }, { path })).toBe(false);
  });
  test('is not a colleague, nor who comes from the same address', async () => {
    const [from, session] = [address(), person()];
    expect(await together({ path, from, session }, { path, from })).toBe(false);
    expect(await together({ path, from, session }, { path, from, session: person(undefined, session.accountId) })).toBe(
      false,
    );
  });
});

describe('counted by the company', () => {
  const path = '/invite';
  test('are all of its people, and no other company', async () => {
    const session = person();
    expect(await together({ path, session }, { path, session: person(undefined, session.accountId) })).toBe(true);
    expect(await together({ path, session }, { path, session: person(session.userId) })).toBe(false);
  });
  test('is one caller, of whoever is in none', async () => {
    const [from, userId] = [address(), nextNumber()];
    expect(await together({ path, from }, { path, from })).toBe(true);
    expect(await together({ path, session: { userId } }, { path, session: { userId } })).toBe(true);
    expect(await together({ path, from }, { path, from, session: { userId } })).toBe(false);
  });
  test('is no person of the same number', async () => {
    const number = nextNumber();
    const one = { path, session: { userId: number } };
    expect(await together(one, { path, session: { userId: nextNumber(), accountId: number } })).toBe(false);
  });
});

test('counted by the address is whoever comes from it, signed in or not', async () => {
  const [path, from] = ['/signUp', address()];
  expect(await together({ path, from, session: person() }, { path, from, session: person() })).toBe(true);
  expect(await together({ path, from }, { path })).toBe(false);
});

describe('counted by whom it is about', () => {
  const path = '/codeTarget';
  const anyone = () => `${randomUUID()}@example.org`;
  const about = (email: unknown) => ({ path, body: { email } });

  test('is one e-mail, however it is written, from wherever and by whomever', async () => {
    const email = anyone();
    expect(await together(about(email), about(`  ${email.toUpperCase()} `))).toBe(true);
    expect(await together(about(email), { ...about(email), session: person() })).toBe(true);
    expect(await together(about(email), about(anyone()))).toBe(false);
  });

  test('of a very long one the first 254 characters are compared', async () => {
    const long = randomUUID().padEnd(254, 'x');
    expect(await together(about(long), about(`${long}yz`))).toBe(true);
    expect(await together(about(`${long.slice(0, 253)}a`), about(`${long.slice(0, 253)}b`))).toBe(false);
  });

  test('is nobody where the e-mail is no text', async () => {
    expect(await together(about({ $gt: '' }), about(['a@example.org']))).toBe(true);
    expect(await together(about(undefined), about(''))).toBe(true);
  });

  describe('an invitation', () => {
    let token = '';
    const email = anyone();
    beforeAll(async () => {
      ({ token } = await createInvitation(makeWho(), email, ['member'], { mailed: false }));
    });
    const accept = (body: object, at: string = ACCEPT) => ({ path: at, body });
    const signIn = (body: object, from?: string) => ({ path: '/signIn/refused', body, ...(from ? { from } : {}) });

    test('is a sign-in of the e-mail that it is for, whatever e-mail is named beside it', async () => {
      const from = address();
      expect(await together({ ...accept({ token, email: anyone() }), from }, signIn({ email }, from))).toBe(true);
      expect(await together({ ...accept({ token }), from }, signIn({ email: anyone() }, from))).toBe(false);
    });

    test.each([ACCEPT.toUpperCase(), `${ACCEPT}/`])('is one however its address is written: %s', async (at) => {
      const from = address();
      expect(await together({ ...accept({ token }, at), from }, { ...accept({ token }), from })).toBe(
        at !== `${ACCEPT}//`,
      );
    });

    test('that nobody has is its token, of which the first 64 characters count', async () => {
      const from = address();
      const made = `made-up-${randomUUID()}`.padEnd(64, 'x');
      const same = (one: unknown, other: unknown) =>
        together({ ...accept({ token: one }), from }, { ...accept({ token: other }), from });
      expect(await same(made, made)).toBe(true);
      expect(await same(made, `${made}more`)).toBe(true);
      expect(await same(made, `${made.slice(0, 63)}y`)).toBe(false);
      expect(await same(made, `M${made.slice(1)}`)).toBe(false);
      expect(await same(7, { no: 'text' })).toBe(true);
    });

    test('names no token anywhere else: logging in is by the e-mail', async () => {
      const from = address();
      expect(await together(signIn({ email: anyone(), token }, from), signIn({ email }, from))).toBe(false);
    });
  });
});

describe('signing in', () => {
  const anyone = () => `${randomUUID()}@example.org`;
  const marked = async (email: string) => {
    const { headers } = await edge.post('/mark').send({ email });
    return String(headers['set-cookie']).split(';')[0] ?? '';
  };
  const attempt = (name: RateName, email: string, from: string, cookie = '', path = `/${name}/refused`) => ({
    path,
    from,
    cookie,
    body: { email },
  });

  test('counts for the e-mail from one address together, and from each address apart', async () => {
    const [email, from] = [anyone(), address()];
    expect(await together(attempt('signIn', email, from), attempt('signIn', email, from))).toBe(true);
    expect(await together(attempt('signIn', email, from), attempt('signIn', anyone(), from))).toBe(false);
    expect(await together(attempt('signIn', email, from), attempt('signIn', email, address()))).toBe(false);
  });

  test('counts for a browser that the e-mail knows by itself, from wherever', async () => {
    const [email, from] = [anyone(), address()];
    const cookie = await marked(email);
    const own = attempt('signIn', email, from, cookie);
    expect(await together(own, attempt('signIn', email, address(), cookie))).toBe(true);
    expect(await together(own, attempt('signIn', email, from))).toBe(false);
    expect(await together(own, attempt('signIn', anyone(), from, cookie))).toBe(false);
  });

  test('counts for an invitation by what it is for, whichever browser sends it', async () => {
    const [email, from] = [anyone(), address()];
    const { token } = await createInvitation(makeWho(), anyone(), ['member'], { mailed: false });
    const accept = { path: ACCEPT, from, body: { token, email } };
    expect(await together({ ...accept, cookie: await marked(email) }, accept)).toBe(true);
  });

  test.each<[RateName, boolean]>([
    ['signInEmail', true],
    ['signInAddress', true],
    ['signIn', false],
    ['codeTarget', false],
    ['mailAddress', false],
  ])('from such a browser is left out of %s: %s', async (name, is) => {
    const email = anyone();
    const cookie = await marked(email);
    const left = await leftAfter(attempt(name, email, address(), cookie));
    expect(Number.isNaN(left)).toBe(is);
    expect(await leftAfter(attempt(name, email, address()))).toBeGreaterThan(0);
  });

  test.each<[RateName, boolean]>([
    ['signIn', false],
    ['signInEmail', false],
    ['signInAddress', false],
    ['signUp', true],
    ['code', true],
    ['mailTarget', true],
  ])('where it succeeds counts for %s: %s', async (name, is) => {
    const [email, from] = [anyone(), address()];
    const good = attempt(name, email, from, '', `/${name}`);
    const first = await leftAfter(good);
    expect(await leftAfter(good)).toBe(is ? first - 1 : first);
    const bad = attempt(name, email, from);
    const before = await leftAfter(bad);
    expect(await leftAfter(bad)).toBe(before - 1);
  });
});

describe('what is too many', () => {
  test('is counted for each rate by itself', async () => {
    const [from, path] = [address(), '/collaborate'];
    const limit = RATES.collaborate.limit * env.RATE_LIMIT_FACTOR;
    expect(await leftAfter({ path, from })).toBe(limit - 1);
    expect(await leftAfter({ path: '/code', from })).toBe(RATES.code.limit * env.RATE_LIMIT_FACTOR - 1);
  });

  test('of chat is counted by person and by company, together with the calls', async () => {
    const session = person();
    const [chat, chatAccount] = [
      { path: '/chat', session },
      { path: '/chatAccount', session },
    ];
    const before = [await leftAfter(chat), await leftAfter(chatAccount)] as const;
    await countChat(session);
    expect([await leftAfter(chat), await leftAfter(chatAccount)]).toEqual([before[0] - 2, before[1] - 2]);
  });
});
