import { join, resolve } from 'node:path';
import mongoose from 'mongoose';
import { env } from '../env.ts';
import { logger } from '../logger.ts';
import { findWorker } from '../workers.ts';
import { endWritesWithConnections } from './driverWrites.ts';

export type Store = {
  /** True where the product's own store serves the data. */
  embedded: boolean;
  close(): Promise<void>;
};

/**
 * Connects mongoose to MONGODB_URI, or starts the embedded store in DATA_DIR and connects to that. Nothing outside
 * this folder knows which of the two it is.
 */
export async function connectStore(uri = env.MONGODB_URI, databaseName?: string): Promise<Store> {
  endWritesWithConnections();
  const served = uri ? undefined : await serveEmbedded();
  await mongoose.connect(served?.uri ?? uri, {
    ...(served ? { dbName: databaseName ?? 'arc' } : databaseName ? { dbName: databaseName } : {}),
    autoIndex: false,
    maxPoolSize: 20,
    // The address may say otherwise, e.g. for a replica set that takes longer to choose a primary.
    ...(uri.includes('serverSelectionTimeoutMS=') ? {} : { serverSelectionTimeoutMS: 10_000 }),
  });
  return {
    embedded: served !== undefined,
    async close() {
      await mongoose.disconnect();
      await served?.close();
    },
  };
}

async function serveEmbedded() {
  const { startEmbeddedStore } = await import('./embedded/index.ts');
  const directory = resolve(env.DATA_DIR, 'store');
  const onFailure = (message: string) =>
    logger.error({ directory, message }, 'the store could not be taken over from a process that ended: tried again');
  const served = await startEmbeddedStore({
    directory,
    workerFile: findWorker('store'),
    onFailure,
  }).catch((error: Error) => {
    // For whoever runs the server: the sentence alone says it.
    throw Object.assign(error, { name: 'StoreError' });
  });
  logger.debug({ directory: join(env.DATA_DIR, 'store'), owner: served.owner }, 'embedded store');
  return served;
}

/** Makes every index of every model; run once at start, safe to repeat. */
export async function ensureIndexes(): Promise<void> {
  await Promise.all(Object.values(mongoose.models).map((model) => model.createIndexes()));
}

/** Whether the store answers. */
export async function pingStore(): Promise<boolean> {
  try {
    await mongoose.connection.db?.admin().ping();
    return mongoose.connection.readyState === 1;
  } catch {
    return false;
  }
}
