import { equal } from '../bson/compare.ts';
import { show } from '../bson/show.ts';
import {
  BSONRegExp,
  type Doc,
  isDoc,
  isNumber,
  isOperatorName,
  toNumber,
  truthy,
  typeName,
  type Value,
} from '../bson/value.ts';
import { fail, refused, unsupported } from '../errors.ts';
import { compileFilter, isOperatorDoc } from '../filter/compile.ts';
import { parsePath } from '../filter/path.ts';
import type { KeyField } from '../keys/document.ts';

/** An index as the catalogue keeps it. */
export type IndexSpec = ReturnType<typeof parseIndex> & {
  /** Its number in the file; entries of different indexes never mix. */
  number: number;
  /** Some document has an array in a field of the index. */
  multikey: boolean;
  /** Some key was cut, so that the index's order cannot be relied on. */
  shortened: boolean;
};

const UNSUPPORTED_KINDS = ['2d', '2dsphere', 'text', 'geoHaystack', 'columnstore'];

const isFlag = (value: Value): boolean => typeof value === 'boolean' || isNumber(value);
const isText = (value: Value): boolean => typeof value === 'string';
const isValue = (): boolean => true;

/** Options that are not kept, flags, and others, with what a value must be; those of other kinds of indexes are refused. */
const PASSING = { v: isValue, key: isValue, name: isText, ns: isValue, dropDups: isValue };
const FLAGS = { unique: isFlag, sparse: isFlag, hidden: isFlag };
const OTHERS = { background: isValue, expireAfterSeconds: isValue, partialFilterExpression: isDoc };
const UNSUPPORTED =
  `collation storageEngine weights default_language language_override textIndexVersion 2dsphereIndexVersion bits
  min max wildcardProjection prepareUnique clustered originalSpec`.split(/\s+/);
const KNOWN = new Map(Object.entries({ ...PASSING, ...FLAGS, ...OTHERS, ...refused(...UNSUPPORTED) }));

const cannot = (message: string): never => fail('CannotCreateIndex', message);

function fieldOf(name: string, value: Value): KeyField {
  if (typeof value === 'string' && UNSUPPORTED_KINDS.includes(value)) unsupported(`a ${value} index`);
  if (typeof value === 'string' && value !== 'hashed') cannot(`Unknown index plugin '${value}'`);
  if (name.includes('$**')) unsupported('a wildcard index');
  const steps = name.split('.');
  if (steps.includes('')) cannot('Index keys cannot contain an empty field.');
  if (steps.some(isOperatorName)) cannot("Index key contains an illegal field name: field name starts with '$'.");
  const direction = typeof value === 'string' ? 1 : toNumber(value);
  if (!Number.isFinite(direction) || direction === 0)
    cannot(`Values in an index key pattern are numbers but 0, and strings, not ${typeName(value)} ${direction}.`);
  return { name, path: parsePath(name), direction: direction > 0 ? 1 : -1 };
}

/** MongoDB's default name of an index: fields and directions joined by underscores. */
const defaultName = (key: Doc): string =>
  [...key].map(([name, value]) => `${name}_${typeof value === 'string' ? value : toNumber(value)}`).join('_');

function seconds(document: Doc, fields: KeyField[]): number | undefined {
  const value = document.get('expireAfterSeconds');
  if (value === undefined) return undefined;
  if (!isNumber(value)) cannot("TTL index 'expireAfterSeconds' option must be numeric");
  const number = toNumber(value);
  if (!(number >= 0) || number > 2147483647) cannot("TTL index 'expireAfterSeconds' must be within 0 and 2147483647.");
  if (fields.length > 1) cannot('TTL indexes are single-field indexes, compound indexes do not support TTL.');
  if (fields[0]!.name === '_id') cannot("The field '_id' for an _id index cannot have expireAfterSeconds");
  return number;
}

/** The index document as listIndexes returns it, without options that have no effect. */
function shownDocument(given: Doc, key: Doc, name: string): Doc {
  const options = [...given].filter(([option, value]) => !(option in PASSING) && !(option in FLAGS && value === false));
  return new Map<string, Value>([['v', 2], ['key', key], ['name', name], ...options]);
}

/** The operators that MongoDB lets into the filter of a partial index. */
const PARTIAL = ['$eq', '$gt', '$gte', '$lt', '$lte', '$in', '$type', '$exists'];

/** Refuses what MongoDB refuses in the filter of a partial index (code 67). */
export function checkPartial(filter: Doc): void {
  for (const [name, value] of filter) {
    if (name === '$and' || name === '$or') for (const part of value as Doc[]) checkPartial(part);
    else if (name.startsWith('$')) cannot(`Expression not supported in partial index: ${name}`);
    for (const [operator, operand] of isOperatorDoc(value) ? value : []) {
      const isAllowed = PARTIAL.includes(operator) && (operator !== '$exists' || truthy(operand));
      if (!isAllowed) cannot(`Expression not supported in partial index: ${show(value)}`);
    }
    if (value instanceof BSONRegExp) cannot('Expression not supported in partial index: a regular expression');
  }
}

/** Reads an index document as createIndexes gets it, or as the catalogue stored it. Throws code 67 and its kin. */
export function parseIndex(given: Doc) {
  for (const [option, value] of given) {
    const fits = KNOWN.get(option) ?? fail(197, `The field '${option}' is not valid for an index specification.`);
    if (!fits(value)) fail('TypeMismatch', `The field '${option}' has the wrong type ${typeName(value)}`);
  }
  const key = given.get('key');
  if (!isDoc(key)) fail('FailedToParse', "The 'key' field is a required property of an index specification");
  if (key.size === 0) cannot('Index keys cannot be an empty object');
  const fields = [...key].map(([name, value]) => fieldOf(name, value));
  const isId = key.size === 1 && key.has('_id') && toNumber(key.get('_id')) === 1;
  const name = isId ? '_id_' : ((given.get('name') ?? defaultName(key)) as string);
  if (name === '') cannot('The index name cannot be empty');
  const filter = given.get('partialFilterExpression') as Doc;
  const sparse = truthy(given.get('sparse'));
  if (isId && (filter || sparse)) fail('InvalidOptions', 'An _id index cannot be partial or sparse');
  return {
    name,
    fields,
    unique: isId || truthy(given.get('unique')),
    sparse,
    partial: filter && { filter, condition: compileFilter(filter) },
    /** Maximum age in seconds of the date in the first field. */
    expireAfterSeconds: seconds(given, fields),
    hidden: truthy(given.get('hidden')),
    /** The index document that listIndexes answers with. */
    document: shownDocument(given, key, name),
  };
}

/** The options that make two indexes with the same key different, so that both may exist. */
const IDENTITY = ['key', 'unique', 'sparse', 'partialFilterExpression'];
const OPTIONS = ['expireAfterSeconds', 'hidden'];

/** Whether the index of a document is there already; throws 85 or 86 where one that is there conflicts with it. */
export function isAmong(indexes: IndexSpec[], wanted: Doc): boolean {
  for (const { name, document } of indexes) {
    const same = (option: string): boolean => equal(document.get(option), wanted.get(option));
    const equivalent = IDENTITY.every(same);
    const named = name === wanted.get('name');
    if (!equivalent && !named) continue;
    const what = `Requested index: ${show(wanted)}, existing index: ${show(document)}`;
    if (!equivalent) fail('IndexKeySpecsConflict', `An existing index has the name of the requested one. ${what}`);
    const alike = OPTIONS.every(same);
    if (named && (alike || name === '_id_')) return true;
    fail('IndexOptionsConflict', `Index already exists with a different ${alike ? 'name' : 'option'}. ${what}`);
  }
  return false;
}
