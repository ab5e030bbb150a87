// npm start: builds when dist is older than what it is built from, then runs the server in this process.
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const SOURCES = ['api', 'bot', 'jobs', 'models', 'manifests', 'web', 'build.mjs', 'vite.config.ts', 'package.json'];
const STAMP = join(root, 'dist', '.built');
const LOCK = join(root, '.cache', 'build.lock');

function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), stat.mtimeMs);
}

const isCurrent = () => {
  const built = statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return SOURCES.every((source) => newest(join(root, source)) <= built);
};

/** One process builds at a time; the others wait for it. A lock of a build that died is two minutes old at most. */
async function buildOnce() {
  mkdirSync(dirname(LOCK), { recursive: true });
  for (;;) {
    try {
      closeSync(openSync(LOCK, 'wx'));
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const age = Date.now() - (statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? 0);
      if (age > 120_000) rmSync(LOCK, { force: true });
      else await new Promise((resolve) => setTimeout(resolve, 200));
      if (isCurrent()) return;
    }
  }
  try {
    if (isCurrent()) return;
    console.log('Building …');
    const { buildAll } = await import('./build.mjs');
    await buildAll();
  } finally {
    rmSync(LOCK, { force: true });
  }
}

if (existsSync(join(root, '.env'))) {
  const { loadEnvFile } = process;
  loadEnvFile?.(join(root, '.env'));
}
process.env.NODE_ENV ??= 'production';
try {
  if (!isCurrent()) await buildOnce();
  process.setSourceMapsEnabled?.(true);
  const { main } = await import('./dist/start.js');
  await main();
} catch (error) {
  const known = {
    EADDRINUSE: `Port ${error?.port} of ${error?.address} is taken. Set PORT to another one.`,
    EACCES: error?.port && `Port ${error.port} may not be used by this user. Set PORT to one above 1023.`,
  };
  console.error(error?.name === 'EnvironmentError' ? error.message : known[error?.code] || error);
  process.exit(1);
}
