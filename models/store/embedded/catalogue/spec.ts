import { equal } from '../bson/compare.ts';
import { type Doc, isDoc, isNumber, isOperatorName, toNumber, truthy, typeName, type Value } from '../bson/value.ts';
import { fail, unsupported } from '../errors.ts';
import { compileFilter } from '../filter/compile.ts';
import type { Condition } from '../filter/path.ts';
import { parsePath } from '../filter/path.ts';
import type { Fold, KeyField } from '../keys/document.ts';
import { foldFor } from './collation.ts';

/** An index as the catalogue keeps it. */
export type IndexSpec = {
  /** Its number in the file; entries of different indexes never mix. */
  number: number;
  name: string;
  fields: KeyField[];
  unique: boolean;
  sparse: boolean;
  partial?: { filter: Doc; condition: Condition };
  /** Seconds that a date in the first field may be old. */
  expireAfterSeconds?: number;
  hidden: boolean;
  fold: Fold;
  /** The index document that listIndexes answers with. */
  document: Doc;
  /** Some document has an array in a field of the index. */
  multikey: boolean;
  /** Some key was cut, so that the index's order cannot be relied on. */
  shortened: boolean;
};

const UNSUPPORTED_KINDS = ['2d', '2dsphere', 'text', 'geoHaystack', 'columnstore'];

/** Options of an index document that are not kept, and all others that it may have. */
const PASSING = ['v', 'key', 'name', 'ns', 'dropDups'];
const FLAGS = ['unique', 'sparse', 'hidden'];
const KNOWN = [...PASSING, ...FLAGS].concat(
  `background partialFilterExpression expireAfterSeconds collation storageEngine weights default_language
   language_override textIndexVersion 2dsphereIndexVersion bits min max wildcardProjection prepareUnique clustered
   originalSpec`.split(/\s+/),
);

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
    cannot(
      `Values in v:2 index key pattern cannot be ${typeName(value)} ${direction}, only numbers but 0 and strings.`,
    );
  return { name, path: parsePath(name), direction: direction > 0 ? 1 : -1 };
}

/** MongoDB's default name of an index: fields and directions joined by underscores. */
const defaultName = (key: Doc): string =>
  [...key].map(([name, value]) => `${name}_${typeof value === 'string' ? value : toNumber(value)}`).join('_');

function wrongType(name: string, value: Value): never {
  fail('TypeMismatch', `The field '${name}' has the wrong type ${typeName(value)}`);
}

function flag(document: Doc, name: string): boolean {
  const value = document.get(name);
  return value === undefined || typeof value === 'boolean' || isNumber(value) ? truthy(value) : wrongType(name, value);
}

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

/** The index document as listIndexes answers with it: without what says nothing. */
function shownDocument(given: Doc, key: Doc, name: string): Doc {
  const options = [...given].filter(([option, value]) => {
    if (option === 'collation') return !(isDoc(value) && value.get('locale') === 'simple');
    return !PASSING.includes(option) && !(FLAGS.includes(option) && value === false);
  });
  return new Map<string, Value>([['v', 2], ['key', key], ['name', name], ...options]);
}

/** Reads an index document as createIndexes gets it, or as the catalogue stored it. Throws code 67 and its kin. */
export function parseIndex(given: Doc, number: number): IndexSpec {
  const unknown = [...given.keys()].find((name) => !KNOWN.includes(name));
  if (unknown) fail(197, `The field '${unknown}' is not valid for an index specification.`);
  const key = given.get('key');
  if (!isDoc(key)) fail('FailedToParse', "The 'key' field is a required property of an index specification");
  if (key.size === 0) cannot('Index keys cannot be an empty object');
  const fields = [...key].map(([name, value]) => fieldOf(name, value));
  const asked = given.get('name') ?? defaultName(key);
  if (typeof asked !== 'string') wrongType('name', asked);
  if (asked === '') cannot('The index name cannot be empty');
  const isId = key.size === 1 && key.has('_id') && toNumber(key.get('_id')) === 1;
  const filter = given.get('partialFilterExpression');
  if (filter !== undefined && !isDoc(filter)) wrongType('partialFilterExpression', filter);
  const [unique, sparse, hidden] = FLAGS.map((name) => flag(given, name)) as [boolean, boolean, boolean];
  if (isId && (filter || sparse)) fail('InvalidOptions', 'An _id index cannot be partial or sparse');
  const collation = given.get('collation');
  const name = isId ? '_id_' : asked;
  return {
    number,
    name,
    fields,
    unique: isId || unique,
    sparse,
    partial: filter && { filter, condition: compileFilter(filter) },
    expireAfterSeconds: seconds(given, fields),
    hidden,
    fold: isDoc(collation) ? foldFor(collation) : undefined,
    document: shownDocument(given, key, name),
    multikey: false,
    shortened: false,
  };
}

/** What makes an index another one: others may stand beside it, even with the same key. */
const IDENTITY = ['key', 'unique', 'sparse', 'partialFilterExpression', 'collation'];
const OPTIONS = ['expireAfterSeconds', 'hidden'];

const same = (a: IndexSpec, b: IndexSpec, options: string[]): boolean =>
  options.every((option) => equal(a.document.get(option), b.document.get(option)));

export const sameIdentity = (a: IndexSpec, b: IndexSpec): boolean => same(a, b, IDENTITY);

/** Whether two indexes are the same by everything but their name. */
export const sameIndex = (a: IndexSpec, b: IndexSpec): boolean => same(a, b, [...IDENTITY, ...OPTIONS]);
