import type { Document } from 'mongodb';
import { connectedDatabase } from './client.ts';
import { accountFieldOf, placesOfNames, placesOfOwners } from './entity.ts';
import { SESSIONS } from './sessions.ts';

const filterOf = (collection: string, accountId: number): Document => ({
  [collection === SESSIONS.collection ? SESSIONS.account : accountFieldOf(collection)]: accountId,
});

/** Every collection except system ones and GridFS bytes. */
async function collectionNames(): Promise<string[]> {
  const all = await connectedDatabase().listCollections({}, { nameOnly: true }).toArray();
  return all
    .map(({ name }) => name)
    .filter((name) => !/^(system|files)\./.test(name))
    .sort();
}

/**
 * All documents of an account, collection by collection. Lists the collections from the store, so that a new one is
 * never forgotten; therefore bypasses the models. For the account export only.
 */
export async function* dangerouslyReadAccount(
  accountId: number,
): AsyncGenerator<{ collection: string; document: Document }> {
  for (const collection of await collectionNames()) {
    for await (const document of connectedDatabase().collection(collection).find(filterOf(collection, accountId))) {
      yield { collection, document };
    }
  }
}

/** How many documents {@link dangerouslyReadAccount} reads. */
export async function dangerouslyCountAccount(accountId: number): Promise<number> {
  let count = 0;
  for (const collection of await collectionNames())
    count += await connectedDatabase().collection(collection).countDocuments(filterOf(collection, accountId));
  return count;
}

/**
 * Deletes all documents of an account except in the `keep` collections, and the bytes of its files.
 * @returns the number of deleted documents
 */
export async function dangerouslyEraseAccount(accountId: number, keep: readonly string[]): Promise<number> {
  const database = connectedDatabase();
  const files = await database
    .collection('storedFiles')
    .find({ accountId }, { projection: { _id: 1 } })
    .toArray();
  // Bytes whose row was never written are found by their metadata.
  const bytes = await database
    .collection('files.files')
    .find({ 'metadata.accountId': accountId }, { projection: { _id: 1 } })
    .toArray();
  const ids = [...files, ...bytes].map(({ _id }) => _id);
  await database.collection('files.chunks').deleteMany({ files_id: { $in: ids } });
  await database.collection('files.files').deleteMany({ _id: { $in: ids } });
  let gone = 0;
  for (const collection of (await collectionNames()).filter((name) => !keep.includes(name))) {
    gone += (await database.collection(collection).deleteMany(filterOf(collection, accountId))).deletedCount;
  }
  return gone;
}

/** Replaces a person's name in the elements of a list, e.g. `decidedBy.name`. */
async function renameInLists(collection: string, filter: Document, field: string, userId: number, now: string) {
  const [list = '', part = ''] = field.split('.');
  const rows = connectedDatabase().collection(collection);
  for await (const row of rows.find(filter, { projection: { [list]: 1 } })) {
    const renamed = (row[list] as Document[]).map((one) => (one.userId === userId ? { ...one, [part]: now } : one));
    await rows.updateOne({ _id: row._id }, { $set: { [list]: renamed } });
  }
}

/** Replaces a person's name where it is stored next to their id, and deletes rows that are only theirs. */
export async function dangerouslyForgetPerson(
  accountId: number,
  userId: number,
  name: string,
  now: string,
): Promise<void> {
  const database = connectedDatabase();
  for (const { collection, name: field, userId: beside, isList } of placesOfNames()) {
    const theirs = beside ? { [beside]: userId } : { [field]: name };
    if (isList) await renameInLists(collection, { accountId, ...theirs }, field, userId, now);
    else await database.collection(collection).updateMany({ accountId, ...theirs }, { $set: { [field]: now } });
  }
  await database.collection(SESSIONS.collection).deleteMany({ [SESSIONS.user]: userId });
  const known = await database
    .collection('channelIdentities')
    .find({ accountId, userId }, { projection: { platformId: 1 } })
    .toArray();
  // Their one-to-one chats: keyed by the platform's user id, the last part of the identity's id.
  for (const { platformId } of known) {
    const own = String(platformId).slice(String(platformId).lastIndexOf('/') + 1);
    await database.collection('channelReferences').deleteMany({ accountId, userId: own });
  }
  for (const { collection, field } of placesOfOwners()) {
    await database.collection(collection).deleteMany({ accountId, [field]: userId });
  }
}
