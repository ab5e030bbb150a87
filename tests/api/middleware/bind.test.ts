/** @environment store */
import { afterEach, describe, expect, test } from '@jest/globals';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ANSWERED, bind, bound } from '../../../api/middleware/bind.ts';
import { answerUnchanged } from '../../../api/middleware/unchanged.ts';
import { PERSON_HEADER, personKey } from '../../../models/contracts/auth.ts';
import { type Endpoint, endpoint } from '../../../models/contracts/endpoint.ts';
import { RATES } from '../../../models/contracts/limits.ts';
import type { Topic } from '../../../models/contracts/realtime.ts';
import { env } from '../../../models/env.ts';
import { currentAccountId } from '../../../models/store/context.ts';
import { announce } from '../../../models/store/revisions.ts';
import { addMember, connectTestStore, giveTrial, nextNumber } from '../../factories/account.ts';
import { asUser, makeEdge } from '../../factories/edge.ts';

connectTestStore();

const PATH = '/sample/call';
afterEach(() => {
  for (const name of bound.keys()) if (name.includes(PATH)) bound.delete(name);
});

type Made = Parameters<typeof endpoint>[0];
type Handler = Parameters<typeof bind>[2];
const call = (it: Partial<Made> = {}): Endpoint =>
  endpoint({ method: 'post', path: PATH, summary: 'A sample', policy: 'public', ...it } as Made) as unknown as Endpoint;
/** A server with only this call, which returns its input unless the test says otherwise. */
const serve = (it: Endpoint, handler: Handler = () => ({ done: true }), options: Parameters<typeof bind>[3] = {}) =>
  makeEdge((router) => bind(router, it, handler, options));
const refusalOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

describe('a bound call', () => {
  test('passes the parsed address, query and body to its handler, and answers as JSON', async () => {
    const seen: object[] = [];
    const it = call({
      path: `${PATH}/:id`,
      params: z.object({ id: z.coerce.number() }),
      query: z.object({ page: z.coerce.number().default(1) }),
      body: z.object({ name: z.string().trim() }),
      status: 201,
    });
    const server = serve(it, ({ who, params, query, body }) => {
      seen.push({ who, params, query, body, accountId: currentAccountId() });
      return { made: 1 };
    });
    const answer = await server.post(`${PATH}/7?page=3`).send({ name: ' Ada ', other: 1 });
    expect([answer.status, answer.body, answer.headers['cache-control']]).toEqual([201, { made: 1 }, 'no-store']);
    expect(seen).toEqual([
      { who: null, params: { id: 7 }, query: { page: 3 }, body: { name: 'Ada' }, accountId: undefined },
    ]);
    expect(bound.get(`post ${PATH}/:id`)).toBe(it);
  });

  test('without a body gets an empty one, and answers 200 unless its contract says otherwise', async () => {
    const { status, body } = await serve(call(), ({ body: given }) => ({ given })).post(PATH);
    expect([status, body]).toEqual([200, { given: {} }]);
  });

  test('is not answered twice if its handler has answered', async () => {
    const { status, text, headers } = await serve(call(), ({ response }) => {
      response.status(202).type('text').send('here it is');
      return ANSWERED;
    }).post(PATH);
    expect([status, text, headers['cache-control']]).toEqual([202, 'here it is', undefined]);
  });

  test('fails if its answer does not match its contract', async () => {
    const it = call({ answer: z.object({ count: z.number() }) });
    expect(refusalOf(await serve(it, () => ({ count: 1 })).post(PATH))).toEqual([200, undefined]);
    expect(refusalOf(await serve(it, () => ({ count: 'one' })).post(PATH))).toEqual([500, 'internal']);
  });

  test('runs its middleware before its handler', async () => {
    const steps: string[] = [];
    const before: RequestHandler = (_request, _response, next) => {
      steps.push('before');
      next();
    };
    await serve(call(), () => void steps.push('handler'), { before: [before] }).post(PATH);
    expect(steps).toEqual(['before', 'handler']);
  });

  test.each([
    ['none', undefined, []],
    ['one', 'collaborate', ['collaborate']],
    ['several', ['upload', 'uploadAccount'], ['upload', 'uploadAccount']],
  ] as const)('counts towards the rates that it names: %s', async (_what, rate, names) => {
    const { headers } = await serve(call({ rate } as Partial<Made>)).post(PATH);
    const policies = [...String(headers['ratelimit-policy'] ?? '').matchAll(/q=(\d+); w=(\d+)/g)];
    expect(policies.map(([, limit, seconds]) => [Number(limit), Number(seconds)])).toEqual(
      names.map((name) => [RATES[name].limit * env.RATE_LIMIT_FACTOR, RATES[name].seconds]),
    );
    expect(headers).not.toHaveProperty('x-ratelimit-limit');
  });
});

describe('permission to call', () => {
  test.each([
    ['public', null, 200, undefined],
    ['signed-in', null, 401, 'not_signed_in'],
    ['signed-in', 'member', 200, undefined],
    ['owner', null, 401, 'not_signed_in'],
    ['owner', 'member', 403, 'not_allowed'],
    ['owner', 'owner', 200, undefined],
    ['admin', 'owner', 403, 'not_allowed'],
  ] as const)('for %s, by %s, gives %i', async (policy, role, status, code) => {
    const session = role ? await addMember([role]) : {};
    const done: string[] = [];
    const answer = await serve(call({ policy }), () => void done.push('done'))
      .post(PATH)
      .set(asUser(session));
    expect(refusalOf(answer)).toEqual([status, code]);
    expect(done).toHaveLength(status === 200 ? 1 : 0);
  });

  test('runs in the account of the caller', async () => {
    const session = await addMember(['member']);
    const { body } = await serve(call({ policy: 'signed-in' }), ({ who }) => ({ who, in: currentAccountId() }))
      .post(PATH)
      .set(asUser(session));
    expect(body).toMatchObject({ who: { ...session, roles: ['member'] }, in: session.accountId });
  });

  test('is refused to another person’s page, except for public calls', async () => {
    const [one, other] = [await addMember(), await addMember()];
    const ask = async (policy: 'public' | 'signed-in', shown: object) =>
      refusalOf(
        await serve(call({ policy }))
          .post(PATH)
          .set({ ...asUser(one), [PERSON_HEADER]: personKey(shown as never) }),
      );
    expect(await ask('signed-in', one)).toEqual([200, undefined]);
    expect(await ask('signed-in', other)).toEqual([412, 'other_person']);
    expect(await ask('public', other)).toEqual([200, undefined]);
  });

  test('for new work needs a trial or a plan; existing data can still be read', async () => {
    const session = await addMember();
    const ask = async (it: Partial<Made>, by: object = session) =>
      refusalOf(await serve(call(it)).post(PATH).set(asUser(by)));
    expect(await ask({ policy: 'signed-in', startsWork: true })).toEqual([402, 'trial_over']);
    expect(await ask({ policy: 'signed-in' })).toEqual([200, undefined]);
    expect(await ask({ policy: 'public', startsWork: true }, {})).toEqual([200, undefined]);
    await giveTrial(session.accountId);
    expect(await ask({ policy: 'signed-in', startsWork: true })).toEqual([200, undefined]);
  });
});

describe('a polled call', () => {
  const topics: Topic[] = ['chat', 'interrupts'];
  const get = (policy: 'public' | 'signed-in' = 'signed-in') => {
    const answers: number[] = [];
    const server = serve(call({ method: 'get', policy }), () => ({ count: answers.push(1) }), { topics });
    const ask = (by: object, tag?: string) =>
      server.get(PATH).set({ ...asUser(by), ...(tag ? { 'If-None-Match': tag } : {}) });
    return { ask, answers };
  };

  test('is answered 304, without running, while none of its topics has changed for the caller', async () => {
    const one = await addMember();
    const colleague = await addMember(['member'], { accountId: one.accountId });
    const { ask, answers } = get();
    const first = await ask(one);
    const tag = String(first.headers.etag);
    expect([first.status, first.headers['cache-control'], tag]).toEqual([
      200,
      'private, no-cache',
      expect.stringMatching(/^".+"$/),
    ]);
    const again = await ask(one, tag);
    expect([again.status, again.headers.etag, again.headers['cache-control'], answers.length]).toEqual([
      304,
      tag,
      'private, no-cache',
      1,
    ]);
    expect((await ask(colleague, tag)).status).toBe(200);
    announce(one.accountId, ['automation']);
    announce(nextNumber(), ['chat']);
    expect((await ask(one, tag)).status).toBe(304);
    announce(one.accountId, ['interrupts']);
    const changed = await ask(one, tag);
    expect([changed.status, changed.headers.etag === tag]).toEqual([200, false]);
  });

  test('is recognised by its address before anything else happens', () => {
    serve(call({ method: 'get', path: `${PATH}/known`, policy: 'signed-in' }), undefined, { topics });
    serve(call({ method: 'get', path: `${PATH}/other`, policy: 'signed-in' }));
    const isLookedAt = (path: string) => {
      let looked = false;
      const request = { method: 'GET', path, headers: { 'if-none-match': '"t"' } };
      answerUnchanged(() => {
        looked = true;
      })(request as never, {} as never, () => undefined);
      return looked;
    };
    expect([isLookedAt(`${PATH}/known`), isLookedAt(`${PATH}/other`)]).toEqual([true, false]);
  });

  test('has no tag for signed-out callers, and none on a refusal', async () => {
    expect((await get('public').ask({})).headers.etag).toBeUndefined();
    const refused = await get().ask({});
    expect([refused.status, refused.headers.etag, refused.headers['cache-control']]).toEqual([
      401,
      undefined,
      'no-store',
    ]);
  });
});

describe('characters that can’t be stored', () => {
  const it = () =>
    serve(
      call({
        path: `${PATH}/:name`,
        params: z.object({ name: z.string() }),
        query: z.looseObject({}),
        body: z.looseObject({}),
      }),
    );
  test.each([
    ['the address', `${PATH}/a%00b`, {}],
    ['the query', `${PATH}/a?q=a%00b`, {}],
    ['the body', `${PATH}/a`, { text: 'a\0b' }],
  ])('are refused in %s', async (_where, address, body) => {
    const { status, body: answer } = await it().post(address).send(body);
    expect([status, answer.code, answer.fields?.body]).toEqual([
      400,
      'bad_request',
      expect.stringMatching(/^This holds characters that can’t be stored/),
    ]);
    expect(refusalOf(await it().post(`${PATH}/a?q=b`).send({ text: 'c' }))).toEqual([200, undefined]);
  });
});

describe('an invalid field', () => {
  const text = (length: number) => 'x'.repeat(length);
  test.each<[string, z.ZodType, unknown, string]>([
    ['is missing', z.string(), undefined, 'This is missing or has the wrong type.'],
    ['is of another type', z.number(), 'seven', 'This is missing or has the wrong type.'],
    ['is none of the choices', z.enum(['a', 'b']), 'c', 'This is not one of the options.'],
    ['is a text too long', z.string().max(8000), text(8001), 'At most 8,000 characters.'],
    ['is a text longer than one character', z.string().max(1), 'xx', 'At most 1 character.'],
    ['is a text too short', z.string().min(10), 'x', 'At least 10 characters.'],
    ['is an empty text', z.string().min(1), '', 'At least 1 character.'],
    ['is a list too long', z.array(z.number()).max(2), [1, 2, 3], 'At most 2 entries.'],
    ['is a list longer than one', z.array(z.number()).max(1), [1, 2], 'At most 1 entry.'],
    ['is a list too short', z.array(z.number()).min(2), [1], 'At least 2 entries.'],
    ['is an empty list', z.array(z.number()).min(1), [], 'At least 1 entry.'],
    ['is a number too large', z.number().max(5), 6, 'At most 5.'],
    ['is a number at an excluded bound', z.number().lt(5), 5, 'Less than 5.'],
    ['is a number too small', z.number().min(5), 4, 'At least 5.'],
    ['is a number that must be more', z.number().positive(), 0, 'More than 0.'],
    ['is of another form', z.email(), 'nobody', 'This does not have the expected format.'],
    ['is not a multiple', z.number().multipleOf(5), 4, 'This is not valid.'],
    ['has unknown fields', z.strictObject({}), { a: 1 }, 'This is not valid.'],
    ['is refused in the contract’s own words', z.email('Please enter an email.'), 'nobody', 'Please enter an email.'],
    ['is refused in words that hold one of Zod’s', z.string().max(1, 'It is Too big'), 'xx', 'It is Too big'],
  ])('is reported with what is expected if it %s', async (_what, shape, value, says) => {
    const it = call({ body: z.object({ field: shape }) });
    const { status, body } = await serve(it).post(PATH).send({ field: value });
    expect([status, body.code, body.fields]).toEqual([400, 'bad_request', { field: says }]);
  });

  test('is named by its path with its first error, beside others', async () => {
    const body = z.object({
      rows: z.array(z.object({ id: z.string() })),
      name: z.string().min(3, 'Too few letters').regex(/\d/, 'No digit'),
    });
    const answer = await serve(call({ body }))
      .post(PATH)
      .send({ rows: [{ id: 'a' }, { id: 7 }], name: 'x' });
    expect(answer.body.fields).toEqual({
      'rows.1.id': 'This is missing or has the wrong type.',
      name: 'Too few letters',
    });
    const odd = await serve(call({ body: z.array(z.number()) }))
      .post(PATH)
      .send({ no: 'list' });
    expect(odd.body.fields).toEqual({ body: 'This is missing or has the wrong type.' });
  });

  test('may be in the address and in the query', async () => {
    const it = call({ path: `${PATH}/:id`, params: z.object({ id: z.coerce.number().int().positive() }) });
    expect((await serve(it).post(`${PATH}/0`)).body.fields).toEqual({ id: 'More than 0.' });
    const paged = call({ query: z.object({ page: z.enum(['1', '2']) }) });
    expect((await serve(paged).post(`${PATH}?page=3`)).body.fields).toEqual({
      page: 'This is not one of the options.',
    });
  });
});
