import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { watchWorkers } from '../build.mjs';
import { eventually } from './factories/person.ts';

test('a worker thread is built again when one of its sources changes', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'arc-workers-'));
  const write = (says: string) => writeFileSync(join(directory, 'said.ts'), `export const said = '${says}';\n`);
  write('before');
  writeFileSync(join(directory, 'worker.ts'), "import { said } from './said.ts';\nconsole.log(said);\n");
  let rebuilt = 0;
  const count = () => {
    rebuilt += 1;
  };
  const stop = await watchWorkers(join(directory, 'out'), count, { made: join(directory, 'worker.ts') });
  try {
    const built = () => readFileSync(join(directory, 'out', 'made.js'), 'utf8');
    expect(built()).toContain('before');
    expect(rebuilt).toBe(0);
    write('afterwards');
    await eventually(async () => rebuilt > 0, 'the worker to be built again');
    expect(built()).toContain('afterwards');
  } finally {
    await stop();
    rmSync(directory, { recursive: true, force: true });
  }
});
