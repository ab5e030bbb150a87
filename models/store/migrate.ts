import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { AnyBulkWriteOperation, Document, Filter } from 'mongodb';
import mongoose from 'mongoose';
import { logger } from '../logger.ts';
import { connectedDatabase } from './client.ts';
import { isDuplicateKey, onceByKey } from './duplicate.ts';
import { migrationsOf, schemaVersionOf } from './entity.ts';

/** What version the rows of a collection are of, and who is changing them. */
type SchemaState = { _id: string; version?: number; at?: Date; owner?: string; until?: Date };

const states = () => connectedDatabase().collection<SchemaState>('schemaVersions');
const LOCK = 'lock';
const LOCK_MILLISECONDS = 30_000;
const LOOK_MILLISECONDS = 250;
const BATCH = 500;
/** How many rows there are between two lines of the log. */
const ROWS_A_LINE = 100_000;

/** For whoever runs the server: the sentence alone says it. */
const storeError = (message: string) => Object.assign(new Error(message), { name: 'StoreError' });

/** The collections of the entities that this version knows. */
const ownCollections = () => Object.values(mongoose.models).map(({ collection }) => collection.collectionName);

/**
 * The collections whose rows are of an earlier version than this one writes.
 * @throws StoreError where rows are of a later one: this version would read them wrongly
 */
async function findOutdated(collections: readonly string[]): Promise<string[]> {
  const found = await states()
    .find({ _id: { $in: [...collections] } })
    .toArray();
  const versions = new Map(found.map(({ _id, version }) => [_id, version]));
  const newer = collections.filter((name) => Number(versions.get(name)) > schemaVersionOf(name));
  if (newer.length > 0) {
    throw storeError(
      `The data were written by a newer version of Arc (${newer.join(', ')}). Start that version, or restore a copy that was made before it.`,
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

/** The rows of a version before the given one. Rows of the first releases may say none. */
const olderThan = (version: number): Filter<Document> => ({
  $or: [{ schemaVersion: { $lt: version } }, { schemaVersion: { $exists: false } }],
});

/** Whether a collection of which no version is noted holds rows of an earlier one: a new store holds none. */
const hasOlder = async (name: string, version: number): Promise<boolean> =>
  version > 1 && (await connectedDatabase().collection(name).findOne(olderThan(version))) !== null;

/** Notes the versions of the collections of which none is noted, so that an earlier version of Arc refuses them. */
async function noteVersions(collections: readonly string[]): Promise<void> {
  const noted = await states()
    .find({ _id: { $in: [...collections] } })
    .toArray();
  const known = new Set(noted.map(({ _id }) => _id));
  for (const _id of collections.filter((name) => !known.has(name)))
    await onceByKey(() => states().insertOne({ _id, version: schemaVersionOf(_id), at: new Date() }));
}

/**
 * Refuses data that this version has not brought up to date.
 * @throws StoreError where rows are of an earlier version, or of a later one
 */
export async function requireCurrentSchema(collections = ownCollections()): Promise<void> {
  const outdated = await findOutdated(collections);
  if (outdated.length === 0) return;
  throw storeError(
    'The data were written by an earlier version of Arc. Start the server once, so that it brings them up to date; then do this again.',
  );
}

/** What a row must be told to become one of another version: only the fields that differ, so that nothing else is written over. */
function differenceOf(row: Document, next: Document): Document {
  const set = Object.entries(next).filter(([field, value]) => !isDeepStrictEqual(row[field], value));
  const unset = Object.keys(row).filter((field) => !(field in next));
  return {
    $set: Object.fromEntries(set),
    ...(unset.length > 0 ? { $unset: Object.fromEntries(unset.map((field) => [field, ''])) } : {}),
  };
}

/** The write that brings a row to the version of today, whichever it has. */
function writeOf(row: Document, collection: string): AnyBulkWriteOperation {
  const from: number = row.schemaVersion ?? 1;
  const next = migrationsOf(collection)
    .slice(from - 1)
    .reduce((before, { change }) => change(before), row);
  const filter: Filter<Document> = { _id: row._id, schemaVersion: row.schemaVersion ?? { $exists: false } };
  const update = differenceOf(row, { ...next, schemaVersion: schemaVersionOf(collection) });
  return { updateOne: { filter, update } };
}

/** Whether the log is told how far it is: once for every hundred thousand rows. */
export const isLineDue = (rows: number, more: number) =>
  Math.floor((rows + more) / ROWS_A_LINE) > Math.floor(rows / ROWS_A_LINE);

async function migrateCollection(name: string, stillHere: () => Promise<void>): Promise<void> {
  const collection = connectedDatabase().collection(name);
  const version = schemaVersionOf(name);
  const titles = migrationsOf(name).map(({ title }) => title);
  logger.info({ collection: name, version, titles }, 'data are brought up to date');
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
      logger.info({ collection: name, rows: rows + batch.length }, 'data are being brought up to date');
    rows += batch.length;
    if (batch.length < BATCH) break;
    last = batch.at(-1)?._id;
    await stillHere();
  }
  await states().updateOne({ _id: name }, { $set: { version, at: new Date() } }, { upsert: true });
  logger.info({ collection: name, rows, version }, 'data are up to date');
}

/** Takes the lock, or keeps it where it is ours. @returns false where another process has it */
async function holdLock(owner: string): Promise<boolean> {
  const until = new Date(Date.now() + LOCK_MILLISECONDS);
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
 * Brings the rows of every entity to the version of its schema that this process writes: once, by one process while
 * the others wait, and after a crash from where it was. To be called before anything else reads the store.
 * @param collections those of the entities, unless told
 * @throws StoreError where rows are of a later version
 */
export async function migrate(collections = ownCollections()): Promise<void> {
  const owner = randomUUID();
  for (let outdated = await findOutdated(collections); outdated.length > 0; ) {
    if (await holdLock(owner)) {
      try {
        // Another process may have been at it until now.
        for (const name of await findOutdated(collections))
          await migrateCollection(name, async () => void (await holdLock(owner)));
      } finally {
        await states().deleteOne({ _id: LOCK, owner });
      }
    } else await wait(LOOK_MILLISECONDS);
    outdated = await findOutdated(collections);
  }
  await noteVersions(collections);
}
