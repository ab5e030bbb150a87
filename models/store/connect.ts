import { join, resolve } from 'node:path';
import type { IndexDescription } from 'mongodb';
import mongoose from 'mongoose';
import { env } from '../env.ts';
import { logger } from '../logger.ts';
import { findWorker } from '../workers.ts';
import { endWritesWithConnections } from './driverWrites.ts';
import { indexSessions } from './sessions.ts';

export type Store = {
  /** True where the embedded store serves the data. */
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
    // `ensureIndexes` creates collections together with their indexes, in one command each.
    autoIndex: false,
    autoCreate: false,
    maxPoolSize: 20,
    // The URI may set its own timeout, e.g. for a replica set with slow elections.
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
  const { startEmbeddedStore } = await import('@arc/embedded-store');
  const directory = resolve(env.DATA_DIR, 'store');
  const onFailure = (message: string) =>
    logger.error({ directory, message }, 'taking the store over from an ended process failed; it is retried');
  const served = await startEmbeddedStore({
    directory,
    workerFile: findWorker('store'),
    onFailure,
  }).catch((error: Error) => {
    // `StoreError` is shown to the operator by its message alone, without a stack.
    throw Object.assign(error, { name: 'StoreError' });
  });
  logger.debug({ directory: join(env.DATA_DIR, 'store'), owner: served.owner }, 'embedded store');
  return served;
}

/** Collections whose indexes are created at the same time: each one more opens a connection. */
const INDEXED_AT_ONCE = 4;

/** Creates every index of every model; idempotent, run once at start. */
export async function ensureIndexes(): Promise<void> {
  const models = Object.values(mongoose.models).values();
  const createOneByOne = async () => {
    for (const { collection, schema } of models) {
      const indexes = schema.indexes().map(([key, options]) => ({ key, ...options }) as IndexDescription);
      if (indexes.length > 0) await collection.createIndexes(indexes);
    }
  };
  await Promise.all([indexSessions(), ...Array.from({ length: INDEXED_AT_ONCE }, createOneByOne)]);
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
