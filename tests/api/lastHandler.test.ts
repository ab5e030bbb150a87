import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startProcess } from '../factories/process.ts';

test.each([
  ['a rejection', 'void Promise.reject(new Error("nobody caught it"))'],
  ['an exception', 'throw new Error("nobody caught it")'],
])('an uncaught %s is logged, and the process closes its store and exits with 1', async (_what, fault) => {
  const directory = mkdtempSync(join(tmpdir(), 'arc-last-handler-'));
  try {
    // Loaded before the server. On a signal it raises the error, as a defect anywhere in the product would.
    const preload = join(directory, 'fault.mjs');
    writeFileSync(preload, `process.on('SIGUSR2', () => { ${fault} });`);
    const server = await startProcess(directory, { NODE_OPTIONS: `--import ${preload}`, LOG_LEVEL: 'silent' });
    const ended = once(server.child, 'exit');
    server.child.kill('SIGUSR2');
    expect(await ended).toEqual([1, null]);
    // The store was closed properly, because the next start gets its directory at once.
    const again = await startProcess(directory);
    expect((await fetch(`${again.url}/readyz`)).status).toBe(200);
    await again.stop();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
