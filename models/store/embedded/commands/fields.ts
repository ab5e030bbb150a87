import type { Doc } from '../bson/value.ts';
import { CommandError } from '../errors.ts';

const words = (text: string): Set<string> => new Set(text.split(' '));

/** Fields that every command may carry. */
const GENERIC = words(
  '$db lsid $clusterTime $readPreference txnNumber startTransaction autocommit comment $comment maxTimeMS readConcern writeConcern apiVersion apiStrict apiDeprecationErrors',
);

/** The fields of the commands that carry data; what is not here is refused, never passed over. */
const FIELDS: Record<string, Set<string>> = {
  find: words(
    'filter sort projection hint skip limit batchSize singleBatch min max returnKey showRecordId tailable oplogReplay noCursorTimeout awaitData allowPartialResults collation allowDiskUse let',
  ),
  insert: words('documents ordered bypassDocumentValidation'),
  update: words('updates ordered bypassDocumentValidation let'),
  delete: words('deletes ordered let'),
  findAndModify: words(
    'query sort remove update new fields upsert bypassDocumentValidation collation arrayFilters hint let',
  ),
  aggregate: words('pipeline explain allowDiskUse cursor bypassDocumentValidation collation hint let'),
  count: words('query limit skip hint collation fields'),
  distinct: words('key query collation hint'),
  getMore: words('collection batchSize'),
  createIndexes: words('indexes commitQuorum'),
};

const STATEMENTS: Record<'update' | 'delete', Set<string>> = {
  update: words('q u c multi upsert collation arrayFilters hint sort upsertSupplied'),
  delete: words('q limit collation hint'),
};

const unknown = (where: string) => new CommandError(40415, `BSON field '${where}' is an unknown field.`);

/** Refuses a field that the command does not have (code 40415). */
export function checkFields(name: string, body: Doc): void {
  const known = FIELDS[name];
  if (!known) return;
  for (const field of body.keys()) {
    if (field !== name && !known.has(field) && !GENERIC.has(field)) throw unknown(`${name}.${field}`);
  }
}

/** The same for one statement of an update or delete. */
export function checkStatement(kind: 'update' | 'delete', statement: Doc): void {
  for (const field of statement.keys()) if (!STATEMENTS[kind].has(field)) throw unknown(`${kind}.${kind}s.${field}`);
}
