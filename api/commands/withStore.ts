import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
// Every entity's rows have a version and indexes, whatever the command is about.
import '../../models/entities.ts';
import { connectStore, ensureIndexes } from '../../models/store/connect.ts';
import { requireCurrentSchema } from '../../models/store/migrate.ts';
import { tellSignals } from '../../models/store/signals.ts';
import { findWorker } from '../../models/workers.ts';

/**
 * Runs a command against the store of the running server, which hears what it changes, or opens it where none runs.
 * @param options `asItIs` for what takes the store as it is, whichever version of Arc wrote it
 */
export async function withStore(work: () => Promise<void>, { asItIs = false } = {}): Promise<void> {
  if (!existsSync(findWorker('store'))) {
    const { buildWorkers } = await import('../../build.mjs');
    await buildWorkers(dirname(findWorker('store')));
  }
  const store = await connectStore();
  const stopTelling = tellSignals(`command-${process.pid}`);
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

/** Says a line to whoever typed the command. */
export const tell = (line: string) => process.stdout.write(`${line}\n`);

/** Says how a command is used and ends with 2. */
export function refuseUse(use: string): never {
  process.stderr.write(`Usage: ${use}\n`);
  process.exit(2);
}
