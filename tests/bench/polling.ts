import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import autocannon from 'autocannon';
import { io, type Socket } from 'socket.io-client';
import { LIMITS } from '../../models/contracts/limits.ts';
import { makeBrowser, makeReady } from '../factories/httpPerson.ts';
import { startProcess } from '../factories/process.ts';
import type { BenchRow } from './row.ts';

const EMAIL = 'bench@example.org';
const SOCKETS = 1000;
const SECONDS = 4;

/** Requests per second that are answered 304, over ten connections. */
async function rate304(url: string, cookie: string): Promise<number> {
  const first = await fetch(url, { headers: { cookie } });
  const etag = first.headers.get('etag') ?? '';
  await first.arrayBuffer();
  const headers = { cookie, 'if-none-match': etag };
  const shoot = (duration: number) => autocannon({ url, connections: 10, duration, headers });
  await shoot(1);
  const done = await shoot(SECONDS);
  if (done.non2xx !== done.requests.total || done['3xx'] !== done.requests.total) {
    throw new Error(`${url}: ${done['3xx']} of ${done.requests.total} were answered 304.`);
  }
  return done.requests.average;
}

async function startBare(): Promise<{ url: string; cookie: string; child: ChildProcess }> {
  const child = fork('tests/bench/bareExpress.ts', {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const url = `http://127.0.0.1:${port}`;
  const login = await fetch(`${url}/login`, { method: 'POST' });
  return { url: `${url}/polled`, cookie: login.headers.getSetCookie()[0]?.split(';')[0] ?? '', child };
}

const residentMegabytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** As many open sockets as each session may have, over several sessions. */
async function openSockets(url: string): Promise<Socket[]> {
  const open = (cookie: string) =>
    new Promise<Socket>((resolve, reject) => {
      const socket = io(url, { transports: ['websocket'], extraHeaders: { cookie }, forceNew: true });
      socket.once('connect', () => resolve(socket));
      socket.once('connect_error', reject);
    });
  const sockets: Socket[] = [];
  while (sockets.length < SOCKETS) {
    const browser = makeBrowser(() => url);
    await browser.post('/api/login', { email: EMAIL, password: 'correct-horse-1' });
    const opened = Array.from({ length: Math.min(LIMITS.socketsPerSession, SOCKETS - sockets.length) }, () =>
      open(browser.cookie()),
    );
    sockets.push(...(await Promise.all(opened)));
  }
  return sockets;
}

/** Measures polls that find nothing new, and a thousand open sockets. */
export async function benchPolling(): Promise<BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), 'arc-bench-'));
  const [server, bare] = await Promise.all([startProcess(directory), startBare()]);
  let sockets: Socket[] = [];
  try {
    const browser = makeBrowser(() => server.url);
    await makeReady(browser, EMAIL);
    const cookie = browser.cookie();
    const rows: BenchRow[] = [];
    // Measured in turn in one run, so that both run under the same conditions.
    const least = await rate304(bare.url, bare.cookie);
    for (const path of ['/api/arc-chat/history', '/api/user-agents', '/api/oauth/status/all']) {
      const share = (await rate304(server.url + path, cookie)) / least;
      rows.push({
        name: `${path} answered 304, share of a bare Express 304`,
        value: share.toFixed(2),
        limit: '≥ 0.5',
        ok: share >= 0.5,
      });
    }
    sockets = await openSockets(server.url);
    await wait(5000);
    const megabytes = residentMegabytes(server.child.pid ?? 0);
    rows.push({
      name: `${SOCKETS} idle sockets, resident`,
      value: `${Math.round(megabytes)} MB`,
      limit: '< 400 MB',
      ok: megabytes < 400,
    });
    return rows;
  } finally {
    for (const socket of sockets) socket.close();
    bare.child.kill();
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
