import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { BUILT_IN } from '../../build.mjs';
import { startOwnServer } from './ownServer.ts';

/** Starts a server with a kind of question that no code of Arc knows; its pages and threads are those of the build. */
export async function startMadeUpServer() {
  const outdir = resolve('.cache/made-up');
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  await build({
    ...({ bundle: true, platform: 'node', format: 'esm', target: 'node20', packages: 'external' } as const),
    entryPoints: { start: 'tests/journeys/madeUpStart.ts' },
    outdir,
    alias: BUILT_IN,
    logLevel: 'warning',
  });
  for (const name of ['web', 'workers']) symlinkSync(resolve('dist', name), join(outdir, name));
  return startOwnServer({}, join(outdir, 'start.js'));
}
