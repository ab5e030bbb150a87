import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { buildServer, buildWorkers } from '../build.mjs';
import { makeScratch } from './runner/scratch.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const COMMANDS = ['account', 'admin', 'auditVerify', 'backup', 'doctor', 'manifest', 'restore', 'seed'];
/** Entry points of the processes that tests start, by name of the built file in .cache/server. */
const ENTRY_POINTS = {
  ...Object.fromEntries(COMMANDS.map((name) => [name, `api/commands/${name}.ts`])),
  badFilesChild: 'tests/factories/badFilesChild.ts',
};

/**
 * Packages are bundled, which saves a quarter of the processor time of a start, because Node needs to find fewer files.
 * External are native packages, those that find files by their own location, and those that these processes never load.
 */
const WITH_PACKAGES = {
  packages: 'bundle',
  // Class names are needed, because some errors are recognised by them.
  keepNames: true,
  sourcemap: false,
  minifyWhitespace: true,
  minifySyntax: true,
  // No warnings about optional dependencies that are not installed.
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
 * Builds the threads and processes that tests start, creates the directory for everything that tests write, and starts
 * one store for all test files. MONGODB_URI names a real server to use instead.
 */
export default async function globalSetup() {
  const server = join(root, '.cache/server');
  await Promise.all([
    buildWorkers(join(root, '.cache/workers')),
    buildWorkers(join(server, 'workers')),
    buildServer(server, ENTRY_POINTS, WITH_PACKAGES),
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
