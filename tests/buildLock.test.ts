import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from './factories/person.ts';

let root: string;
let log: string;
const children: ChildProcess[] = [];

/**
 * Starts a process that takes the checkout's build lock and logs when it acquires and releases it; its output is kept.
 */
function start(name: string, milliseconds: number) {
  const child = spawn(process.execPath, [join(root, 'work.mjs'), name, String(milliseconds), log]);
  children.push(child);
  const said: string[] = [];
  child.stdout.on('data', (data) => said.push(String(data)));
  return { child, said, done: once(child, 'exit') };
}
const noted = () => readFileSync(log, 'utf8').trim().split('\n').filter(Boolean);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'arc-build-lock-'));
  log = join(root, 'log');
  writeFileSync(log, '');
  copyFileSync('buildState.mjs', join(root, 'buildState.mjs'));
  writeFileSync(
    join(root, 'work.mjs'),
    `import { appendFileSync } from 'node:fs';
     import { setTimeout as wait } from 'node:timers/promises';
     import { underBuildLock } from './buildState.mjs';
     const [, , name, milliseconds, log] = process.argv;
     await underBuildLock(async () => {
       appendFileSync(log, name + ' begins\\n');
       await wait(Number(milliseconds));
       appendFileSync(log, name + ' ends\\n');
     });`,
  );
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

test('a killed build does not delay the next one', async () => {
  const killed = start('killed', 60_000);
  await eventually(async () => noted().includes('killed begins'), 'the first build');
  killed.child.kill('SIGKILL');
  await killed.done;
  const next = start('next', 0);
  await next.done;
  expect(noted()).toEqual(['killed begins', 'next begins', 'next ends']);
  expect(next.said).toEqual([]);
});

test('only one build runs at a time, also after a killed one', async () => {
  const killed = start('killed', 60_000);
  await eventually(async () => noted().length === 1, 'the first build');
  killed.child.kill('SIGKILL');
  await killed.done;
  const racing = ['a', 'b', 'c', 'd', 'e'].map((name) => start(name, 300));
  await Promise.all(racing.map(({ done }) => done));
  const order = noted().slice(1);
  expect(order).toHaveLength(10);
  for (let index = 0; index < order.length; index += 2)
    expect(order[index + 1]).toBe(order[index]?.replace('begins', 'ends'));
});

test('a waiting build names the process that it waits for', async () => {
  const first = start('first', 60_000);
  await eventually(async () => noted().includes('first begins'), 'the first build');
  const waiting = start('second', 0);
  await eventually(async () => waiting.said.length > 0, 'the message of the waiting build');
  expect(waiting.said).toEqual([expect.stringContaining(`Another process (${first.child.pid}) is building`)]);
  first.child.kill('SIGKILL');
  await waiting.done;
  expect(noted()).toEqual(['first begins', 'second begins', 'second ends']);
});

test('a process that reuses the killed one’s id does not hold the lock for ever', async () => {
  mkdirSync(join(root, '.cache'));
  const lock = join(root, '.cache', 'build.lock');
  // Held by a live process, this one, that has not renewed the lock for over a minute.
  writeFileSync(lock, String(process.pid));
  utimesSync(lock, new Date(Date.now() - 61_000), new Date(Date.now() - 61_000));
  await start('next', 0).done;
  expect(noted()).toEqual(['next begins', 'next ends']);
});
