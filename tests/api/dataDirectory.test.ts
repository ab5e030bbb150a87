import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { cleanEnvironment } from '../factories/cleanEnvironment.ts';
import { disk } from '../factories/disk.ts';
import { makeBrowser, makeReady } from '../factories/httpPerson.ts';
import { startProcess } from '../factories/process.ts';

const root = mkdtempSync(join(disk(), 'arc-data-directory-'));
/** A used data directory, and a copy of it for each test. */
const kept = join(root, 'kept');
const directory = join(root, 'data');
const dataFile = join(directory, 'store', 'store.mdb');

/** A start that is refused. @returns its exit code and output */
async function startRefused(data: string): Promise<{ code: number; said: string }> {
  const child = spawn(process.execPath, [resolve('.cache/server/start.js')], {
    env: { ...cleanEnvironment(), NODE_ENV: 'production', PORT: '0', DATA_DIR: data },
  });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const [code] = await once(child, 'exit');
  return { code, said };
}

beforeAll(async () => {
  const server = await startProcess(kept);
  await makeReady(
    makeBrowser(() => server.url),
    'ada@example.org',
  );
  await server.stop();
}, 120_000);
beforeEach(() => {
  rmSync(directory, { recursive: true, force: true });
  execFileSync('cp', ['-r', kept, directory]);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('an intact directory is opened, with all its accounts', async () => {
  const server = await startProcess(directory);
  const answer = await fetch(`${server.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.org', password: 'correct-horse-1' }),
  });
  expect(answer.status).toBe(200);
  await server.stop();
});

test('an emptied store next to signs of earlier data is reported, and not started afresh', async () => {
  rmSync(join(directory, 'store'), { recursive: true });
  const { code, said } = await startRefused(directory);
  expect(code).toBe(1);
  expect(said).toContain(`The store in ${join(directory, 'store')} is empty, but data has been kept there since 20`);
  // An operator who means it can say so, and starts afresh.
  rmSync(join(directory, 'begun'));
  await (await startProcess(directory)).stop();
});

test('a store without collections counts as emptied, too', async () => {
  writeFileSync(dataFile, '');
  expect(await startRefused(directory)).toMatchObject({ code: 1, said: expect.stringContaining('is empty, but data') });
});

test('missing keys next to a full store are reported, and not generated', async () => {
  renameSync(join(directory, 'keys.json'), join(directory, 'elsewhere.json'));
  const { code, said } = await startRefused(directory);
  expect(code).toBe(1);
  expect(said).toContain('keys.json is missing, and the store beside it holds data');
  expect(existsSync(join(directory, 'keys.json'))).toBe(false);
  renameSync(join(directory, 'elsewhere.json'), join(directory, 'keys.json'));
  await (await startProcess(directory)).stop();
});

test('a truncated store is reported as damaged, and left unchanged', async () => {
  const size = statSync(dataFile).size;
  truncateSync(dataFile, size / 2);
  const { code, said } = await startRefused(directory);
  expect(code).toBe(1);
  expect(said).toMatch(/store\.mdb is damaged \(it ends \d+ bytes too early\)/);
  expect(statSync(dataFile).size).toBe(size / 2);
});

test('a store with overwritten first pages is reported as damaged, and left unchanged', async () => {
  const file = openSync(dataFile, 'r+');
  writeSync(file, Buffer.alloc(8192, 0x5a), 0, 8192, 0);
  closeSync(file);
  const before = readFileSync(dataFile);
  const { code, said } = await startRefused(directory);
  expect(code).toBe(1);
  expect(said).toContain('store.mdb is damaged (');
  expect(readFileSync(dataFile).equals(before)).toBe(true);
});

/** A small disk of its own needs root on Linux; elsewhere the test reports that it did not run. */
function mountSmallDisk(path: string): boolean {
  try {
    mkdirSync(path, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('on a full disk, data can be read, writes are refused with an explanation, and the server starts', async () => {
  const disk = join(root, 'disk');
  if (!mountSmallDisk(disk)) return console.warn('not run: a small disk can only be mounted by root on Linux');
  const data = join(disk, 'data');
  let server = await startProcess(data, { LOG_LEVEL: 'silent' });
  try {
    const browser = makeBrowser(() => server.url);
    await makeReady(browser, 'ada@example.org');
    const fill = () => {
      const file = openSync(join(disk, 'fill'), 'a');
      try {
        for (;;) writeSync(file, Buffer.alloc(4096));
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
      } finally {
        closeSync(file);
      }
    };
    const send = async () => {
      const answer = await fetch(`${server.url}/api/arc-chat/send`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: browser.cookie() },
        body: JSON.stringify({ message: `note ${'x'.repeat(7900)}` }),
      });
      return { status: answer.status, body: (await answer.json()) as { code?: string } };
    };
    expect((await send()).status).toBe(200);
    fill();
    for (const _ of [1, 2, 3]) expect(await send()).toMatchObject({ status: 507, body: { code: 'store_full' } });
    const readiness = () => fetch(`${server.url}/readyz`).then(async (it) => [it.status, await it.json()]);
    expect(await readiness()).toEqual([503, { status: 'disk full' }]);
    expect((await browser.get('/api/arc-chat/history')).count).toBeGreaterThan(0);
    await server.kill();
    server = await startProcess(data, { LOG_LEVEL: 'silent' });
    expect(await readiness()).toEqual([503, { status: 'disk full' }]);
    expect((await browser.get('/api/arc-chat/history')).count).toBeGreaterThan(0);
    rmSync(join(disk, 'fill'));
    expect(await readiness()).toEqual([200, { status: 'ready' }]);
    expect((await send()).status).toBe(200);
  } finally {
    await server.kill();
    execFileSync('umount', ['-l', disk]);
  }
}, 120_000);
