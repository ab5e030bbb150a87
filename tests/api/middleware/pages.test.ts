import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import express from 'express';
import supertest from 'supertest';
import { allowFrames } from '../../../api/middleware/frame.ts';
import { sendPrecompressed } from '../../../api/middleware/precompressed.ts';
import { logRequests } from '../../../api/middleware/requestLog.ts';
import { channels } from '../../../bot/channels/index.ts';
import { makeLogger } from '../../../models/logger.ts';

describe('framing', () => {
  const POLICY = "default-src 'self';frame-ancestors 'none';object-src 'none'";
  const page = (path: string, policy?: string) => {
    const app = express();
    app.use((_request, response, next) => {
      response.set('X-Frame-Options', 'SAMEORIGIN');
      if (policy) response.set('Content-Security-Policy', policy);
      next();
    });
    app.use(allowFrames(channels.flatMap(({ frame = [] }) => frame)));
    app.use((_request, response) => void response.send('page'));
    return supertest(app).get(path);
  };

  test('is allowed to Teams only for the inbox tab, which sends no referrer', async () => {
    const { headers } = await page('/teams-tab', POLICY);
    expect(headers['content-security-policy']).toBe(
      "default-src 'self';frame-ancestors https://teams.microsoft.com https://*.teams.microsoft.com " +
        "https://teams.cloud.microsoft https://*.teams.cloud.microsoft;object-src 'none'",
    );
    expect(headers).not.toHaveProperty('x-frame-options');
    expect((await page('/teams-tab')).headers['content-security-policy']).toBe('');
  });

  test.each(['/', '/inbox', '/teams-tab/more'])('is refused for any other page: %s', async (path) => {
    const { headers } = await page(path, POLICY);
    expect([headers['content-security-policy'], headers['x-frame-options']]).toEqual([POLICY, 'SAMEORIGIN']);
  });
});

describe('a file of the build', () => {
  const directory = mkdtempSync(join(tmpdir(), 'arc-assets-'));
  const FILES = ['app.js', 'old.css', 'odd name.js', 'font.woff', 'sub/part.js', 'alone.svg'];
  const TWINS = { '.br': brotliCompressSync('same'), '.gz': gzipSync('same') };
  let requested: string[] = [];
  const app = express();
  app.use(sendPrecompressed(directory), (request, _response, next) => {
    requested.push(request.url);
    next();
  });
  app.use(express.static(directory));
  beforeAll(() => {
    mkdirSync(join(directory, 'sub'));
    for (const name of FILES) {
      writeFileSync(join(directory, name), 'same');
      if (name === 'alone.svg') continue;
      for (const [ending, bytes] of Object.entries(TWINS)) writeFileSync(join(directory, name + ending), bytes);
    }
    rmSync(join(directory, 'old.css.br'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));
  /** How a file is sent: its compression, its type, and the file read from disk. */
  const ask = async (path: string, accepts: string) => {
    requested = [];
    const answer = await supertest(app).get(path).set('Accept-Encoding', accepts);
    const { 'content-encoding': encoding, 'content-type': type, vary } = answer.headers;
    return { status: answer.status, encoding, type, vary, file: requested[0] };
  };

  test.each([
    ['/app.js', 'gzip, deflate, br', 'br', 'text/javascript; charset=utf-8', '/app.js.br'],
    ['/app.js', 'gzip', 'gzip', 'text/javascript; charset=utf-8', '/app.js.gz'],
    ['/app.js?v=1', 'br', 'br', 'text/javascript; charset=utf-8', '/app.js.br?v=1'],
    ['/old.css', 'gzip, br', 'gzip', 'text/css; charset=utf-8', '/old.css.gz'],
    ['/sub/part.js', 'br', 'br', 'text/javascript; charset=utf-8', '/sub/part.js.br'],
    ['/app.js', 'identity', undefined, 'text/javascript; charset=utf-8', '/app.js'],
    ['/app.js', 'deflate', undefined, 'text/javascript; charset=utf-8', '/app.js'],
    ['/alone.svg', 'br, gzip', undefined, 'image/svg+xml', '/alone.svg'],
  ])('%s for clients that accept %s', async (path, accepts, encoding, type, file) => {
    for (const _again of [0, 1])
      expect(await ask(path, accepts)).toEqual({ status: 200, encoding, type, vary: 'Accept-Encoding', file });
  });

  test.each([
    ['of another type', '/font.woff'],
    ['with odd characters', '/odd%20name.js'],
    ['without an ending', '/app'],
    ['above the folder', '/sub/..%2fapp.js'],
    ['above the folder, plainly', '/sub/../../app.js'],
  ])('is left to the static file handler if it is %s', async (_what, path) => {
    expect(await ask(path, 'br')).toMatchObject({ encoding: undefined, vary: undefined });
  });

  test('is looked for only inside the build’s folder', async () => {
    const asked = { path: '/../app.js', url: '/../app.js', acceptsEncodings: () => 'br' };
    const response = { vary: () => expect(true).toBe(false), set: () => undefined };
    await new Promise((next) => void sendPrecompressed(directory)(asked as never, response as never, next));
    expect(asked.url).toBe('/../app.js');
  });
});

describe('the log of calls', () => {
  type Line = { level: number; req?: object; res?: object; err?: object };
  const lines: Line[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const app = express();
  app.use(logRequests(makeLogger('debug', stream)));
  app.use((request, response) => {
    const status = Number(request.query.status ?? 200);
    if (request.query.fault) response.emit('error', new Error('lost'));
    response.status(status).set('Set-Cookie', 'secret=1').send('x');
  });
  const logged = async (path: string) => {
    lines.length = 0;
    await supertest(app).get(path).set({ Cookie: 'secret=1', Authorization: 'Bearer secret' });
    return [...lines];
  };

  test.each([
    [200, 20],
    [304, 20],
    [399, 20],
    [400, 30],
    [499, 30],
    [500, 50],
    [503, 50],
  ])('logs an answer of %i at level %i', async (status, level) => {
    expect((await logged(`/api/thing?status=${status}`)).map((line) => line.level)).toEqual([level]);
  });

  test('logs a call whose answer broke off as an error', async () => {
    expect((await logged('/api/thing?fault=1')).map((line) => line.level)).toEqual([50]);
  });

  test('contains the call without secrets, and no headers', async () => {
    const [line] = await logged('/api/thing?code=123456');
    expect(line?.req).toEqual({ id: expect.anything(), method: 'GET', url: '/api/thing?code=[redacted]' });
    expect(line?.res).toEqual({ statusCode: 200 });
    expect(JSON.stringify(line)).not.toMatch(/secret|123456/);
  });

  test('leaves out requests that are not calls', async () => {
    expect(await logged('/inbox')).toEqual([]);
    expect(await logged('/assets/api')).toEqual([]);
  });
});
