import { type Doc, isDoc, isNumber, toNumber, truthy, typeName, type Value } from '../bson/value.ts';
import { checkNamespace } from '../catalogue/catalogue.ts';
import { fail, unsupported } from '../errors.ts';

export const words = (text: string): string[] => text.split(/\s+/);

/** Fields that every command may carry. */
const GENERIC = words(
  `$db lsid $clusterTime $readPreference txnNumber startTransaction autocommit comment $comment maxTimeMS readConcern
   writeConcern`,
);

/**
 * The fields of commands and of their parts, with the type that a value must have; `!` marks those that must be there,
 * `count` is a number that is not negative, `never` what MongoDB knows and this store cannot do, `cursor` the part of
 * that name. What is not here is refused, never passed over.
 */
const FIELDS: Record<string, string> = {
  find: `filter:object sort:object projection:object hint skip:count limit:count batchSize:count singleBatch min:never
         max:never returnKey:never showRecordId:never tailable oplogReplay noCursorTimeout awaitData
         allowPartialResults collation:never allowDiskUse let:never`,
  insert: 'documents ordered bypassDocumentValidation',
  update: 'updates ordered bypassDocumentValidation let:never',
  'update.updates': `q:object! u multi upsert c:never collation:never arrayFilters:never hint sort:object
                     upsertSupplied`,
  delete: 'deletes ordered let:never',
  'delete.deletes': 'q:object! limit collation:never hint',
  findAndModify: `query:object sort:object remove update new fields:object upsert bypassDocumentValidation
                  collation:never arrayFilters:never hint let:never`,
  aggregate: `pipeline:array! explain:never allowDiskUse cursor:cursor bypassDocumentValidation collation:never hint
              let:never`,
  count: 'query:object limit:number skip:count hint collation:never fields',
  distinct: 'key:string! query:object collation:never hint',
  getMore: 'getMore:long! collection:string! batchSize:count',
  killCursors: 'killCursors cursors:array!',
  cursor: 'batchSize:count',
  writeConcern: 'w j wtimeout fsync provenance',
  readConcern: 'level:string atClusterTime afterClusterTime provenance',
  create: `collation:never autoIndexId temp validationLevel validationAction capped:never size:never max:never
           viewOn:never pipeline:never timeseries:never expireAfterSeconds:never clusteredIndex:never validator:never
           encryptedFields:never changeStreamPreAndPostImages:never storageEngine:never indexOptionDefaults:never`,
  drop: 'drop',
  dropDatabase: 'dropDatabase',
  createIndexes: 'indexes:array! commitQuorum',
  dropIndexes: 'index!',
  listCollections: 'filter:object nameOnly authorizedCollections cursor:cursor',
  listDatabases: 'filter:object nameOnly authorizedDatabases',
  listIndexes: 'cursor:cursor',
  explain: 'explain:object! verbosity',
  validate: 'full repair:never metadata:never background checkBSONConformance:never',
  ping: 'ping',
  buildInfo: 'buildInfo',
  serverStatus: 'serverStatus',
  startSession: 'startSession',
  refreshSessions: 'refreshSessions',
  endSessions: 'endSessions',
  killSessions: 'killSessions',
  expireNow: 'expireNow',
};

/** Other names of commands. */
export const ALIASES: Record<string, string> = {
  isMaster: 'hello',
  ismaster: 'hello',
  buildinfo: 'buildInfo',
  findandmodify: 'findAndModify',
  deleteIndexes: 'dropIndexes',
};

/** The type and need of each known field. */
const parse = (word: string): [string, { type?: string; required: boolean }] => {
  const [name = '', type] = word.replace('!', '').split(':');
  return [name, { type, required: word.endsWith('!') }];
};
const KNOWN = new Map(Object.entries(FIELDS).map(([command, fields]) => [command, new Map(words(fields).map(parse))]));

/** The types that are more than what typeName says of a value. */
const TYPES: Record<string, (value: Value, what: string) => boolean> = {
  number: isNumber,
  count: (value, what) =>
    toNumber(value) < 0 ? fail(51024, `${what} must be >= 0, actual value ${toNumber(value)}`) : isNumber(value),
  never: (value, what) =>
    !(isDoc(value) ? value.size > 0 : truthy(value)) || unsupported(what.replace('BSON field ', '')),
  cursor(value) {
    if (isDoc(value)) checkFields('cursor', value);
    return isDoc(value);
  },
};

/** Fields of MongoDB's versioned API, which no command takes. */
const VERSIONED = ['apiVersion', 'apiStrict', 'apiDeprecationErrors'];

/** Checks the fields of a command or a part: 40415 unknown, 40414 missing, 14 of the wrong type, 51024 negative, 115. */
export function checkFields(name: string, body: Doc): void {
  const versioned = VERSIONED.find((field) => body.has(field));
  if (versioned) unsupported(`'${name}.${versioned}'`);
  const fields = KNOWN.get(ALIASES[name] ?? name);
  if (!fields) return;
  const called = (field: string): string => `BSON field '${name}.${field}'`;
  for (const [field, value] of body) {
    const known = fields.has(field) || field === name || GENERIC.includes(field);
    if (!known) fail(40415, `${called(field)} is an unknown field.`);
    const type = fields.get(field)?.type;
    if (!type || value === null) continue;
    const fits = TYPES[type]?.(value, called(field)) ?? typeName(value) === type;
    if (!fits) fail('TypeMismatch', `${called(field)} is the wrong type '${typeName(value)}'`);
  }
  for (const [field, { required }] of fields)
    if (required && (body.get(field) ?? null) === null) fail(40414, `${called(field)} is missing but required`);
}

/** An optional document. */
export const docOf = (value: Value): Doc => (isDoc(value) ? value : new Map());

/** An optional whole number. */
export const wholeOf = (value: Value): number => (isNumber(value) ? Math.trunc(toNumber(value)) : 0);

/** The namespace that a command's first field names; throws InvalidNamespace. */
export function namespace(db: string, body: Doc): string {
  const [command, name] = body.entries().next().value ?? [];
  if (command === 'aggregate' && isNumber(name)) unsupported('an aggregation without a collection');
  if (typeof name !== 'string') fail('InvalidNamespace', `collection name has invalid type ${typeName(name)}`);
  const ns = `${db}.${name}`;
  checkNamespace(ns);
  return ns;
}
