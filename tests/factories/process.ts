import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { cleanEnvironment } from './cleanEnvironment.ts';

/** The built server as its own process, which can be killed. */
export type ServerProcess = { url: string; child: ChildProcess; kill(): Promise<void>; stop(): Promise<void> };

/** A server that does not serve within this time never will. */
const MAX_START_MS = 60_000;

/** Starts the test build of the server on a data directory; resolves once it serves. */
export const startProcess = (dataDirectory: string, environment: Record<string, string> = {}) =>
  startBuilt('.cache/server/start.js', dataDirectory, environment);

/** Forks a built server, which may exit before it serves. */
export function forkServer(
  file: string,
  dataDirectory: string,
  environment: Record<string, string> = {},
): ChildProcess {
  return fork(resolve(file), {
    env: {
      ...cleanEnvironment(),
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDirectory,
      LOG_LEVEL: 'fatal',
      RATE_LIMIT_FACTOR: '1000',
      ...environment,
    },
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** Starts a built server; `dist/start.js` also serves the pages. */
export async function startBuilt(
  file: string,
  dataDirectory: string,
  environment: Record<string, string> = {},
): Promise<ServerProcess> {
  const child = forkServer(file, dataDirectory, environment);
  const ready = new Promise<number>((done, fail) => {
    child.on('message', (message: { ready?: boolean; port?: number }) => message.ready && done(message.port ?? 0));
    child.on('exit', (code, signal) =>
      fail(new Error(`The server ended before it was ready, with ${signal ?? code}.`)),
    );
  });
  const late = setTimeout(() => child.kill('SIGABRT'), MAX_START_MS);
  const port = await ready.finally(() => clearTimeout(late));
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  return { url: `http://127.0.0.1:${port}`, child, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
}
