// npm start: has dist built by a process of its own when it is older than its sources, then runs the server in this one.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isCurrent } from './buildState.mjs';

const root = dirname(fileURLToPath(import.meta.url));

/** Builds in a process of its own, whose memory is gone with it. */
async function build() {
  const [code, signal] = await once(fork(join(root, 'build.mjs'), ['--when-stale']), 'exit');
  if (code !== 0) {
    console.error(`The build ended with ${signal ?? code}. What it printed says why; mend that and start again.`);
    process.exit(1);
  }
}

if (existsSync(join(root, '.env'))) {
  const { loadEnvFile } = process;
  loadEnvFile?.(join(root, '.env'));
}
/** Errors whose message tells the operator everything; no stack is printed. */
const FOR_OPERATORS = new Set(['EnvironmentError', 'DataDirectoryError', 'StoreError']);

process.env.NODE_ENV ??= 'production';
try {
  if (!isCurrent()) await build();
  process.setSourceMapsEnabled?.(true);
  const { main } = await import('./dist/start.js');
  await main();
} catch (error) {
  const known = {
    EADDRINUSE: `Port ${error?.port} of ${error?.address} is taken. Set PORT to another one.`,
    EACCES: error?.port && `Port ${error.port} may not be used by this user. Set PORT to one above 1023.`,
  };
  console.error(FOR_OPERATORS.has(error?.name) ? error.message : known[error?.code] || error);
  process.exit(1);
}
