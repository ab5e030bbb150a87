import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { eventually } from './factories/person.ts';

test('a worker thread is built again when one of its sources changes', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'arc-workers-'));
  const write = (says: string) => writeFileSync(join(directory, 'said.ts'), `export const said = '${says}';\n`);
  write('before');
  writeFileSync(join(directory, 'worker.ts'), "import { said } from './said.ts';\nconsole.log(said);\n");
  // Like npm run dev, in a process that runs until it is killed.
  const script = `const { watchWorkers } = await import('./build.mjs');
    await watchWorkers(${JSON.stringify(join(directory, 'out'))}, () => console.log('rebuilt'), {
      made: ${JSON.stringify(join(directory, 'worker.ts'))},
    });
    console.log('built');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (text) => {
    said += text;
  });
  try {
    const built = () => readFileSync(join(directory, 'out', 'made.js'), 'utf8');
    await eventually(async () => said.includes('built\n'), 'the first build');
    expect(built()).toContain('before');
    expect(said).not.toContain('rebuilt');
    write('afterwards');
    await eventually(async () => said.includes('rebuilt'), 'the second build');
    expect(built()).toContain('afterwards');
  } finally {
    child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  }
});
