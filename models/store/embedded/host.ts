import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from './store.ts';
import { listen } from './wire/server.ts';

export type Host = { uri: string; close(): Promise<void>; backup(file: string): Promise<void> };

export async function hostStore(directory: string): Promise<Host> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  const store = openStore(directory);
  const socketPath = join(directory, 'store.sock');
  rmSync(socketPath, { force: true });
  const server = await listen(store, { socketPath }, (id) => ({ id, authenticated: true }));
  chmodSync(socketPath, 0o600);
  return {
    uri: `mongodb://${encodeURIComponent(socketPath)}/?directConnection=true`,
    backup: store.backup,
    async close() {
      await server.close();
      await store.close();
    },
  };
}
