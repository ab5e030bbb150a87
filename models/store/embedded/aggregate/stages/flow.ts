import { type Doc, isDoc, isNumber, toNumber, truthy, typeName, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { docFilter } from '../../filter/compile.ts';
import { valueAt } from '../../filter/path.ts';
import { setComputed } from '../../projection/compile.ts';
import { compareBy, parseSort } from '../../sort.ts';
import { filterContext, type StageMaker } from '../stage.ts';

/** A whole number of a stage that is not below `least`. */
export function stageCount(value: Value, least: number, name: string): number {
  const number = isNumber(value) ? toNumber(value) : Number.NaN;
  if (Number.isNaN(number))
    fail(5107200, `invalid argument to ${name} stage: Expected a number in: ${name}: ${typeName(value)}`);
  if (!Number.isInteger(number))
    fail(5107200, `invalid argument to ${name} stage: Expected an integer: ${name}: ${number}`);
  if (number < least) {
    if (name === '$limit' && number === 0) fail(15958, 'the limit must be positive');
    fail(5107200, `invalid argument to ${name} stage: Expected a non-negative number in: ${name}: ${number}`);
  }
  return number;
}

const match: StageMaker = (operand, context) => {
  if (!isDoc(operand)) fail(15959, 'the match filter must be an expression in an object');
  const test = docFilter(operand, filterContext(context));
  return function* (input) {
    for (const doc of input) if (test(doc)) yield doc;
  };
};

const limit: StageMaker = (operand) => {
  const most = stageCount(operand, 1, '$limit');
  return function* (input) {
    let left = most;
    for (const doc of input) {
      yield doc;
      if (--left === 0) return;
    }
  };
};

const skip: StageMaker = (operand) => {
  const count = stageCount(operand, 0, '$skip');
  return function* (input) {
    let left = count;
    for (const doc of input) if (left-- <= 0) yield doc;
  };
};

const sort: StageMaker = (operand, context) => {
  if (!isDoc(operand)) fail(15973, 'the $sort key specification must be an object');
  if (operand.size === 0) fail(15976, '$sort stage must have at least one sort key');
  const by = compareBy(parseSort(operand), context.collator);
  return (input) => [...input].sort(by);
};

const sample: StageMaker = (operand) => {
  if (!isDoc(operand)) fail(28745, 'the $sample stage specification must be an object');
  if (!operand.has('size')) fail(28749, '$sample stage must specify a size');
  const size = operand.get('size');
  if (!isNumber(size)) fail(28746, 'size argument to $sample must be a number');
  if (toNumber(size) <= 0) fail(28747, 'size argument to $sample must be a positive integer');
  return (input) => {
    const docs = [...input];
    for (let i = 0; i < docs.length - 1; i++) {
      const j = i + Math.floor(Math.random() * (docs.length - i));
      [docs[i], docs[j]] = [docs[j]!, docs[i]!];
    }
    return docs.slice(0, toNumber(size));
  };
};

const count: StageMaker = (operand) => {
  if (typeof operand !== 'string') fail(40156, `the count field must be a non-empty string`);
  if (operand === '') fail(40157, 'the count field must be a non-empty string');
  if (operand.startsWith('$')) fail(40158, 'the count field cannot be a $-prefixed path');
  if (operand.includes('.')) fail(40160, "the count field cannot contain '.'");
  return function* (input) {
    let n = 0;
    for (const _ of input) n++;
    if (n > 0) yield new Map<string, Value>([[operand, n]]);
  };
};

type Unwind = { path: string[]; index: string[] | undefined; keep: boolean };

function unwindSpec(operand: Value): Unwind {
  const given = isDoc(operand) ? operand.get('path') : operand;
  if (isDoc(operand)) {
    for (const key of operand.keys())
      if (!['path', 'includeArrayIndex', 'preserveNullAndEmptyArrays'].includes(key))
        fail(28811, `unrecognized option to $unwind stage: ${key}`);
    if (given === undefined) fail(28812, 'no path specified to $unwind stage');
  } else if (typeof operand !== 'string')
    fail(15981, `expected either a string or an object as specification for $unwind stage, got ${typeName(operand)}`);
  if (typeof given !== 'string') fail(28808, `expected a string as the path for $unwind stage, got ${typeName(given)}`);
  if (!given.startsWith('$')) fail(28818, `path option to $unwind stage should be prefixed with a '$': ${given}`);
  const index = isDoc(operand) ? operand.get('includeArrayIndex') : undefined;
  if (index !== undefined && (typeof index !== 'string' || index === ''))
    fail(28810, 'expected a non-empty string for the includeArrayIndex option to $unwind stage');
  return {
    path: given.slice(1).split('.'),
    index: index?.split('.'),
    keep: isDoc(operand) && truthy(operand.get('preserveNullAndEmptyArrays')),
  };
}

const unwind: StageMaker = (operand) => {
  const { path, index, keep } = unwindSpec(operand);
  const put = (doc: Doc, value: Value, position: Value): Doc => {
    const out: Doc = new Map(doc);
    setComputed(out, path, value);
    if (index) setComputed(out, index, position);
    return out;
  };
  return function* (input) {
    for (const doc of input) {
      const value = valueAt(doc, path);
      if (Array.isArray(value)) {
        if (value.length === 0 && keep) yield put(doc, undefined, null);
        for (const [i, item] of value.entries()) yield put(doc, item, BigInt(i));
      } else if (value !== undefined && value !== null) yield index ? put(doc, value, null) : doc;
      else if (keep) yield index ? put(doc, value, null) : doc;
    }
  };
};

export const FLOW: Record<string, StageMaker> = {
  $match: match,
  $limit: limit,
  $skip: skip,
  $sort: sort,
  $sample: sample,
  $count: count,
  $unwind: unwind,
};
