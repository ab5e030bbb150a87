import { join } from 'node:path';
import { Catalogue } from './catalogue/catalogue.ts';
import { hasGarbage, sweep } from './catalogue/collection.ts';
import type { Store } from './commands/context.ts';
import { Cursors } from './commands/cursors.ts';
import { writeQueue } from './commands/queue.ts';
import { Snapshots } from './commands/snapshots.ts';
import { openEngine } from './storage/engine.ts';
import { expireDocuments } from './ttl.ts';

/** Interval of TTL expiry and of closing idle cursors, in milliseconds. */
const MINUTE = 60_000;
/** Keys of dropped data that are removed in one transaction. */
const SWEEP = 500;
const SWEEP_PAUSE = 50;

export type OpenStore = Store & { close(): Promise<void> };

/** The data file in a data directory. */
const dataFile = (directory: string): string => join(directory, 'store.mdb');

/** Opens the store in a directory that this process owns. */
export async function openStore(directory: string): Promise<OpenStore> {
  const engine = await openEngine(dataFile(directory));
  const catalogue = new Catalogue(engine, () => startSweep());
  const queue = writeQueue(engine, catalogue);
  const cursors = new Cursors();
  const snapshots = new Snapshots();
  let sweeper: NodeJS.Timeout | undefined;
  // In small steps with pauses, so that removing dropped data does not block other writes.
  const startSweep = () => {
    sweeper ??= setTimeout(async () => {
      const more = await queue.run(() => sweep(engine, SWEEP)).catch(() => false);
      sweeper = undefined;
      if (more) startSweep();
    }, SWEEP_PAUSE).unref();
  };
  const store: Store = { engine, catalogue, queue, cursors, snapshots, started: new Date() };
  const timer = setInterval(() => {
    cursors.expire();
    snapshots.expire();
    expireDocuments(store).catch(() => undefined);
  }, MINUTE).unref();
  catalogue.removeUnfinished();
  if (hasGarbage(engine)) startSweep();
  const close = async () => {
    clearInterval(timer);
    clearTimeout(sweeper);
    snapshots.endSessions();
    await queue.idle();
    await engine.close();
  };
  return { ...store, close };
}
