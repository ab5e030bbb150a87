import { spawnSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { PARTS } from './part.ts';

// `npm run bench`, or `npm run bench -- chat store`. The build and each part run in processes of their own, so that the
// memory of one is not counted for another.
const asked = process.argv.slice(2).filter((name) => name in PARTS);
const run = (...command: string[]) => spawnSync(process.execPath, command, { stdio: 'inherit' }).status === 0;

const built = run(
  '--input-type=module',
  '-e',
  `
  const { buildAll, buildServer, buildWorkers } = await import('./build.mjs');
  await buildAll();
  await buildServer('.cache/server');
  await Promise.all([buildWorkers('.cache/server/workers'), buildWorkers('.cache/workers')]);
`,
);
if (!built) process.exit(1);
console.log(
  `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
);
const names = asked.length > 0 ? asked : Object.keys(PARTS);
const passed = names.map((name) => run('--import', 'tsx', 'tests/bench/part.ts', name));
process.exit(passed.every(Boolean) ? 0 : 1);
