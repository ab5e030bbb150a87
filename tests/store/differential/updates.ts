// A plain model of MongoDB's updates, by its documentation ("Update Operators").
import { Double, Int32, Long } from 'bson';
import { isOperators, meetsElement } from './filters.ts';
import { compare, copy, type Doc, equal, isDoc, isNumber, numberOf, type Value } from './values.ts';

/** An update that fails, with MongoDB's code. */
export class Failure extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`code ${code}`);
    this.code = code;
  }
}

const fail = (code: number): never => {
  throw new Failure(code);
};

/** The sum in the wider of the two types. */
function sum(a: Value, b: Value): Value {
  if (!isNumber(a)) return fail(14);
  const total = numberOf(a) + numberOf(b);
  if (a instanceof Double || b instanceof Double) return new Double(total);
  return a instanceof Long || b instanceof Long ? Long.fromNumber(total) : new Int32(total);
}

/** The array that an operator changes; a missing one is empty. */
const listOf = (value: Value, code: number): Value[] =>
  value === undefined ? [] : Array.isArray(value) ? value : fail(code);

const items = (operand: Value): Value[] =>
  isDoc(operand) && '$each' in operand ? (operand.$each as Value[]) : [operand];

function push(value: Value, operand: Value): Value[] {
  const { $position, $slice } = (isDoc(operand) ? operand : {}) as { $position?: number; $slice?: number };
  const list = [...listOf(value, 2)];
  list.splice($position ?? list.length, 0, ...items(operand));
  if ($slice === undefined) return list;
  return $slice < 0 ? list.slice($slice) : list.slice(0, $slice);
}

function addToSet(value: Value, operand: Value): Value[] {
  const list = [...listOf(value, 2)];
  for (const item of items(operand)) if (!list.some((other) => equal(other, item))) list.push(item);
  return list;
}

const pulls =
  (operand: Value) =>
  (item: Value): boolean => {
    if (!isDoc(operand)) return equal(item, operand);
    return isOperators(operand) ? meetsElement(item, operand) : isDoc(item) && meetsElement(item, operand);
  };

const kept = (value: Value, keeps: (item: Value) => boolean): Value =>
  value === undefined ? undefined : listOf(value, 2).filter(keeps);

/** What an operator makes of a field's value; undefined stands for no field. */
const CHANGES: Record<string, (value: Value, operand: Value, isNew: boolean) => Value> = {
  $set: (_value, operand) => operand,
  $setOnInsert: (value, operand, isNew) => (isNew ? operand : value),
  $unset: () => undefined,
  $inc: (value, operand) => (value === undefined ? operand : sum(value, operand)),
  $min: (value, operand) => (value === undefined || compare(operand, value) < 0 ? operand : value),
  $max: (value, operand) => (value === undefined || compare(operand, value) > 0 ? operand : value),
  $push: push,
  $addToSet: addToSet,
  $pull: (value, operand) => kept(value, (item) => !pulls(operand)(item)),
  $pullAll: (value, operand) => kept(value, (item) => !(operand as Value[]).some((other) => equal(item, other))),
  $pop: (value, operand) => {
    if (value === undefined) return undefined;
    return operand === 1 ? listOf(value, 14).slice(0, -1) : listOf(value, 14).slice(1);
  },
};

/** Sets or removes the value at a path; documents on the way are made, and nothing is made for a removal. */
function changeAt(holder: Doc | Value[], [step = '', ...rest]: string[], change: (value: Value) => Value): void {
  const fields = holder as Record<string, Value>;
  const value = Object.hasOwn(holder, step) ? fields[step] : undefined;
  if (rest.length > 0 && (isDoc(value) || Array.isArray(value))) {
    changeAt(value, rest, change);
    return;
  }
  const changed = change(rest.length > 0 ? undefined : value);
  if (changed === undefined) {
    if (rest.length > 0 || value === undefined) return;
    // An element of an array leaves null behind.
    if (Array.isArray(holder)) holder[Number(step)] = null;
    else delete fields[step];
    return;
  }
  if (rest.length > 0 && value !== undefined) fail(28);
  if (Array.isArray(holder) && !/^\d+$/.test(step)) fail(28);
  if (Array.isArray(holder)) while (holder.length < Number(step)) holder.push(null);
  fields[step] = rest.reduceRight<Value>((inner, name) => ({ [name]: inner }), copy(changed));
}

/** The document after an update: operators in the order of their fields' names, or a replacement. */
export function updated(doc: Doc, update: Doc, isNew: boolean): Doc {
  if (!isOperators(update)) return { _id: doc._id, ...(copy(update) as Doc) };
  const out = copy(doc);
  const changes = Object.entries(update).flatMap(([operator, fields]) =>
    Object.entries(fields as Doc).map(([path, operand]) => ({ operator, path, operand })),
  );
  changes.sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const { operator, path, operand } of changes)
    changeAt(out, path.split('.'), (value) => CHANGES[operator]!(value, operand, isNew));
  return out;
}

/** What an upsert inserts: the equalities of its filter, changed by the update. */
export function inserted(filter: Doc, update: Doc): Doc {
  const equalities = Object.entries(filter).flatMap(([path, value]): [string, Value][] => {
    if (!isOperators(value)) return [[path, value]];
    return '$eq' in value ? [[path, value.$eq]] : [];
  });
  const base: Doc = {};
  for (const [path, value] of equalities)
    if (isOperators(update) || path === '_id') changeAt(base, path.split('.'), () => value);
  return updated(base, update, true);
}
