import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { MulterError } from 'multer';
import supertest from 'supertest';
import { deviceOf, rememberDevice } from '../../../api/middleware/device.ts';
import { answerErrors, wantsPage } from '../../../api/middleware/errors.ts';
import { requireOperator } from '../../../api/middleware/operator.ts';
import { isSameOrigin, refuseCrossSite } from '../../../api/middleware/origin.ts';
import { countChat } from '../../../api/middleware/rate.ts';
import { endSession, whoIs, whoIsStill } from '../../../api/middleware/session.ts';
import { answerUnchanged, notePolled } from '../../../api/middleware/unchanged.ts';
import { uploadedFile } from '../../../api/middleware/upload.ts';
import { AppError, type ErrorCode } from '../../../models/contracts/errors.ts';
import { RATES } from '../../../models/contracts/limits.ts';
import { baseUrl, env } from '../../../models/env.ts';
import { logger } from '../../../models/logger.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/** The outcome of a request in a handler: the error that it throws or passes on, or that it continued. */
function askedOf(handler: RequestHandler, request: object): ErrorCode | 'through' {
  let passed: unknown = 'kept';
  try {
    handler(request as Request, {} as Response, (fault?: unknown) => {
      passed = fault ?? 'through';
    });
  } catch (error) {
    passed = error;
  }
  return passed instanceof AppError ? passed.code : (passed as 'through');
}

describe('errors in requests', () => {
  const answerTo = (fault: unknown) => {
    const app = express();
    app.all('/', () => {
      throw fault;
    });
    app.use(answerErrors);
    return supertest(app);
  };
  const withStatus = (status: number) => Object.assign(new Error('of a library'), { status });

  test.each<[string, unknown, number, ErrorCode]>([
    ['an address that can’t be decoded', new URIError('malformed'), 400, 'bad_request'],
    ['a library’s 400', withStatus(400), 400, 'bad_request'],
    ['a library’s 499', withStatus(499), 400, 'bad_request'],
    ['a library’s 399', withStatus(399), 500, 'internal'],
    ['a library’s 500', withStatus(500), 500, 'internal'],
    ['JSON that is none', Object.assign(withStatus(400), { type: 'entity.parse.failed' }), 400, 'bad_request'],
    ['a body that is too large', Object.assign(withStatus(413), { type: 'entity.too.large' }), 413, 'body_too_large'],
    ['a file that is too large', new MulterError('LIMIT_FILE_SIZE'), 413, 'too_large'],
    ['a second file', new MulterError('LIMIT_FILE_COUNT'), 400, 'several_files'],
    ['a file in another field', new MulterError('LIMIT_UNEXPECTED_FILE'), 400, 'several_files'],
    ['an upload with too many fields', new MulterError('LIMIT_FIELD_COUNT'), 400, 'no_file'],
    ['one of the registry', new AppError('conflict'), 409, 'conflict'],
  ])('%s', async (_what, fault, status, code) => {
    const answer = await answerTo(fault).get('/').set('ETag', 'x');
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('are logged only if they are ours', async () => {
    const error = jest.spyOn(logger, 'error').mockReturnValue(undefined);
    for (const fault of [withStatus(499), new AppError('conflict'), new AppError('not_found')])
      await answerTo(fault).get('/');
    expect(error).not.toHaveBeenCalled();
    await answerTo(withStatus(500)).get('/');
    await answerTo(new AppError('store_unavailable')).get('/');
    expect(error).toHaveBeenCalledTimes(2);
  });

  test('after the head of an answer was sent end the connection', async () => {
    const app = express();
    app.get('/', (_request, response) => {
      response.writeHead(200);
      response.write('begun');
      throw new AppError('conflict');
    });
    app.use(answerErrors);
    await expect(supertest(app).get('/')).rejects.toThrow('aborted');
  });

  test('are shown as a page only for a followed link', async () => {
    const asks = (method: string, best: string | false) => wantsPage({ method, accepts: () => best } as never);
    expect([asks('GET', 'html'), asks('GET', 'json'), asks('GET', false), asks('POST', 'html')]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    const page = answerTo(new AppError('not_found'));
    expect((await page.get('/').set('Accept', 'text/html')).type).toBe('text/html');
    expect((await page.post('/').set('Accept', 'text/html')).type).toBe('application/json');
    expect((await page.get('/').set('Accept', '*/*')).type).toBe('application/json');
  });
});

describe('the operator of the server', () => {
  const from = (remoteAddress: string | undefined, headers: Record<string, string> = {}) => ({
    socket: { remoteAddress },
    get: (name: string) => headers[name],
  });

  test.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])('calls from %s, this very host', (address) => {
    expect(askedOf(requireOperator, from(address))).toBe('through');
  });

  test.each(['10.0.0.1', '::ffff:10.0.0.1', '127.0.0.1.example', '', undefined])('does not call from %s', (address) => {
    expect(askedOf(requireOperator, from(address))).toBe('not_found');
  });

  test.each(['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'])('does not call through a proxy: %s', (name) => {
    expect(askedOf(requireOperator, from('127.0.0.1', { [name]: 'x' }))).toBe('not_found');
  });
});

describe('the origin of a request', () => {
  const own = new URL(baseUrl()).origin;

  test.each<[boolean, Record<string, string>]>([
    [true, {}],
    [true, { 'sec-fetch-site': 'same-origin' }],
    [true, { 'sec-fetch-site': 'none' }],
    [false, { 'sec-fetch-site': 'same-site' }],
    [false, { 'sec-fetch-site': 'cross-site', origin: own }],
    [true, { origin: own, host: 'elsewhere.example' }],
    [true, { origin: 'https://arc.example', host: 'arc.example' }],
    [false, { origin: 'https://evil.example', host: 'arc.example' }],
    [false, { origin: 'https://evil.example', host: 'arc.example', 'sec-fetch-site': 'same-origin' }],
    [false, { origin: 'null', host: 'arc.example' }],
  ])('is our own page (%s) with %j', (is, headers) => {
    expect(isSameOrigin({ headers })).toBe(is);
  });

  test('matters only for calls that change state', () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const asked = (method: string) => askedOf(refuseCrossSite, { method, headers });
    expect(['GET', 'HEAD', 'OPTIONS'].map(asked)).toEqual(['through', 'through', 'through']);
    expect(['POST', 'PUT', 'PATCH', 'DELETE'].map(asked)).toEqual(Array(4).fill('cross_site'));
    expect(askedOf(refuseCrossSite, { method: 'POST', headers: {} })).toBe('through');
  });
});

describe('the device cookie', () => {
  const email = 'ada@example.org';
  type Cookie = { name: string; value: string; options: object };
  /** The cookie that a browser with these cookies is given. */
  function mark(of: string, cookie?: string): Cookie {
    const given: Cookie[] = [];
    const res = { cookie: (name: string, value: string, options: object) => given.push({ name, value, options }) };
    rememberDevice({ headers: { cookie }, res } as never, of);
    return given[0] as Cookie;
  }
  const sent = (...cookies: Cookie[]) => cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const known = (cookie: string | undefined, of = email) => deviceOf({ headers: { cookie } }, of);

  test('lasts 180 days, is sent only for signing in, and can’t be read by scripts', () => {
    expect(mark(email).options).toEqual({
      httpOnly: true,
      sameSite: 'lax',
      secure: false,
      maxAge: 180 * 24 * 60 * 60 * 1000,
      path: '/api/login',
    });
  });

  test('is found among other cookies, belongs to one e-mail, and keeps the browser’s id', () => {
    const [ada, ben] = [mark(email), mark('ben@example.org')];
    expect(ada.name).toMatch(/^arc\.device\.[\w-]{12}$/);
    const name = known(sent(ada));
    expect(name).toMatch(/^[\w-]{22}$/);
    expect(known(`a=1;${sent(ben, ada)}`)).toBe(name);
    expect(known(sent(ada), 'ben@example.org')).toBeNull();
    expect(known(sent({ ...ada, name: ben.name }), 'ben@example.org')).toBeNull();
    expect(known(sent(mark(email, sent(ada))))).toBe(name);
    expect(known(sent(mark(email)))).not.toBe(name);
    expect(known(undefined)).toBeNull();
  });

  test('is ignored if forged, in any form', () => {
    const ada = mark(email);
    const [device, signature = ''] = ada.value.split('.');
    const forged = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
    for (const value of [`${device}.${forged}`, `${device}.`, `${device}`, `x${device}.${signature}`, ''])
      expect(known(sent({ ...ada, value }))).toBeNull();
  });
});

describe('the chat rate', () => {
  test('says how long to wait, in whole seconds rounded up', async () => {
    const who = { userId: -randomBytes(4).readUInt32BE(), accountId: -randomBytes(4).readUInt32BE() };
    const limit = RATES.chat.limit * env.RATE_LIMIT_FACTOR;
    const start = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
    for (let time = 0; time < limit; time += 1) await countChat(who);
    const waitAt = (milliseconds: number) => {
      clock.mockReturnValue(start + milliseconds);
      return countChat(who).catch((error: AppError) => error.values.seconds);
    };
    expect(await waitAt(0)).toBe(60);
    expect(await waitAt(20_000)).toBe(40);
    expect(await waitAt(20_001)).toBe(40);
    expect(await waitAt(59_999)).toBe(1);
    expect(await waitAt(60_000)).toBeUndefined();
  });
});

describe('a poll', () => {
  const topics = ['chat' as const];
  beforeAll(() => {
    notePolled({ method: 'get', path: '/sample/:id/polled', policy: 'signed-in' } as never, topics);
    notePolled({ method: 'get', path: '/sample/exact', policy: 'signed-in' } as never, topics);
    notePolled({ method: 'post', path: '/sample/written', policy: 'signed-in' } as never, topics);
  });

  /** Whether a call's session is read at all; only repeated polls are answered before that. */
  const isLookedAt = (method: string, path: string, tag: string | undefined = '"t"') => {
    let looked = false;
    const session: RequestHandler = () => {
      looked = true;
    };
    answerUnchanged(session)({ method, path, headers: { 'if-none-match': tag } } as never, {} as Response, () => {});
    return looked;
  };

  test('is distinguished from every other call', () => {
    expect(isLookedAt('GET', '/sample/7/polled')).toBe(true);
    expect(isLookedAt('GET', '/sample/exact')).toBe(true);
    for (const path of ['/sample//polled', '/sample/7/other', '/sample/7', '/sample/7/polled/more', '/sample/written'])
      expect({ path, looked: isLookedAt('GET', path) }).toEqual({ path, looked: false });
    expect(isLookedAt('POST', '/sample/exact')).toBe(false);
    expect(isLookedAt('GET', '/sample/exact', '')).toBe(false);
  });

  test('whose session can’t be read fails with the cause', async () => {
    const lost = new Error('the store is lost');
    const session: RequestHandler = (_request, _response, next) => next(lost);
    const request = { method: 'GET', path: '/sample/exact', headers: { 'if-none-match': '"t"' } };
    const passed = await new Promise((done) => answerUnchanged(session)(request as never, {} as Response, done));
    expect(passed).toBe(lost);
  });
});

describe('a session that can’t be written or read', () => {
  const fault = new Error('the store is lost');
  const nobody = { headers: {}, sessionID: 's' };

  test('does not count as ended', async () => {
    const session = { destroy: (done: (error?: Error) => void) => done(fault) };
    await expect(endSession({ session } as never)).rejects.toBe(fault);
  });

  test('counts as nobody’s, without hiding the error', async () => {
    const stored = (error: Error | null, data?: object) => ({
      ...nobody,
      sessionStore: { get: (_id: string, done: (error: Error | null, data?: object) => void) => done(error, data) },
    });
    await expect(whoIsStill(stored(fault))).rejects.toBe(fault);
    expect(await whoIsStill(stored(null))).toBeNull();
    expect(await whoIsStill(stored(null, { userId: 1 }))).toBeNull();
    expect(await whoIsStill(stored(null, { accountId: 1 }))).toBeNull();
    for (const session of [undefined, {}, { userId: 1 }, { accountId: 1 }])
      expect(await whoIs({ ...nobody, session })).toBeNull();
  });
});

test('the name of an upload is decoded as UTF-8 if it is valid, and otherwise kept as sent', () => {
  const nameOf = (originalname: string) => uploadedFile({ originalname, buffer: Buffer.from('x') } as never).fileName;
  expect(nameOf(Buffer.from('Übergabe.csv').toString('latin1'))).toBe('Übergabe.csv');
  expect(nameOf('Übergabe.csv')).toBe('Übergabe.csv');
  expect(() => uploadedFile(undefined)).toThrow(new AppError('no_file').message);
});
