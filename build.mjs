// Builds the server, the worker threads and the web, each into dist. Imported by start.mjs, dev.mjs and the tests.
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { isCurrent, STAMP, underBuildLock } from './buildState.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const inRoot = (path) => join(root, path);

/** Entry points of the server build; the workers' names are those of models/workers.ts. */
const WORKERS = {
  store: 'models/store/embedded/worker.ts',
  clinicalSafety: 'bot/agents/clinical_safety/worker/worker.ts',
  marketer: 'bot/agents/marketer/thread/worker.ts',
  ops: 'bot/agents/ops/thread/worker.ts',
  outreach: 'bot/agents/outreach/thread/worker.ts',
  professionaliser: 'bot/agents/professionaliser/thread/worker.ts',
  researcher: 'bot/agents/researcher/thread/worker.ts',
};
const SERVER = { start: 'api/start.ts' };
/** Pictures that the server reads from beside its own code. */
export const PICTURES = ['manifests/color.png', 'manifests/outline.png'];

/**
 * The package of the embedded store is TypeScript, which Node cannot load from `node_modules`: its code is built in, and
 * only the packages that it needs itself stay outside.
 */
export const BUILT_IN = { '@arc/embedded-store': inRoot('models/store/embedded/index.ts') };

const common = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  alias: BUILT_IN,
  sourcemap: true,
  logLevel: 'warning',
  absWorkingDir: root,
};

/** Builds the worker threads into a folder (dist/workers, or .cache/workers for dev and tests). */
export async function buildWorkers(outdir = inRoot('dist/workers')) {
  mkdirSync(outdir, { recursive: true });
  await esbuild.build({ ...common, entryPoints: WORKERS, outdir });
}

/**
 * Builds worker threads into a folder, and again whenever one of their sources changes.
 * @param rebuilt called after each further build
 * @returns a function that ends it, once they are built for the first time
 */
export async function watchWorkers(outdir, rebuilt = () => {}, entryPoints = WORKERS) {
  let built = () => {};
  const first = new Promise((resolve) => {
    built = resolve;
  }).then(() => {
    built = rebuilt;
  });
  const tell = { name: 'tell', setup: ({ onEnd }) => onEnd(() => void built()) };
  const watching = await esbuild.context({ ...common, entryPoints, outdir, plugins: [tell] });
  await watching.watch();
  await first;
  return () => watching.dispose();
}

/**
 * Builds the server with its lazily imported parts as chunks of their own, and further entry points beside it.
 * @param options of esbuild, where they differ
 */
export async function buildServer(outdir = inRoot('dist'), further = {}, options = {}) {
  // Chunks are written next to the entry, so that paths relative to the file are the same in all of them.
  for (const name of existsSync(outdir) ? readdirSync(outdir) : []) {
    if (/\.js(\.map)?$/.test(name)) rmSync(join(outdir, name));
  }
  await esbuild.build({
    ...common,
    entryPoints: { ...SERVER, ...further },
    outdir,
    splitting: true,
    chunkNames: '[name]-[hash]',
    ...options,
  });
  for (const picture of PICTURES) copyFileSync(inRoot(picture), join(outdir, basename(picture)));
}

/** Builds the pages into dist/web. */
export async function buildWeb() {
  const { build } = await import('vite');
  await build({ configFile: inRoot('vite.config.ts'), logLevel: 'warn' });
}

/** Builds everything and marks the moment it was begun, so that a change made meanwhile is built next time. */
export async function buildAll() {
  const begun = new Date();
  await Promise.all([buildServer(), buildWorkers(), buildWeb()]);
  writeFileSync(STAMP, begun.toISOString());
  utimesSync(STAMP, begun, begun);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const whenStale = process.argv.includes('--when-stale');
  await underBuildLock(async () => {
    // Another process may have finished the build while this one waited.
    if (whenStale && isCurrent()) return;
    console.log('Building …');
    await buildAll();
  });
}
