import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';

// A deployment on the internet: its own host is no place to call, except where the deployment says so.
process.env.BASE_URL = 'https://arc.example.org';
const { makeClient } = await import('../../../bot/engine/connectors/client.ts');
const { thingsCard } = await import('../../factories/madeUpConnector.ts');

type Answer = { status: number; headers?: Record<string, string>; body?: string };
let url = '';
let inside = '';
let answers: Answer[] = [];
const asked: IncomingMessage[] = [];
const askedInside: IncomingMessage[] = [];
const serve = (into: IncomingMessage[], next: () => Answer) =>
  createServer((request, response) => {
    into.push(request);
    request.resume();
    const { status, headers = {}, body = '' } = next();
    response.writeHead(status, headers);
    response.end(body);
  });
const provider = serve(asked, () => answers.shift() ?? { status: 200, body: '{"ok":true}' });
const other = serve(askedInside, () => ({ status: 200, body: 'a secret of the network' }));
const listen = (server: typeof provider) =>
  new Promise<string>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  );
beforeAll(async () => {
  url = await listen(provider);
  inside = await listen(other);
});
afterAll(() => {
  for (const server of [provider, other]) {
    server.close();
    server.closeAllConnections();
  }
});
beforeEach(() => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  answers = [];
  asked.length = 0;
  askedInside.length = 0;
});
afterEach(() => {
  jest.restoreAllMocks();
});

const ITEMS = 'https://api.things.example/items?q=a';
const make = (baseUrl = url) =>
  makeClient({
    card: thingsCard,
    settings: () => ({ clientId: 'arc', clientSecret: 'shh', baseUrl }),
    endpoints: { authorize: 'https://things.example/authorize', token: 'https://api.things.example/token' },
  }).sendWith('the-token');
const times = (count: number, answer: Answer) => Array.from({ length: count }, () => answer);

describe('a call to a provider', () => {
  test('takes its path and query to the origin that the deployment has set', async () => {
    expect(await (await make()(ITEMS)).json()).toEqual({ ok: true });
    expect(asked.map(({ url: path, headers }) => [path, headers.authorization])).toEqual([
      ['/items?q=a', 'Bearer the-token'],
    ]);
  });

  test('is tried three times where the provider has a fault or a limit', async () => {
    answers = [{ status: 503 }, { status: 429, headers: { 'retry-after': '0' } }];
    expect((await make()(ITEMS)).status).toBe(200);
    expect(asked).toHaveLength(3);
    answers = times(3, { status: 500 });
    await expect(make()(ITEMS)).rejects.toMatchObject({ kind: 'unavailable', message: 'it answers 500' });
    expect(asked).toHaveLength(6);
  });

  test('is not repeated where it writes, unless a limit kept it from being done', async () => {
    answers = [{ status: 500 }];
    const write = { method: 'POST', body: '{}' };
    await expect(make()(ITEMS, write)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(asked).toHaveLength(1);
    answers = [{ status: 429 }, { status: 201 }];
    expect((await make()(ITEMS, write)).status).toBe(201);
    answers = [{ status: 500 }];
    expect((await make()(ITEMS, { ...write, isRead: true })).status).toBe(200);
  });

  test.each([
    ['retry-after', '0'],
    ['x-ratelimit-remaining', '0'],
  ])('takes a 403 with %s: %s for a limit; any other is the caller’s', async (name, value) => {
    answers = [{ status: 403, headers: { [name]: value } }];
    expect((await make()(ITEMS)).status).toBe(200);
    answers = [{ status: 403, headers: { 'x-ratelimit-remaining': '1' } }];
    expect((await make()(ITEMS)).status).toBe(403);
  });

  test('comes back at once while the provider is down', async () => {
    const send = make();
    answers = times(15, { status: 502 });
    for (let call = 0; call < 5; call += 1) await expect(send(ITEMS)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(asked).toHaveLength(15);
    await expect(send(ITEMS)).rejects.toMatchObject({ message: 'it did not answer a moment ago' });
    expect(asked).toHaveLength(15);
  });

  test('ends when whoever asked has left', async () => {
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(make()(ITEMS, { signal })).rejects.toThrow();
    expect(asked).toHaveLength(0);
  });
});

describe('a token never leaves the provider, and no call goes inside', () => {
  test.each([
    'https://things.example.evil.test/items',
    'http://api.things.example/items',
    'https://169.254.169.254/latest/meta-data',
  ])('the address %s is refused', async (address) => {
    await expect(make('')(address)).rejects.toMatchObject({ kind: 'refused' });
  });

  test('a provider’s name that leads into the network is refused', async () => {
    const client = makeClient({
      card: thingsCard,
      settings: () => ({ clientId: 'arc', clientSecret: 'shh', baseUrl: '' }),
      endpoints: { authorize: 'https://localhost/authorize', token: 'https://localhost/token' },
    });
    const { port } = new URL(inside);
    await expect(client.sendWith('the-token')(`https://localhost:${port}/`)).rejects.toMatchObject({ kind: 'refused' });
    expect(askedInside).toHaveLength(0);
  });

  test('a redirect within the provider is followed with the token', async () => {
    answers = [{ status: 301, headers: { location: '/renamed' } }];
    expect((await make()(ITEMS)).status).toBe(200);
    expect(asked.map(({ url: path, headers }) => [path, headers.authorization])).toEqual([
      ['/items?q=a', 'Bearer the-token'],
      ['/renamed', 'Bearer the-token'],
    ]);
  });

  test.each([
    ['https://files.things.example/renamed', 'Bearer the-token'],
    ['https://store.elsewhere.example/signed', undefined],
  ])('a redirect to %s is followed with the token only where the provider is', async (location, authorization) => {
    answers = [{ status: 302, headers: { location } }];
    const client = makeClient(
      {
        card: thingsCard,
        settings: () => ({ clientId: 'arc', clientSecret: 'shh', baseUrl: '' }),
        endpoints: { authorize: 'https://things.example/authorize', token: 'https://api.things.example/token' },
        hosts: ['.things.example'],
      },
      // Public names lead to this test's own server.
      (address, init) => fetch(new URL(new URL(address).pathname, url), init),
    );
    expect((await client.sendWith('the-token')(ITEMS)).status).toBe(200);
    expect(asked.map(({ url: path, headers }) => [path, headers.authorization])).toEqual([
      ['/items', 'Bearer the-token'],
      [new URL(location).pathname, authorization],
    ]);
  });

  test('a redirect into the network is refused, and so is a fourth one, and one of a write', async () => {
    answers = [{ status: 302, headers: { location: `${inside}/secrets` } }];
    await expect(make()(ITEMS)).rejects.toMatchObject({ kind: 'refused' });
    expect(askedInside).toHaveLength(0);
    answers = times(4, { status: 302, headers: { location: '/again' } });
    await expect(make()(ITEMS)).rejects.toMatchObject({ kind: 'refused' });
    answers = [{ status: 302, headers: { location: '/again' } }];
    await expect(make()(ITEMS, { method: 'POST', body: '{}' })).rejects.toMatchObject({ kind: 'refused' });
  });
});
