import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerProcess, startProcess } from './process.ts';
import { startStoreProxy } from './storeProxy.ts';

export type HeldServer = Awaited<ReturnType<typeof startHeldServer>>;

/**
 * The built server as its own process, with a store proxy that can hold back writes. A test can kill the server between
 * acknowledging a request and storing it, and restart it on the same data.
 */
export async function startHeldServer(channel: Record<string, string>) {
  const directory = mkdtempSync(join(tmpdir(), 'arc-stored-'));
  const proxy = await startStoreProxy(String(process.env.TEST_STORE_URI));
  const environment = {
    ...channel,
    MONGODB_URI: proxy.uri(`t_${randomBytes(6).toString('hex')}`),
    SESSION_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
  };
  let server: ServerProcess = await startProcess(directory, environment);
  return {
    /** Its address, which changes with each restart. */
    url: () => server.url,
    hold: proxy.hold,
    kill: () => server.kill(),
    /** Restarts the server with no writes held back. */
    async restart() {
      proxy.release();
      server = await startProcess(directory, environment);
    },
    async stop() {
      await server.stop();
      await proxy.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
