import { equal } from '../bson/compare.ts';
import { type Doc, isDoc, isNumber, toNumber, truthy, type Value } from '../bson/value.ts';
import { fail } from '../errors.ts';
import { compileFilter } from '../filter/compile.ts';
import type { Condition } from '../filter/condition.ts';
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

const UNSUPPORTED_KINDS = new Set(['2d', '2dsphere', 'text', 'geoHaystack', 'columnstore']);

const KNOWN = new Set([
  'v',
  'key',
  'name',
  'unique',
  'sparse',
  'partialFilterExpression',
  'expireAfterSeconds',
  'hidden',
  'collation',
  'background',
  'ns',
  'storageEngine',
  'weights',
  'default_language',
  'language_override',
  'textIndexVersion',
  '2dsphereIndexVersion',
  'bits',
  'min',
  'max',
  'wildcardProjection',
  'dropDups',
  'prepareUnique',
  'clustered',
  'originalSpec',
]);

function fieldsOf(key: Doc): KeyField[] {
  if (key.size === 0) fail('CannotCreateIndex', 'Index keys cannot be an empty object');
  const fields: KeyField[] = [];
  for (const [name, value] of key) {
    if (typeof value === 'string') {
      if (UNSUPPORTED_KINDS.has(value))
        fail('CommandNotSupported', `${value} indexes are not supported by the embedded store`);
      if (value !== 'hashed') fail('CannotCreateIndex', `Unknown index plugin '${value}'`);
    }
    if (name === '') fail('CannotCreateIndex', 'Index keys cannot be an empty field.');
    if (name.includes('$**')) fail('CommandNotSupported', 'wildcard indexes are not supported by the embedded store');
    if (name.split('.').some((step) => step === ''))
      fail('CannotCreateIndex', 'Index keys cannot contain an empty field.');
    if (name.split('.').some((step) => step.startsWith('$') && !/^\$(ref|id|db)$/.test(step))) {
      fail('CannotCreateIndex', "Index key contains an illegal field name: field name starts with '$'.");
    }
    const direction = typeof value === 'string' ? 1 : toNumber(value);
    if (!Number.isFinite(direction) || direction === 0) {
      fail(
        'CannotCreateIndex',
        `Values in v:2 index key pattern cannot be of type ${isNumber(value) ? 'number 0' : typeof value}. Only numbers > 0, numbers < 0, and strings are allowed.`,
      );
    }
    fields.push({ name, path: parsePath(name), direction: direction > 0 ? 1 : -1 });
  }
  return fields;
}

/** MongoDB's default name of an index: fields and directions joined by underscores. */
export function defaultName(key: Doc): string {
  return [...key].map(([name, value]) => `${name}_${typeof value === 'string' ? value : toNumber(value)}`).join('_');
}

function flag(document: Doc, name: string): boolean {
  const value = document.get(name);
  if (value !== undefined && typeof value !== 'boolean' && !isNumber(value)) {
    fail('TypeMismatch', `The field '${name}' has value ${name}: ${String(value)}, which is not convertible to bool`);
  }
  return truthy(value);
}

function seconds(document: Doc, fields: KeyField[]): number | undefined {
  const value = document.get('expireAfterSeconds');
  if (value === undefined) return undefined;
  if (!isNumber(value)) fail('CannotCreateIndex', "TTL index 'expireAfterSeconds' option must be numeric");
  const number = toNumber(value);
  if (!(number >= 0) || number > 2147483647) {
    fail(
      'CannotCreateIndex',
      "TTL index 'expireAfterSeconds' option must be within an acceptable range, try a lower number.",
    );
  }
  if (fields.length > 1) {
    fail('CannotCreateIndex', 'TTL indexes are single-field indexes, compound indexes do not support TTL.');
  }
  if (fields[0]!.name === '_id')
    fail('CannotCreateIndex', "The field '_id' for an _id index cannot have expireAfterSeconds");
  return number;
}

/** Reads an index document as createIndexes gets it, or as the catalogue stored it. Throws code 67 and its kin. */
export function parseIndex(given: Doc, number: number): IndexSpec {
  for (const name of given.keys()) {
    if (!KNOWN.has(name)) {
      fail(197, `The field '${name}' is not valid for an index specification.`);
    }
  }
  const key = given.get('key');
  if (!isDoc(key)) fail('FailedToParse', "The 'key' field is a required property of an index specification");
  const fields = fieldsOf(key);
  const name = given.get('name') ?? defaultName(key);
  if (typeof name !== 'string') fail('TypeMismatch', "The field 'name' must be a string");
  if (name === '') fail('CannotCreateIndex', 'The index name cannot be empty');
  const isId = key.size === 1 && key.has('_id') && !isDoc(key.get('_id')) && toNumber(key.get('_id')) === 1;
  const partial = given.get('partialFilterExpression');
  if (partial !== undefined && !isDoc(partial))
    fail('TypeMismatch', "The field 'partialFilterExpression' must be an object");
  if (isId && (partial || flag(given, 'sparse'))) fail('InvalidOptions', 'An _id index cannot be partial or sparse');
  const document: Doc = new Map<string, Value>([
    ['v', 2],
    ['key', key],
    ['name', isId ? '_id_' : name],
  ]);
  for (const [option, value] of given) {
    if (document.has(option) || ['ns', 'background', 'dropDups'].includes(option)) continue;
    if (option === 'collation' && isDoc(value) && value.get('locale') === 'simple') continue;
    if (['unique', 'sparse', 'hidden'].includes(option) && value === false) continue;
    document.set(option, value);
  }
  const collation = given.get('collation');
  return {
    number,
    name: document.get('name') as string,
    fields,
    unique: isId || flag(given, 'unique'),
    sparse: flag(given, 'sparse'),
    partial: partial ? { filter: partial, condition: compileFilter(partial) } : undefined,
    expireAfterSeconds: seconds(given, fields),
    hidden: flag(given, 'hidden'),
    fold: isDoc(collation) ? foldFor(collation) : undefined,
    document,
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
