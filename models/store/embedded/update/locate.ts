import { show } from '../bson/show.ts';
import { type Doc, isDoc, type Value } from '../bson/value.ts';
import { fail, refuse } from '../errors.ts';
import type { Test } from '../filter/path.ts';
import { KEEP, REMOVE, type Result } from './operator.ts';

const INDEX = /^(0|[1-9]\d*)$/;
/** An update may lengthen an array by at most this many nulls. */
const MAX_PADDING = 1_500_000;

/** Narrows the elements that `$[name]` stands for; `$[]` lets all through. */
export type ElementTests = Map<string, Test>;

/**
 * The concrete paths that a path with `$`, `$[]` and `$[name]` stands for in a document.
 * `matched` finds the position that the query matched in the array at a path, -1 where there is none.
 */
export function concretePaths(
  doc: Doc,
  path: string[],
  tests: ElementTests,
  matched: (arrayPath: string[]) => number,
): string[][] {
  const at = path.findIndex((step) => step === '$' || step.startsWith('$['));
  if (at <= 0) return [path];
  const before = path.slice(0, at);
  const from = (i: number) => concretePaths(doc, [...before, String(i), ...path.slice(at + 1)], tests, matched);
  if (path[at] === '$') {
    const position = matched(before);
    if (position >= 0) return from(position);
    refuse('The positional operator did not find the match needed from the query.');
  }
  const array = getAt(doc, before);
  const where = before.join('.');
  if (array === undefined) refuse(`The path '${where}' must exist in the document in order to apply array updates.`);
  if (!Array.isArray(array)) refuse(`Cannot apply array updates to non-array element ${before.at(-1)}: ${show(array)}`);
  const name = path[at]!.slice(2, -1);
  const test = tests.get(name);
  if (name !== '' && !test) refuse(`No array filter found for identifier '${name}' in path '${path.join('.')}'`);
  return array.flatMap((item, i) => (test && !test(item) ? [] : from(i)));
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
export function changeAt(doc: Doc, path: string[], change: (current: Value) => Result): void {
  let holder: Doc | Value[] = doc;
  for (const [i, step] of path.entries()) {
    const child: Value = getAt(holder as Value, [step]);
    const last = i === path.length - 1;
    const holds = isDoc(holder) || INDEX.test(step);
    if (!last && (isDoc(child) || Array.isArray(child))) {
      holder = child;
      continue;
    }
    const result = change(last && holds ? child : undefined);
    if (result === KEEP) return;
    if (result === REMOVE) {
      if (last && holds) removeFrom(holder, step);
      return;
    }
    // What is only removed or pulled needs no path to it; anything else does.
    if (!holds) notViable(step, path[i - 1], holder as Value);
    if (!last && child !== undefined) notViable(path[i + 1]!, step, child);
    const made = path.slice(i + 1).reduceRight((value: Value, name) => new Map([[name, value]]), result);
    put(holder, step, made);
    return;
  }
}

/** An element of an array leaves null behind. */
function removeFrom(holder: Doc | Value[], step: string): void {
  if (isDoc(holder)) holder.delete(step);
  else if (Number(step) < holder.length) holder[Number(step)] = null;
}

function put(holder: Doc | Value[], step: string, value: Value): void {
  if (isDoc(holder)) {
    holder.set(step, value);
    return;
  }
  const index = Number(step);
  if (index - holder.length > MAX_PADDING)
    fail('CannotBackfillArray', `can't backfill more than ${MAX_PADDING} elements`);
  while (holder.length < index) holder.push(null);
  holder[index] = value;
}

const notViable = (field: string, name: string | undefined, element: Value): never =>
  fail('PathNotViable', `Cannot create field '${field}' in element {${name ?? field}: ${show(element)}}`);
