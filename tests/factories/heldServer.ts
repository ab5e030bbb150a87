import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerProcess, startProcess } from './process.ts';
import { startStoreProxy } from './storeProxy.ts';

export type HeldServer = Awaited<ReturnType<typeof startHeldServer>>;

/**
 * The built server as a process of its own, with a store between which writes can be held back: so that it can be ended
 * after it was told something and before that is stored, and started again on the same data.
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
    /** Its address now: another after it was started again. */
    url: () => server.url,
    hold: proxy.hold,
    kill: () => server.kill(),
    /** Starts it again, with nothing held back any more. */
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
