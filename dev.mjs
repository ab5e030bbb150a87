// npm run dev: builds the worker threads, then runs the server from its sources. Both restart after a change.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { watchWorkers } from './build.mjs';

const root = dirname(fileURLToPath(import.meta.url));
// The server imports no worker, so its watcher does not see new ones: a line break, as from the keyboard, restarts it.
await watchWorkers(join(root, '.cache/workers'), () => server.stdin.write('\n'));
const server = spawn('npx', ['tsx', 'watch', 'api/start.ts'], {
  cwd: root,
  stdio: ['pipe', 'inherit', 'inherit'],
  env: { ...process.env, NODE_ENV: 'development' },
});
const pages = spawn('npx', ['vite'], { cwd: root, stdio: 'inherit' });
for (const child of [server, pages]) child.on('exit', (code) => process.exit(code ?? 0));
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    server.kill(signal);
    pages.kill(signal);
  });
