/** @environment store */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Response } from 'express';
import { rememberDevice } from '../../../api/middleware/device.ts';
import { countChat, limitRate } from '../../../api/middleware/rate.ts';
import { createInvitation } from '../../../bot/engine/accounts/invitations.ts';
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
let addresses = 0;
const address = () => {
  addresses += 1;
  return `198.51.${addresses >> 8}.${addresses & 255}`;
};
type Call = { path?: string; from?: string; session?: object; body?: object; cookie?: string };
/** Remaining calls of a kind after this one. */
async function leftAfter({ path = '/', from = address(), session = {}, body = {}, cookie = '' }: Call) {
  const answer = await edge
    .post(path)
    .set({ 'X-Forwarded-For': from, Cookie: cookie, ...asUser(session) })
    .send(body);
  return Number(/r=(\d+)/.exec(String(answer.headers.ratelimit))?.[1]);
}
/** Whether two calls count towards the same limit. */
async function together(one: Call, other: Call): Promise<boolean> {
  const first = await leftAfter(one);
  return (await leftAfter(other)) === first - 1;
}
const person = (userId = nextNumber(), accountId = nextNumber()) => ({ userId, accountId });

describe('a rate by caller', () => {
  const path = '/collaborate';
  test('is shared by a person’s calls from anywhere', async () => {
    const session = person();
    expect(await together({ path, session }, { path, session })).toBe(true);
  });
  test('is shared by signed-out calls from one address', async () => {
    const from = address();
    expect(await together({ path, from }, { path, from })).toBe(true);
    expect(await together({ path, from }, { path })).toBe(false);
  });
  test('is not shared with a colleague, nor with others at the same address', async () => {
    const [from, session] = [address(), person()];
    expect(await together({ path, from, session }, { path, from })).toBe(false);
    expect(await together({ path, from, session }, { path, from, session: person(undefined, session.accountId) })).toBe(
      false,
    );
  });
});

describe('a rate by company', () => {
  const path = '/invite';
  test('is shared by all of its people, and no other company', async () => {
    const session = person();
    expect(await together({ path, session }, { path, session: person(undefined, session.accountId) })).toBe(true);
    expect(await together({ path, session }, { path, session: person(session.userId) })).toBe(false);
  });
  test('is a caller’s own without a company', async () => {
    const [from, userId] = [address(), nextNumber()];
    expect(await together({ path, from }, { path, from })).toBe(true);
    expect(await together({ path, session: { userId } }, { path, session: { userId } })).toBe(true);
    expect(await together({ path, from }, { path, from, session: { userId } })).toBe(false);
  });
  test('is not shared with a person of the same number', async () => {
    const number = nextNumber();
    const one = { path, session: { userId: number } };
    expect(await together(one, { path, session: { userId: nextNumber(), accountId: number } })).toBe(false);
  });
});

test('a rate by address is shared by everybody at it, signed in or not', async () => {
  const [path, from] = ['/signUp', address()];
  expect(await together({ path, from, session: person() }, { path, from, session: person() })).toBe(true);
  expect(await together({ path, from }, { path })).toBe(false);
});

describe('a rate by the person concerned', () => {
  const path = '/codeTarget';
  const anyone = () => `${randomUUID()}@example.org`;
  const about = (email: unknown) => ({ path, body: { email } });

  test('is shared for one e-mail in any spelling, from anywhere and by anyone', async () => {
    const email = anyone();
    expect(await together(about(email), about(`  ${email.toUpperCase()} `))).toBe(true);
    expect(await together(about(email), { ...about(email), session: person() })).toBe(true);
    expect(await together(about(email), about(anyone()))).toBe(false);
  });

  test('compares the first 254 characters of a very long e-mail', async () => {
    const long = randomUUID().padEnd(254, 'x');
    expect(await together(about(long), about(`${long}yz`))).toBe(true);
    expect(await together(about(`${long.slice(0, 253)}a`), about(`${long.slice(0, 253)}b`))).toBe(false);
  });

  test('is not shared if the e-mail is not text', async () => {
    expect(await together(about({ $gt: '' }), about(['a@example.org']))).toBe(true);
    expect(await together(about(undefined), about(''))).toBe(true);
  });

  describe('for an invitation', () => {
    let token = '';
    const email = anyone();
    beforeAll(async () => {
      ({ token } = await createInvitation(makeWho(), email, ['member'], { mailed: false }));
    });
    const accept = (body: object, at: string = ACCEPT) => ({ path: at, body });
    const signIn = (body: object, from?: string) => ({ path: '/signIn/refused', body, ...(from ? { from } : {}) });

    test('counts as a sign-in of the invited e-mail, whatever e-mail is sent with it', async () => {
      const from = address();
      expect(await together({ ...accept({ token, email: anyone() }), from }, signIn({ email }, from))).toBe(true);
      expect(await together({ ...accept({ token }), from }, signIn({ email: anyone() }, from))).toBe(false);
    });

    test.each([ACCEPT.toUpperCase(), `${ACCEPT}/`])('is the same however its path is written: %s', async (at) => {
      const from = address();
      expect(await together({ ...accept({ token }, at), from }, { ...accept({ token }), from })).toBe(
        at !== `${ACCEPT}//`,
      );
    });

    test('uses the first 64 characters of an unknown token', async () => {
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

    test('uses the token nowhere else: logging in counts by e-mail', async () => {
      const from = address();
      expect(await together(signIn({ email: anyone(), token }, from), signIn({ email }, from))).toBe(false);
    });
  });
});

describe('the rate of sign-ins', () => {
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

  test('counts an e-mail per address', async () => {
    const [email, from] = [anyone(), address()];
    expect(await together(attempt('signIn', email, from), attempt('signIn', email, from))).toBe(true);
    expect(await together(attempt('signIn', email, from), attempt('signIn', anyone(), from))).toBe(false);
    expect(await together(attempt('signIn', email, from), attempt('signIn', email, address()))).toBe(false);
  });

  test('counts a browser known to the e-mail separately, from anywhere', async () => {
    const [email, from] = [anyone(), address()];
    const cookie = await marked(email);
    const own = attempt('signIn', email, from, cookie);
    expect(await together(own, attempt('signIn', email, address(), cookie))).toBe(true);
    expect(await together(own, attempt('signIn', email, from))).toBe(false);
    expect(await together(own, attempt('signIn', anyone(), from, cookie))).toBe(false);
  });

  test('counts an invitation by its e-mail, whichever browser sends it', async () => {
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
  ])('from such a browser leaves out %s: %s', async (name, is) => {
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
  ])('counts a success towards %s: %s', async (name, is) => {
    const [email, from] = [anyone(), address()];
    const good = attempt(name, email, from, '', `/${name}`);
    const first = await leftAfter(good);
    expect(await leftAfter(good)).toBe(is ? first - 1 : first);
    const bad = attempt(name, email, from);
    const before = await leftAfter(bad);
    expect(await leftAfter(bad)).toBe(before - 1);
  });
});

describe('the limits', () => {
  test('are counted for each rate separately', async () => {
    const [from, path] = [address(), '/collaborate'];
    const limit = RATES.collaborate.limit * env.RATE_LIMIT_FACTOR;
    expect(await leftAfter({ path, from })).toBe(limit - 1);
    expect(await leftAfter({ path: '/code', from })).toBe(RATES.code.limit * env.RATE_LIMIT_FACTOR - 1);
  });

  test('of chat are counted by person and by company, together with the calls', async () => {
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
