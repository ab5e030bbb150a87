import { type Doc, doc, isDoc, isNumber, toNumber, truthy, typeName, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { docFilter } from '../../filter/compile.ts';
import { valueAt } from '../../filter/path.ts';
import { setComputed } from '../../projection/compile.ts';
import { compareBy, parseSort } from '../../sort.ts';
import { each, filterContext, type StageMaker, specOf } from '../stage.ts';

/** A whole number of a stage that is not negative. */
function stageCount(value: Value, name: string): number {
  const number = isNumber(value) ? toNumber(value) : Number.NaN;
  if (!Number.isInteger(number) || number < 0)
    fail(
      5107200,
      `invalid argument to ${name} stage: Expected a non-negative integer, found ${typeName(value)} ${number}`,
    );
  return number;
}

const match: StageMaker = (operand, context) => {
  const test = docFilter(specOf(operand, '$match', 15959), filterContext(context));
  return each((item) => (test(item) ? item : undefined));
};

const limit: StageMaker = (operand) => {
  const most = stageCount(operand, '$limit');
  if (most === 0) fail(15958, 'the limit must be positive');
  return function* (input) {
    let left = most;
    for (const item of input) {
      yield item;
      if (--left === 0) return;
    }
  };
};

const skip: StageMaker = (operand) => {
  const count = stageCount(operand, '$skip');
  return function* (input) {
    let left = count;
    for (const item of input) if (left-- <= 0) yield item;
  };
};

const sort: StageMaker = (operand, context) => {
  const spec = specOf(operand, '$sort', 15973);
  if (spec.size === 0) fail(15976, '$sort stage must have at least one sort key');
  const by = compareBy(parseSort(spec), context.collator);
  return (input) => [...input].sort(by);
};

const sample: StageMaker = (operand) => {
  const size = specOf(operand, '$sample', 28745, { size: 28749 }).get('size');
  if (!isNumber(size)) fail(28746, 'size argument to $sample must be a number');
  if (toNumber(size) <= 0) fail(28747, 'size argument to $sample must be a positive integer');
  return (input) => {
    const drawn = [...input].map((item) => ({ item, lot: Math.random() })).sort((a, b) => a.lot - b.lot);
    return drawn.slice(0, toNumber(size)).map(({ item }) => item);
  };
};

const count: StageMaker = (operand) => {
  if (typeof operand !== 'string' || operand === '') fail(40156, 'the count field must be a non-empty string');
  if (operand.startsWith('$')) fail(40158, 'the count field cannot be a $-prefixed path');
  if (operand.includes('.')) fail(40160, "the count field cannot contain '.'");
  return function* (input) {
    let n = 0;
    for (const _ of input) n++;
    if (n > 0) yield doc({ [operand]: n });
  };
};

const unwind: StageMaker = (operand) => {
  const spec: Doc = isDoc(operand) ? operand : new Map([['path', operand]]);
  const unknown = [...spec.keys()].find(
    (key) => !['path', 'includeArrayIndex', 'preserveNullAndEmptyArrays'].includes(key),
  );
  if (unknown) fail(28811, `unrecognized option to $unwind stage: ${unknown}`);
  const given = spec.get('path');
  if (typeof given !== 'string') fail(28808, `expected a string as the path for $unwind stage, got ${typeName(given)}`);
  if (!given.startsWith('$')) fail(28818, `path option to $unwind stage should be prefixed with a '$': ${given}`);
  const index = spec.get('includeArrayIndex');
  if (index !== undefined && (typeof index !== 'string' || index === ''))
    fail(28810, 'expected a non-empty string for the includeArrayIndex option to $unwind stage');
  const path = given.slice(1).split('.');
  const keep = truthy(spec.get('preserveNullAndEmptyArrays'));
  const put = (from: Doc, value: Value, position: Value): Doc => {
    const out: Doc = new Map(from);
    setComputed(out, path, value);
    if (index) setComputed(out, index.split('.'), position);
    return out;
  };
  return function* (input) {
    for (const item of input) {
      const value = valueAt(item, path);
      if (!Array.isArray(value)) {
        if (keep || (value !== undefined && value !== null)) yield index ? put(item, value, null) : item;
        continue;
      }
      if (value.length === 0 && keep) yield put(item, undefined, null);
      for (const [i, one] of value.entries()) yield put(item, one, BigInt(i));
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
