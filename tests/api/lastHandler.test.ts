import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startProcess } from '../factories/process.ts';

test.each([
  ['a rejection', 'void Promise.reject(new Error("nobody caught it"))'],
  ['an exception', 'throw new Error("nobody caught it")'],
])('%s that nothing catches is logged, and the process closes its store and leaves with 1', async (_what, fault) => {
  const directory = mkdtempSync(join(tmpdir(), 'arc-last-handler-'));
  try {
    // Loaded before the server: on a signal of its own it makes the fault, as a defect somewhere in the product would.
    const preload = join(directory, 'fault.mjs');
    writeFileSync(preload, `process.on('SIGUSR2', () => { ${fault} });`);
    const server = await startProcess(directory, { NODE_OPTIONS: `--import ${preload}`, LOG_LEVEL: 'silent' });
    const ended = once(server.child, 'exit');
    server.child.kill('SIGUSR2');
    expect(await ended).toEqual([1, null]);
    // The store was closed in order: the next start has its directory at once.
    const again = await startProcess(directory);
    expect((await fetch(`${again.url}/readyz`)).status).toBe(200);
    await again.stop();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
