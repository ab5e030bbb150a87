import { show } from '../bson/show.ts';
import { type Doc, isDoc, type Value } from '../bson/value.ts';
import { CommandError, fail, refuse } from '../errors.ts';
import { KEEP, REMOVE } from './operator.ts';

const INDEX = /^(0|[1-9]\d*)$/;
/** An update may lengthen an array by at most this many nulls. */
const MAX_PADDING = 1_500_000;

/** Narrows the elements that `$[name]` stands for; undefined lets all through (`$[]`). */
export type ElementTests = Map<string, (value: Value) => boolean>;

/**
 * The concrete paths that a path with `$`, `$[]` and `$[name]` stands for in a document.
 * `matched` finds the position that the query matched in the array at a path.
 */
export function concretePaths(
  doc: Doc,
  path: string[],
  tests: ElementTests,
  matched: (arrayPath: string[]) => number,
): string[][] {
  const at = path.findIndex((step) => step.startsWith('$'));
  if (at <= 0) return [path];
  const step = path[at]!;
  const before = path.slice(0, at);
  if (step === '$')
    return concretePaths(doc, [...before, String(matched(before)), ...path.slice(at + 1)], tests, matched);
  const name = /^\$\[(.*)\]$/.exec(step)?.[1];
  if (name === undefined) return [path];
  const array = getAt(doc, before);
  const where = before.join('.');
  if (array === undefined) refuse(`The path '${where}' must exist in the document in order to apply array updates.`);
  if (!Array.isArray(array)) refuse(`Cannot apply array updates to non-array element ${before.at(-1)}: ${show(array)}`);
  const test = name === '' ? undefined : tests.get(name);
  if (name !== '' && !test) refuse(`No array filter found for identifier '${name}' in path '${path.join('.')}'`);
  return array.flatMap((item, i) =>
    test && !test(item) ? [] : concretePaths(doc, [...before, String(i), ...path.slice(at + 1)], tests, matched),
  );
}

/** The value at a concrete path, or undefined. */
export function getAt(doc: Value, path: string[]): Value {
  let value = doc;
  for (const step of path) {
    if (isDoc(value)) value = value.get(step);
    else if (Array.isArray(value) && INDEX.test(step)) value = value[Number(step)];
    else return undefined;
  }
  return value;
}

/** Changes the value at a concrete path; documents on the way are made, what cannot hold a field is refused (code 28). */
export function changeAt(
  doc: Doc,
  path: string[],
  change: (current: Value) => Value | typeof KEEP | typeof REMOVE,
): void {
  const made: (() => void)[] = [];
  let parent: Doc | Value[] = doc;
  for (let i = 0; i < path.length - 1; i++) {
    const step = path[i]!;
    const child: Value = getAt(parent as Value, [step]);
    if (isDoc(child) || Array.isArray(child)) {
      parent = child;
      continue;
    }
    if (child !== undefined || (Array.isArray(parent) && !INDEX.test(step))) {
      // What is only removed or pulled needs no path to it.
      const result = change(undefined);
      if (result === KEEP || result === REMOVE) return;
      throw notViable(
        path[i + (child === undefined ? 0 : 1)]!,
        step,
        child === undefined ? (parent as Value) : child,
        child === undefined ? path[i - 1] : step,
      );
    }
    const fresh: Doc = new Map();
    const holder: Doc | Value[] = parent;
    made.push(() => put(holder, step, fresh));
    parent = fresh;
  }
  const last = path.at(-1)!;
  if (Array.isArray(parent) && !INDEX.test(last)) {
    const result = change(undefined);
    if (result === KEEP || result === REMOVE) return;
    throw notViable(last, last, parent, path.at(-2));
  }
  const result = change(getAt(parent as Value, [last]));
  if (result === KEEP) return;
  if (result === REMOVE) {
    if (Array.isArray(parent)) {
      if (Number(last) < parent.length) parent[Number(last)] = null;
    } else parent.delete(last);
    return;
  }
  for (const make of made) make();
  put(parent, last, result as Value);
}

function put(holder: Doc | Value[], step: string, value: Value): void {
  if (!Array.isArray(holder)) {
    holder.set(step, value);
    return;
  }
  const index = Number(step);
  if (index - holder.length > MAX_PADDING)
    fail('CannotBackfillArray', `can't backfill more than ${MAX_PADDING} elements`);
  while (holder.length < index) holder.push(null);
  holder[index] = value;
}

function notViable(field: string, step: string, element: Value, name: string | undefined): CommandError {
  return new CommandError(
    'PathNotViable',
    `Cannot create field '${field}' in element {${name ?? step}: ${show(element)}}`,
  );
}
