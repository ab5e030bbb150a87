import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { EJSON } from 'bson';
import type { ClientSession, Document, IndexDescription } from 'mongodb';
import { connectedClient, connectedDatabase } from './client.ts';

/** First line of a backup; the other lines are of type {@link Line}. */
const HEADER = { format: 'arc-copy', version: 1 };
const AT_ONCE = 500;

type Line =
  | typeof HEADER
  | { keys: Record<string, string> }
  | { collection: string; indexes: IndexDescription[] }
  | { in: string; document: Document };

/** Error codes of a MongoDB that can't read at a snapshot because it is not a replica set. */
const NO_MOMENTS = new Set([72, 123]);

/** A session that reads a snapshot of this moment; undefined where the store can't. */
async function readAtThisMoment(): Promise<ClientSession | undefined> {
  const session = connectedClient().startSession({ snapshot: true });
  try {
    await connectedDatabase().collection('accounts').findOne({}, { session });
    return session;
  } catch (error) {
    await session.endSession();
    if (NO_MOMENTS.has(Number((error as { code?: unknown }).code))) return undefined;
    throw error;
  }
}

async function* linesOf(keys: Record<string, string> | null, session?: ClientSession): AsyncGenerator<string> {
  const database = connectedDatabase();
  const write = (line: Line) => `${EJSON.stringify(line, { relaxed: false })}\n`;
  yield write(HEADER);
  if (keys) yield write({ keys });
  const collections = await database.listCollections({}, { nameOnly: true }).toArray();
  for (const { name } of collections.filter((one) => !one.name.startsWith('system.'))) {
    const collection = database.collection(name);
    const indexes = (await collection.indexes()).filter((index) => index.name !== '_id_');
    yield write({ collection: name, indexes: indexes as IndexDescription[] });
    for await (const document of collection.find({}, { promoteValues: false, session }))
      yield write({ in: name, document });
  }
}

/**
 * Writes a backup of the whole store, as of one moment, into a gzipped file of extended JSON lines, while the product
 * runs. It can be restored into the embedded store or a MongoDB.
 * @param keys the encryption keys; only with `--with-keys`
 * @returns whether it is a snapshot; false for a MongoDB that is not a replica set
 */
export async function writeCopy(file: string, keys: Record<string, string> | null): Promise<boolean> {
  const session = await readAtThisMoment();
  try {
    const lines = Readable.from(linesOf(keys, session));
    await pipeline(lines, createGzip({ level: 6 }), createWriteStream(file, { mode: 0o600 }));
    return session !== undefined;
  } finally {
    await session?.endSession();
  }
}

/**
 * Restores a backup into an empty database.
 * @returns the number of documents, and the keys where the backup contains them
 * @throws where the file is not a backup, or the database is not empty
 */
export async function readCopy(file: string): Promise<{ documents: number; keys: Record<string, string> | null }> {
  const database = connectedDatabase();
  const standing = await database.listCollections({}, { nameOnly: true }).toArray();
  for (const { name } of standing) {
    if (await database.collection(name).findOne({}))
      throw new Error(`The store is not empty: ${name} holds documents. Restore into an empty one.`);
  }
  let first = true;
  let keys: Record<string, string> | null = null;
  let documents = 0;
  let waiting: { name: string; documents: Document[] } = { name: '', documents: [] };
  const flush = async () => {
    if (waiting.documents.length > 0)
      await database.collection(waiting.name).insertMany(waiting.documents, { ordered: true });
    documents += waiting.documents.length;
    waiting = { ...waiting, documents: [] };
  };
  const source = createReadStream(file).pipe(createGunzip());
  for await (const text of createInterface({ input: source, crlfDelay: Number.POSITIVE_INFINITY })) {
    const line = EJSON.parse(text, { relaxed: false }) as Line;
    if (first && (line as Partial<typeof HEADER>).format !== HEADER.format)
      throw new Error('This file is not a copy that Arc wrote.');
    first = false;
    if ('keys' in line) keys = line.keys;
    if ('collection' in line) {
      if (line.indexes.length > 0)
        await database.collection(line.collection).createIndexes(line.indexes.map(plainIndex));
    }
    if ('in' in line) {
      if (line.in !== waiting.name || waiting.documents.length >= AT_ONCE) await flush();
      waiting = { name: line.in, documents: [...waiting.documents, line.document] };
    }
  }
  await flush();
  return { documents, keys };
}

/** An index definition as createIndexes takes it, without fields that only servers add. */
function plainIndex(index: IndexDescription): IndexDescription {
  const { key, name, unique, sparse, partialFilterExpression, expireAfterSeconds } = index as IndexDescription & {
    expireAfterSeconds?: unknown;
  };
  const numbers = Object.fromEntries(
    Object.entries(key as Record<string, unknown>).map(([field, value]) => [field, Number(value)]),
  );
  return {
    key: numbers,
    ...(name ? { name } : {}),
    ...(unique ? { unique: true } : {}),
    ...(sparse ? { sparse: true } : {}),
    ...(partialFilterExpression ? { partialFilterExpression } : {}),
    ...(expireAfterSeconds === undefined ? {} : { expireAfterSeconds: Number(expireAfterSeconds) }),
  } as IndexDescription;
}
