// npm run dev: the worker threads are built, then the server runs from its sources and starts anew when they change.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWorkers } from './build.mjs';

const root = dirname(fileURLToPath(import.meta.url));
await buildWorkers(join(root, '.cache/workers'));
const server = spawn('npx', ['tsx', 'watch', 'api/start.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, NODE_ENV: 'development' },
});
const pages = spawn('npx', ['vite'], { cwd: root, stdio: 'inherit' });
for (const child of [server, pages]) child.on('exit', (code) => process.exit(code ?? 0));
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    server.kill(signal);
    pages.kill(signal);
  });
