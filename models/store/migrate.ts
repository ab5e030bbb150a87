import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { AnyBulkWriteOperation, Document, Filter } from 'mongodb';
import mongoose from 'mongoose';
import { logger } from '../logger.ts';
import { connectedDatabase } from './client.ts';
import { isDuplicateKey, onceByKey } from './duplicate.ts';
import { migrationsOf, schemaVersionOf } from './entity.ts';

/** State of a collection's migration, and the lock with its owner. */
type SchemaState = { _id: string; version?: number; at?: Date; owner?: string; until?: Date };

const states = () => connectedDatabase().collection<SchemaState>('schemaVersions');
const LOCK = 'lock';
const LOCK_MS = 30_000;
const POLL_MS = 250;
const BATCH = 500;
/** Rows between two log lines. */
const ROWS_A_LINE = 100_000;

/** An error whose message alone is shown to the operator. */
const storeError = (message: string) => Object.assign(new Error(message), { name: 'StoreError' });

/** The collections of the entities that this version knows. */
const ownCollections = () => Object.values(mongoose.models).map(({ collection }) => collection.collectionName);

/**
 * The collections with rows of an earlier version.
 * @throws StoreError where rows are of a later version, which this one would misread
 */
async function findOutdated(collections: readonly string[]): Promise<string[]> {
  const found = await states()
    .find({ _id: { $in: [...collections] } })
    .toArray();
  const versions = new Map(found.map(({ _id, version }) => [_id, version]));
  const newer = collections.filter((name) => Number(versions.get(name)) > schemaVersionOf(name));
  if (newer.length > 0) {
    throw storeError(
      `The data was written by a newer version of Arc (${newer.join(', ')}). Start that version, or restore a copy that was made before it.`,
    );
  }
  const outdated: string[] = [];
  for (const name of collections) {
    const own = schemaVersionOf(name);
    const noted = versions.get(name);
    const isOutdated = noted === undefined ? await hasOlder(name, own) : noted < own;
    if (isOutdated) outdated.push(name);
  }
  return outdated;
}

/**
 * Filter for rows before a version. Rows of the first releases may have no version, and one that is no number is as good
 * as none.
 */
const olderThan = (version: number): Filter<Document> => ({ schemaVersion: { $not: { $gte: version } } });

/** The version of a row; 1 where it has none. */
const versionOf = ({ schemaVersion }: Document): number => (schemaVersion >= 1 ? Math.floor(schemaVersion) : 1);

/** Whether a collection without a recorded version has older rows; in a new store none has. */
const hasOlder = async (name: string, version: number): Promise<boolean> =>
  version > 1 && (await connectedDatabase().collection(name).findOne(olderThan(version))) !== null;

/** Records the version of collections that have none recorded, so that an earlier version of Arc refuses them. */
async function noteVersions(collections: readonly string[]): Promise<void> {
  const noted = await states()
    .find({ _id: { $in: [...collections] } })
    .toArray();
  const known = new Set(noted.map(({ _id }) => _id));
  const missing = collections.filter((name) => !known.has(name));
  if (missing.length === 0) return;
  const rows = missing.map((_id) => ({ _id, version: schemaVersionOf(_id), at: new Date() }));
  // Unordered: what another process records meanwhile does not keep the rest from being recorded.
  await onceByKey(() => states().insertMany(rows, { ordered: false }));
}

/**
 * Requires that all rows have the current version.
 * @throws StoreError where rows are of an earlier or a later version
 */
export async function requireCurrentSchema(collections = ownCollections()): Promise<void> {
  const outdated = await findOutdated(collections);
  if (outdated.length === 0) return;
  throw storeError(
    'The data was written by an earlier version of Arc. Start the server once, so that it updates the data; then run this command again.',
  );
}

/** Freezes a row's lists and objects: a change that writes into them fails, as its difference would not be seen. */
function freeze(value: unknown): void {
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value ?? 0) === Object.prototype;
  if (isPlain) for (const part of Object.values(Object.freeze(value as object))) freeze(part);
}

/** The update from a row to its migrated form: only fields that differ, so that nothing else is overwritten. */
function differenceOf(row: Document, next: Document): Document {
  const set = Object.entries(next).filter(([field, value]) => !isDeepStrictEqual(row[field], value));
  const unset = Object.keys(row).filter((field) => !(field in next));
  return {
    $set: Object.fromEntries(set),
    ...(unset.length > 0 ? { $unset: Object.fromEntries(unset.map((field) => [field, ''])) } : {}),
  };
}

/**
 * The write that migrates one row from its own version to the current one.
 * @throws StoreError naming the row that a migration could not change
 */
function writeOf(row: Document, collection: string): AnyBulkWriteOperation {
  freeze(row);
  const next = migrationsOf(collection)
    .slice(versionOf(row) - 1)
    .reduce((before, { title, change }) => {
      try {
        return change(before);
      } catch (error) {
        const what = (error as Error).message;
        const text = `The row ${row._id} of ${collection} could not be migrated (${title}): ${what}. It is as it was. Start the earlier version, or repair the row and start again.`;
        throw Object.assign(storeError(text), { cause: error });
      }
    }, row);
  const filter: Filter<Document> = {
    _id: row._id,
    schemaVersion: 'schemaVersion' in row ? row.schemaVersion : { $exists: false },
  };
  const update = differenceOf(row, { ...next, schemaVersion: schemaVersionOf(collection) });
  return { updateOne: { filter, update } };
}

/** Whether a batch completes another hundred thousand rows and is logged. */
export const isLineDue = (rows: number, more: number) =>
  Math.floor((rows + more) / ROWS_A_LINE) > Math.floor(rows / ROWS_A_LINE);

async function migrateCollection(name: string, stillHere: () => Promise<void>): Promise<void> {
  const collection = connectedDatabase().collection(name);
  const version = schemaVersionOf(name);
  const titles = migrationsOf(name).map(({ title }) => title);
  logger.info({ collection: name, version, titles }, 'migrating');
  let rows = 0;
  for (let last: unknown; ; ) {
    const batch = await collection
      .find({ ...olderThan(version), ...(last === undefined ? {} : { _id: { $gt: last as never } }) })
      .sort({ _id: 1 })
      .limit(BATCH)
      .toArray();
    if (batch.length > 0) {
      await collection.bulkWrite(
        batch.map((row) => writeOf(row, name)),
        { ordered: false },
      );
    }
    if (isLineDue(rows, batch.length))
      logger.info({ collection: name, rows: rows + batch.length }, 'migration in progress');
    rows += batch.length;
    if (batch.length < BATCH) break;
    last = batch.at(-1)?._id;
    await stillHere();
  }
  await states().updateOne({ _id: name }, { $set: { version, at: new Date() } }, { upsert: true });
  logger.info({ collection: name, rows, version }, 'migrated');
}

/**
 * Takes or renews the migration lock.
 * @returns false where another process holds it
 */
async function holdLock(owner: string): Promise<boolean> {
  const until = new Date(Date.now() + LOCK_MS);
  try {
    const { matchedCount, upsertedCount } = await states().updateOne(
      { _id: LOCK, $or: [{ owner }, { until: { $lte: new Date() } }] },
      { $set: { owner, until } },
      { upsert: true },
    );
    return matchedCount + upsertedCount === 1;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/**
 * Migrates the rows of every entity to the current schema version. One process does so while the others wait; after a
 * crash it continues where it stopped. Call before anything else reads the store.
 * @param collections by default those of all entities
 * @throws StoreError where rows are of a later version
 */
export async function migrate(collections = ownCollections()): Promise<void> {
  const owner = randomUUID();
  for (let outdated = await findOutdated(collections); outdated.length > 0; ) {
    if (await holdLock(owner)) {
      try {
        // Another process may have migrated some meanwhile.
        for (const name of await findOutdated(collections))
          await migrateCollection(name, async () => void (await holdLock(owner)));
      } finally {
        await states().deleteOne({ _id: LOCK, owner });
      }
    } else await wait(POLL_MS);
    outdated = await findOutdated(collections);
  }
  await noteVersions(collections);
}
