import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { createApp } from '../../api/app.ts';
import { AGENTS } from '../../models/contracts/catalogue.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-pages-'));
let pages: ReturnType<typeof supertest>;

beforeAll(() => {
  mkdirSync(join(directory, 'assets'));
  const script = 'console.log("x")'.repeat(200);
  writeFileSync(join(directory, 'index.html'), '<!doctype html><title>Arc</title>');
  writeFileSync(join(directory, 'assets/a-1.js'), script);
  writeFileSync(join(directory, 'assets/a-1.js.br'), brotliCompressSync(script));
  writeFileSync(join(directory, 'assets/a-1.js.gz'), gzipSync(script));
  writeFileSync(join(directory, 'assets/plain.js'), 'plain');
  writeFileSync(join(directory, 'assets/one-twin.js'), script);
  writeFileSync(join(directory, 'assets/one-twin.js.gz'), gzipSync(script));
  writeFileSync(join(directory, 'assets/picture.png.br'), brotliCompressSync('no picture'));
  cpSync('web/public', directory, { recursive: true });
  pages = supertest(createApp({ session: (_request, _response, next) => next(), webDirectory: directory }));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('the pages', () => {
  /** @shows S1-2.1 */
  test('answer every address of theirs with the page, never cached', async () => {
    const { text, headers } = await pages.get('/workspace?agent=1').set('Accept', 'text/html').expect(200);
    expect(text).toContain('<title>Arc</title>');
    expect(headers['cache-control']).toBe('no-cache');
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
  ])('serve a script for “%s” as %s, for ever', async (accepted, encoding) => {
    const { headers, text } = await pages.get('/assets/a-1.js').set('Accept-Encoding', accepted);
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers['content-type']).toContain('text/javascript');
    expect(headers['cache-control']).toContain('immutable');
    expect(headers.vary).toContain('Accept-Encoding');
    if (encoding !== 'br') expect(text).toContain('console.log');
    // What only documents heed is left to them.
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toBeUndefined();
  });

  test('send a file without a compressed version as it is, and 404 for a missing one', async () => {
    const plain = await pages.get('/assets/plain.js').set('Accept-Encoding', 'br').expect(200, 'plain');
    // A cache must not send this answer to clients that accept less.
    expect(plain.headers.vary).toContain('Accept-Encoding');
    const gzipped = await pages.get('/assets/one-twin.js').set('Accept-Encoding', 'br, gzip').expect(200);
    expect(gzipped.headers['content-encoding']).toBe('gzip');
    await pages.get('/assets/picture.png').set('Accept-Encoding', 'br').expect(404);
    await pages.get('/assets/old-build.js').set('Accept', '*/*').expect(404);
    await pages.get('/assets/..%2findex.html').expect(404);
  });

  test.each(AGENTS.map(({ id }) => id))('have the picture of %s at the address given to platforms', async (id) => {
    const { body, headers } = await pages.get(`/agents/${id}.png`).expect(200);
    expect(headers['content-type']).toBe('image/png');
    expect((body as Buffer).subarray(1, 4).toString()).toBe('PNG');
  });

  test('say what a browser may load and who may frame them', async () => {
    for (const path of ['/', '/workspace', '/arc.svg', '/api/auth/status', '/assets/picture.png'])
      expect((await pages.get(path).set('Accept', 'text/html')).headers['content-security-policy']).toContain(
        "default-src 'self'",
      );
    const { headers } = await pages.get('/').set('Accept', 'text/html');
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });
});
