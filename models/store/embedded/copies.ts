import type { Host } from './ownership/host.ts';

/** Sends one command to the process that serves the store. */
async function askOwner(host: Host, command: Record<string, unknown>): Promise<void> {
  const { MongoClient } = await import('mongodb');
  const client = await new MongoClient(host.uri).connect();
  try {
    await client.db('admin').command(command);
  } finally {
    await client.close();
  }
}

/** Writes a consistent copy of the data to a file while the store is in use; the copy is readable by this user only. */
export async function backupStore(host: Host, file: string): Promise<void> {
  await (host.store()?.backup(file) ?? askOwner(host, { backup: 1, file }));
}

/** Replaces all data by that of a copy, in one transaction. Throws when the file is no copy of a store. */
export async function restoreStore(host: Host, file: string): Promise<void> {
  await (host.store()?.restore(file) ?? askOwner(host, { restore: 1, file }));
}
