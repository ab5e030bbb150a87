import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startProcess } from '../factories/process.ts';

test('an idle connection stays open longer than a proxy keeps one', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'arc-idle-'));
  const server = await startProcess(directory);
  try {
    expect((await fetch(`${server.url}/healthz`)).headers.get('keep-alive')).toBe('timeout=65');
    // And it does not keep the server from stopping.
    await server.stop();
    expect(server.child.exitCode).toBe(0);
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
});
