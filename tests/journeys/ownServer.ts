import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBuilt } from '../factories/process.ts';

/**
 * Starts a server of its own, for what other journeys must not see: mail, a thousand users.
 * @param file the built server
 */
export async function startOwnServer(environment: Record<string, string> = {}, file = 'dist/start.js') {
  const directory = mkdtempSync(join(tmpdir(), 'arc-journey-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const served = await startBuilt(file, directory, { PORT: String(port), BASE_URL: url, ...environment });
  return { url, directory, stop: served.stop };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}
