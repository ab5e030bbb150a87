import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { buildServer, buildWorkers } from '../build.mjs';
import { makeScratch } from './runner/scratch.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const COMMANDS = ['account', 'admin', 'auditVerify', 'backup', 'manifest', 'restore', 'seed'];
/** What tests start as processes of their own, by the name of the built file in .cache/server. */
const STARTED = {
  ...Object.fromEntries(COMMANDS.map((name) => [name, `api/commands/${name}.ts`])),
  badFilesChild: 'tests/factories/badFilesChild.ts',
};

/**
 * Packages are built in, which takes a quarter off the processor time of a start: Node looks for each file else. Left
 * out is what is native, what finds files by its own place, and what no test of these processes loads.
 */
const WITH_PACKAGES = {
  packages: 'bundle',
  // Faults are told apart by their classes' names too.
  keepNames: true,
  sourcemap: false,
  minifyWhitespace: true,
  minifySyntax: true,
  // The optional parts of packages, which are not installed, are no news here.
  logLevel: 'error',
  external: [
    '@node-rs/argon2',
    'esbuild',
    'exceljs',
    'lmdb',
    'pino',
    'vite',
    '@vitejs/*',
    ...['@aws-sdk/*', '@mongodb-js/zstd', 'aws4', 'bufferutil', 'gcp-metadata', 'kerberos'],
    ...['mongodb-client-encryption', 'snappy', 'socks', 'utf-8-validate'],
  ],
  banner: {
    js: [
      "import { createRequire as requireFrom } from 'node:module';",
      'const require = requireFrom(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;',
    ].join('\n'),
  },
};

/**
 * Builds what tests start as threads and processes, once, makes the directory for all that they write, and starts one
 * store for every test file; MONGODB_URI names a real server instead.
 */
export default async function globalSetup() {
  const server = join(root, '.cache/server');
  await Promise.all([
    buildWorkers(join(root, '.cache/workers')),
    buildWorkers(join(server, 'workers')),
    buildServer(server, STARTED, WITH_PACKAGES),
  ]);
  const directory = makeScratch();
  globalThis.__arcDirectory = directory;
  process.env.TEST_DIRECTORY = directory;
  if (process.env.MONGODB_URI) {
    process.env.TEST_STORE_URI = process.env.MONGODB_URI;
    return;
  }
  const kept = join(directory, 'store');
  mkdirSync(kept);
  const worker = new Worker(join(root, '.cache/workers/store.js'), { workerData: { directory: kept } });
  globalThis.__arcStore = worker;
  process.env.TEST_STORE_URI = await new Promise((resolve, reject) => {
    worker.once('message', (message) => (message.uri ? resolve(message.uri) : reject(new Error(message.error))));
    worker.once('error', reject);
  });
}
