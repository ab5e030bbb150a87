import { join } from 'node:path';
import { Catalogue } from './catalogue/catalogue.ts';
import { hasGarbage, sweep } from './catalogue/collection.ts';
import type { Store } from './commands/context.ts';
import { Cursors } from './commands/cursors.ts';
import { writeQueue } from './commands/queue.ts';
import { Snapshots } from './commands/snapshots.ts';
import { LAYOUT } from './storage/digest.ts';
import { openEngine } from './storage/engine.ts';
import { continueUpgrade, type Place } from './storage/upgrade.ts';
import { expireDocuments } from './ttl.ts';

/** Interval of TTL expiry and of closing idle cursors, in milliseconds. */
const MINUTE = 60_000;
/** Keys that background work changes in one transaction: removal of dropped data, digests for older values. */
const AT_ONCE = 500;
/** Milliseconds between two such transactions. */
const PAUSE = 50;

export type OpenStore = Store & { close(): Promise<void> };

/** The data file in a data directory. */
const dataFile = (directory: string): string => join(directory, 'store.mdb');

/** Repeats a small transaction with pauses, which let other writes pass, while it says that more is left. A failure ends it. */
function inBackground(step: () => Promise<boolean>) {
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    timer ??= setTimeout(async () => {
      const more = await step().catch(() => false);
      timer = undefined;
      if (more) start();
    }, PAUSE).unref();
  };
  return { start, stop: () => clearTimeout(timer) };
}

/** Opens the store in a directory that this process owns. */
export async function openStore(directory: string): Promise<OpenStore> {
  const engine = await openEngine(dataFile(directory));
  const catalogue = new Catalogue(engine, () => sweeper.start());
  const queue = writeQueue(engine, catalogue);
  const cursors = new Cursors();
  const snapshots = new Snapshots();
  const sweeper = inBackground(() => queue.run(() => sweep(engine, AT_ONCE)));
  let place: Place | undefined;
  const upgrader = inBackground(async () => {
    place = await queue.run(() => continueUpgrade(engine, AT_ONCE, place));
    return place !== undefined;
  });
  const store: Store = { engine, catalogue, queue, cursors, snapshots, started: new Date() };
  const timer = setInterval(() => {
    cursors.expire();
    snapshots.expire();
    expireDocuments(store).catch(() => undefined);
  }, MINUTE).unref();
  if (engine.isWritable) {
    catalogue.removeUnfinished();
    if (hasGarbage(engine)) sweeper.start();
    if (engine.layout !== LAYOUT.sealed) upgrader.start();
  }
  const close = async () => {
    clearInterval(timer);
    sweeper.stop();
    upgrader.stop();
    snapshots.endSessions();
    await queue.idle();
    await engine.close();
  };
  return { ...store, close };
}
