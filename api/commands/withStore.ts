import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
// Loads every entity: schema versions and indexes are checked for all of them.
import '../../models/entities.ts';
import { connectStore, ensureIndexes } from '../../models/store/connect.ts';
import { requireCurrentSchema } from '../../models/store/migrate.ts';
import { publishSignals } from '../../models/store/signals.ts';
import { findWorker } from '../../models/workers.ts';

/**
 * Runs a command against the store of the running server, which is signalled every change, or against the store
 * directly where no server runs.
 * @param options `asItIs`: skip the schema check, for commands that take data of any version
 */
export async function withStore(work: () => Promise<void>, { asItIs = false } = {}): Promise<void> {
  if (!existsSync(findWorker('store'))) {
    const { buildWorkers } = await import('../../build.mjs');
    await buildWorkers(dirname(findWorker('store')));
  }
  const store = await connectStore();
  const stopTelling = publishSignals(`command-${process.pid}`);
  try {
    if (!asItIs) {
      await requireCurrentSchema();
      await ensureIndexes();
    }
    await work();
  } finally {
    await stopTelling();
    await store.close();
  }
}

/** Prints a line. */
export const print = (line: string) => process.stdout.write(`${line}\n`);

/** Prints the usage and exits with status 2. */
export function exitWithUsage(usage: string): never {
  process.stderr.write(`Usage: ${usage}\n`);
  process.exit(2);
}
