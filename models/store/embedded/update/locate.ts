import { show } from '../bson/show.ts';
import { type Doc, isDoc, type Value } from '../bson/value.ts';
import { fail } from '../errors.ts';

const INDEX = /^(0|[1-9]\d*)$/;
/** An update may lengthen an array by at most this many nulls. */
const MAX_PADDING = 1_500_000;

/** The value at a concrete path, or undefined. */
function getAt(doc: Value, path: string[]): Value {
  let value = doc;
  for (const step of path) {
    if (isDoc(value)) value = value.get(step);
    else if (Array.isArray(value) && INDEX.test(step)) value = value[Number(step)];
    else return undefined;
  }
  return value;
}

/**
 * Changes the value at a concrete path; undefined removes it. Documents on the way are made, and what cannot hold the
 * field is refused (code 28), unless the change leaves nothing there.
 */
export function changeAt(holder: Doc | Value[], path: string[], change: (current: Value) => Value): void {
  const [step = '', ...rest] = path;
  const last = rest.length === 0;
  const child = getAt(holder, [step]);
  if (!last && (isDoc(child) || Array.isArray(child))) {
    changeAt(child, rest, change);
    return;
  }
  const result = change(last ? child : undefined);
  if (result === undefined) {
    if (last) remove(holder, step);
    return;
  }
  if (!last && child !== undefined) notViable(rest[0]!, child);
  const made = rest.reduceRight((value: Value, name) => new Map([[name, value]]), result);
  if (isDoc(holder)) holder.set(step, made);
  else if (INDEX.test(step)) putItem(holder, Number(step), made);
  else notViable(step, holder);
}

/** An element of an array leaves null behind. */
function remove(holder: Doc | Value[], step: string): void {
  if (isDoc(holder)) holder.delete(step);
  else if (INDEX.test(step) && Number(step) < holder.length) holder[Number(step)] = null;
}

function putItem(array: Value[], index: number, value: Value): void {
  if (index - array.length > MAX_PADDING)
    fail('CannotBackfillArray', `can't backfill more than ${MAX_PADDING} elements`);
  while (array.length < index) array.push(null);
  array[index] = value;
}

const notViable = (field: string, element: Value): never =>
  fail('PathNotViable', `Cannot create field '${field}' in element ${show(element)}`);
