import { describe, expect, test } from '@jest/globals';
import express from 'express';
import supertest from 'supertest';
import { sendCompressed } from '../../../api/middleware/compressed.ts';

const LONG = JSON.stringify({ words: 'hazard log '.repeat(200) });

const answer = (text: string | Buffer, accepted: string) => {
  const app = express();
  app.get('/', (request, response) => sendCompressed(request, response.status(201).type('json'), text));
  return supertest(app).get('/').set('Accept-Encoding', accepted);
};

describe('an answer', () => {
  test.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
  ])('goes to a caller that accepts “%s” as %s, and is the same', async (accepted, encoding) => {
    for (const text of [LONG, Buffer.from(LONG)]) {
      const { status, headers, body } = await answer(text, accepted);
      expect(status).toBe(201);
      expect(headers['content-encoding']).toBe(encoding);
      expect(headers['content-type']).toContain('application/json');
      expect(headers.vary).toContain('Accept-Encoding');
      expect(body).toEqual(JSON.parse(LONG));
      if (encoding) expect(Number(headers['content-length'])).toBeLessThan(LONG.length / 4);
    }
  });

  test.each([
    [1199, undefined],
    [1200, 'br'],
  ])('of %i bytes goes as %s', async (bytes, encoding) => {
    const { headers, text } = await answer(`"${'é'.repeat(4)}${'a'.repeat(bytes - 10)}"`, 'br');
    expect(headers['content-encoding']).toBe(encoding);
    expect(Buffer.byteLength(text)).toBe(bytes);
  });

  test('may be empty', async () => {
    const { headers, text } = await answer('', 'br');
    expect(headers['content-encoding']).toBeUndefined();
    expect(text).toBe('');
  });
});
