import { Agent, request as send } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { z } from 'zod';
import type { Endpoint } from '../../models/contracts/endpoint.ts';

/** One request of an attacker; no part of it has to be well formed. */
export type Malformed = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | null;
};

/** Pseudo-random numbers (mulberry32): the same seed gives the same requests, so that a failure can be repeated. */
function makeRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { next, pick: <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T };
}

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

/** JSON values that have broken servers before. */
const JUNK = [
  'null',
  'true',
  '[]',
  '{}',
  '""',
  '" "',
  '-1',
  '0',
  '1e308',
  '-1e308',
  '1.5',
  '9007199254740993',
  '"NaN"',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '"\\u202e"',
  '"\\ufeff"',
  `"${'x'.repeat(20_000)}"`,
  '{"$gt":""}',
  '{"$where":"sleep(1000)"}',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{}}}',
  '["a",null,{}]',
  `[${'1,'.repeat(2000)}1]`,
  deep(60),
  deep(900),
  '"../../../../etc/passwd"',
  '"<script>"',
  '{"a\\u0000":1}',
  '{"$set":{"roles":["owner"]}}',
  '{"length":1e9}',
  '{"toString":1}',
  '"%00"',
  '"=1+1"',
  '"1e9"',
  '"999999999999999999999999"',
  '"2026-13-45T99:99:99Z"',
  '"clinical_safety"',
  '"constructor"',
  '"hasOwnProperty"',
] as const;

/** Path segments, already encoded. */
const PARTS = [
  '%00',
  '%ff',
  '%E0%A4%A',
  '%ED%A0%80',
  '..%2f..%2fetc%2fpasswd',
  '-1',
  '0',
  '1e9',
  'NaN',
  '9'.repeat(400),
  '%24ne',
  '__proto__',
  'constructor',
  '%F0%9F%92%A9',
  '%20',
  '1;drop',
  '0x10',
  '%5B%5D',
  'null',
  '1%2F2',
  '...',
  '%2e%2e',
] as const;

const QUERIES = [
  '',
  '?',
  '?limit=-1',
  '?limit[]=1&limit[]=2',
  '?limit[$gt]=1',
  '?page=1e99',
  '?a[b][c][d][e][f][g]=1',
  '?%00=%00',
  '?q=%ED%A0%80',
  '?limit=%E0%A4%A',
  `?x=${'y'.repeat(4000)}`,
  '?__proto__[a]=1',
  '?constructor=1',
  '?error=%00',
] as const;

const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'application/json; charset=nonsense',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'nonsense',
  '',
] as const;

const HEADERS: readonly Record<string, string>[] = [
  {},
  { 'if-none-match': '"\u00ff"' },
  { origin: 'null' },
  { origin: 'http://[' },
  { 'x-forwarded-for': '%00, x' },
  { authorization: 'Bearer \u00ff' },
  { authorization: `Bearer ${'a'.repeat(3000)}` },
  { range: 'bytes=9-1,-' },
  { accept: '*/*;q=x,,/' },
  { 'accept-language': '\u00ff\u00fe' },
  { 'content-encoding': 'gzip' },
  { referer: 'http://%' },
  { 'content-encoding': 'br' },
  { 'content-encoding': 'nonsense' },
  { 'sec-fetch-site': 'x' },
  { 'x-arc-person': '\u00ff' },
];

const BROKEN_JSON = [
  '{',
  '{"a":',
  '[1,',
  '"',
  'nul',
  '{"a":1}}',
  '\ufeff{}',
  "{'a':1}",
  '{"a":1e}',
  '',
  '\0',
  '"\\ud8',
];

const disposition = (name: string, fileName: string) =>
  `--B\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\n`;

/** Multipart bodies with boundary B that end too early, contain too much or nothing, or have invalid names. */
const FORMS = [
  `${disposition('hazardLogFile', 'a.csv')}Content-Type: text/csv\r\n\r\na,b`,
  `${disposition('hazardLogFile', 'a.csv')}`,
  '--B',
  '--B--\r\n',
  '',
  `--B\r\nContent-Disposition: form-data; filename="a.csv"\r\n\r\nx\r\n--B--\r\n`,
  `--B\r\n\r\nx\r\n--B--\r\n`,
  `--B\r\nContent-Disposition: form-data; name="a\0b"\r\n\r\nx\r\n--B--\r\n`,
  `--B\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--B--\r\n`,
  `${disposition('hazardLogFile', 'a\0.csv')}\r\nx,y\r\n--B--\r\n`,
  `${disposition('hazardLogFile', '..\\..\\a.csv')}\r\nx,y\r\n--B--\r\n`,
  `${disposition('hazardLogFile', '')}\r\n\r\n--B--\r\n`,
  `${disposition('document', '.csv')}\r\n\r\n--B--\r\n`,
  `${disposition('hazardLogFile', 'a.csv').repeat(3)}\r\nx\r\n--B--\r\n`,
  `--B\r\n${'X: y\r\n'.repeat(3000)}\r\nx\r\n--B--\r\n`,
  `${'--B\r\nContent-Disposition: form-data; name="x"\r\n\r\ny\r\n'.repeat(50)}--B--\r\n`,
];

/** Bytes that are barely HTTP. */
export const RAW = [
  'GET\r\n\r\n',
  'GET /api/user-agents\r\n\r\n',
  'GET /api/user-agents HTTP/9.9\r\nHost: x\r\n\r\n',
  'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
  'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n12345',
  'POST /api/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nZZ\r\n',
  'POST /api/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nX: \0\r\n\r\n',
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  'GET http://[ HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET //evil.example/%2e%2e HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET * HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /socket.io/?EIO=4&transport=polling&sid=%00 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /socket.io/?EIO=9&transport=nonsense HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  'POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nnull',
  'POST /api/messages HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\nnull',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  '\r\n\r\n\r\n',
];

const keysOf = (shape: z.ZodType): string[] => Object.keys((shape as { shape?: object }).shape ?? {});

function makeBody(random: ReturnType<typeof makeRandom>, { body }: Pick<Endpoint, 'body'>, type: string) {
  if (type.startsWith('multipart')) return random.pick(FORMS);
  const kind = random.next();
  if (kind < 0.15) return random.pick(BROKEN_JSON);
  if (kind < 0.25) return random.pick(JUNK);
  const fields = [...keysOf(body), random.pick(['__proto__', 'accountId', 'a.b', '$set', 'userId'])];
  const text = `{${fields
    .filter(() => random.next() < 0.8)
    .map((key) => `${JSON.stringify(key)}:${random.pick(JUNK)}`)
    .join(',')}}`;
  return kind > 0.97 ? gzipSync(text) : text;
}

/** Calls that would end the session that the other requests use. */
const ENDS_SESSION = /\/api\/(logout|account\/leave|auth\/(sessions|change-password))/;

/**
 * Yields malformed requests to every call in turn; the same seed yields the same requests.
 * @param cookie the session that most of them carry
 */
export function* makeMalformed(
  calls: Iterable<Endpoint>,
  cookie: string,
  count: number,
  seed = 1,
): Generator<Malformed> {
  const random = makeRandom(seed);
  const all = [...calls].filter(({ path }) => !ENDS_SESSION.test(path));
  for (let index = 0; index < count; index += 1) {
    const call = all[index % all.length] as Endpoint;
    const path = call.path.replace(/:\w+/g, () => random.pick(PARTS));
    const isForm = random.next() < (/upload|documents|parse/.test(path) ? 0.7 : 0.05);
    const type = isForm ? 'multipart/form-data; boundary=B' : random.next() < 0.8 ? TYPES[0] : random.pick(TYPES);
    const headers = random.next() < 0.7 ? {} : random.pick(HEADERS);
    yield {
      method: call.method.toUpperCase(),
      path: `${path}${random.next() < 0.5 ? random.pick(QUERIES) : ''}`,
      headers: { ...(random.next() < 0.85 ? { cookie } : {}), 'content-type': type, ...headers },
      body: call.method === 'get' ? null : makeBody(random, call, type),
    };
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** A response that takes longer counts as none. */
const RESPONSE_TIMEOUT_MS = 20_000;

/**
 * Makes one request.
 * @returns its status; 0 if the connection was closed without a response, 599 if none came in time
 */
export function sendMalformed(url: string, { method, path, headers, body }: Malformed): Promise<number> {
  return new Promise((resolve) => {
    try {
      const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const sent = send(`${url}/`, { method, path, agent, headers: { ...headers, ...length } }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
        answer.on('error', () => resolve(0));
      });
      sent.setTimeout(RESPONSE_TIMEOUT_MS, () => {
        resolve(599);
        sent.destroy();
      });
      sent.on('error', () => resolve(0));
      sent.end(body ?? undefined);
    } catch {
      // The HTTP client itself refuses to send it.
      resolve(0);
    }
  });
}

/** Sends raw bytes and closes the connection. @returns the response's status, 0 if there was none */
export function sendRaw(url: string, bytes: string): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(Number(port), hostname, () => socket.end(bytes, 'latin1'));
    socket.on('data', (data) => {
      heard += data.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(heard)?.[1] ?? 0)));
  });
}
