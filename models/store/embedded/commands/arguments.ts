import type { Collator } from '../bson/compare.ts';
import { type Doc, isDoc, isNumber, toNumber, typeName, type Value } from '../bson/value.ts';
import { checkNamespace } from '../catalogue/catalogue.ts';
import { collatorFor } from '../catalogue/collation.ts';
import type { Collection } from '../catalogue/collection.ts';
import { CommandError, fail } from '../errors.ts';
import type { KeyField } from '../keys/document.ts';
import { parseSort } from '../sort.ts';
import type { Request } from '../wire/message.ts';

/** The namespace that a command's first field names; throws InvalidNamespace. */
export function namespace(request: Request): string {
  const name = request.body.get(request.name);
  if (typeof name !== 'string') fail('InvalidNamespace', `collection name has invalid type ${typeName(name)}`);
  const ns = `${request.db}.${name}`;
  if (name === '') fail('InvalidNamespace', `Invalid namespace specified '${ns}'`);
  checkNamespace(ns);
  return ns;
}

function wrongType(command: string, field: string, value: Value, expected: string): CommandError {
  return new CommandError(
    'TypeMismatch',
    `BSON field '${command}.${field}' is the wrong type '${typeName(value)}', expected type '${expected}'`,
  );
}

/** An optional document argument. */
export function docArgument(body: Doc, field: string, command: string): Doc {
  const value = body.get(field);
  if (value === undefined || value === null) return new Map();
  if (!isDoc(value)) throw wrongType(command, field, value, 'object');
  return value;
}

/** An optional whole number that is not negative. */
export function countArgument(body: Doc, field: string, command: string): number {
  const value = body.get(field);
  if (value === undefined || value === null) return 0;
  if (!isNumber(value)) throw wrongType(command, field, value, 'long');
  const number = Math.trunc(toNumber(value));
  if (number < 0) fail(51024, `BSON field '${field}' value must be >= 0, actual value '${number}'`);
  return number;
}

/** The sort and collation of a request. */
export function sortArgument(body: Doc, command: string): KeyField[] | undefined {
  const sort = docArgument(body, 'sort', command);
  return sort.size === 0 ? undefined : parseSort(sort);
}

/** The collation of a request, or of its collection where the request says none. */
export const collation = (body: Doc, collection: Collection | undefined): Collator =>
  collatorFor(body.get('collation') ?? collection?.options.get('collation'));

/** When a request's maxTimeMS runs out; undefined without one. */
export function deadline(body: Doc): number | undefined {
  const limit = body.get('maxTimeMS');
  if (limit === undefined) return undefined;
  const milliseconds = toNumber(limit);
  if (!(milliseconds >= 0) || milliseconds > 2147483647)
    fail('BadValue', `${milliseconds} value for maxTimeMS is out of range [0, 2147483647]`);
  return milliseconds === 0 ? undefined : performance.now() + milliseconds;
}
