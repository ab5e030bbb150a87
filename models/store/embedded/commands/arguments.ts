import type { Collator } from '../bson/compare.ts';
import { type Doc, isDoc, isNumber, toNumber, typeName, type Value } from '../bson/value.ts';
import { collatorFor } from '../catalogue/collation.ts';
import type { Collection } from '../catalogue/collection.ts';
import { checkNamespace } from '../catalogue/namespace.ts';
import { fail, refuse } from '../errors.ts';
import type { Request } from '../wire/message.ts';

export const words = (text: string): string[] => text.split(/\s+/);

/** Fields that every command may carry. */
const GENERIC = words(
  `$db lsid $clusterTime $readPreference txnNumber startTransaction autocommit comment $comment maxTimeMS readConcern
   writeConcern apiVersion apiStrict apiDeprecationErrors`,
);

/**
 * The fields of the commands that carry data, and of their statements, with the type that a value must have; `!` marks
 * those that must be there, `count` is a number that is not negative. What is not here is refused, never passed over.
 */
const FIELDS: Record<string, string> = {
  find: `filter:object sort:object projection:object hint skip:count limit:count batchSize:count singleBatch min max
         returnKey showRecordId tailable oplogReplay noCursorTimeout awaitData allowPartialResults collation
         allowDiskUse let:object`,
  insert: 'documents ordered bypassDocumentValidation',
  update: 'updates ordered bypassDocumentValidation let:object',
  'update.updates': 'q:object! u multi upsert c:object collation arrayFilters hint sort:object upsertSupplied',
  delete: 'deletes ordered let:object',
  'delete.deletes': 'q:object! limit collation hint',
  findAndModify: `query:object sort:object remove update new fields:object upsert bypassDocumentValidation collation
                  arrayFilters hint let:object`,
  aggregate: `pipeline:array! explain allowDiskUse cursor:object bypassDocumentValidation collation hint let:object`,
  count: 'query:object limit:number skip:count hint collation fields',
  distinct: 'key:string! query:object collation hint',
  getMore: 'getMore:long! collection:string! batchSize:count',
  killCursors: 'killCursors cursors:array!',
  createIndexes: 'indexes:array! commitQuorum',
  explain: 'explain:object! verbosity',
};

/** The type and need of each known field. */
const parse = (word: string): [string, { type?: string; required: boolean }] => {
  const [name = '', type] = word.replace('!', '').split(':');
  return [name, { type, required: word.endsWith('!') }];
};
const KNOWN = new Map(Object.entries(FIELDS).map(([command, fields]) => [command, new Map(words(fields).map(parse))]));

/** Checks the fields of a command or statement: 40415 unknown, 40414 missing, 14 of the wrong type, 51024 negative. */
export function checkFields(name: string, body: Doc): void {
  const fields = KNOWN.get(name === 'findandmodify' ? 'findAndModify' : name);
  if (!fields) return;
  for (const [field, value] of body) {
    const { type } = fields.get(field) ?? {};
    const what = `BSON field '${name}.${field}'`;
    if (!fields.has(field) && field !== name && !GENERIC.includes(field)) fail(40415, `${what} is an unknown field.`);
    if (!type || value === null) continue;
    const numeric = type === 'number' || type === 'count';
    if (numeric ? !isNumber(value) : typeName(value) !== type)
      fail('TypeMismatch', `${what} is the wrong type '${typeName(value)}', expected '${numeric ? 'long' : type}'`);
    if (type === 'count' && toNumber(value) < 0)
      fail(51024, `${what} value must be >= 0, actual value '${toNumber(value)}'`);
  }
  for (const [field, { required }] of fields)
    if (required && (body.get(field) ?? null) === null)
      fail(40414, `BSON field '${name}.${field}' is missing but a required field`);
}

/** An optional document. */
export const docOf = (value: Value): Doc => (isDoc(value) ? value : new Map());

/** An optional whole number. */
export const wholeOf = (value: Value): number => (isNumber(value) ? Math.trunc(toNumber(value)) : 0);

/** The namespace that a command's first field names; throws InvalidNamespace. */
export function namespace(request: Request): string {
  const name = request.body.get(request.name);
  if (typeof name !== 'string') fail('InvalidNamespace', `collection name has invalid type ${typeName(name)}`);
  const ns = `${request.db}.${name}`;
  checkNamespace(ns);
  return ns;
}

/** The collation of a request, or of its collection where the request says none. */
export const collation = (body: Doc, collection: Collection | undefined): Collator =>
  collatorFor(body.get('collation') ?? collection?.options.get('collation'));

/** When a request's maxTimeMS runs out; undefined without one. */
export function deadline(body: Doc): number | undefined {
  const limit = toNumber(body.get('maxTimeMS') ?? 0);
  if (!(limit >= 0 && limit <= 2147483647)) refuse(`${limit} value for maxTimeMS is out of range [0, 2147483647]`);
  return limit === 0 ? undefined : performance.now() + limit;
}
