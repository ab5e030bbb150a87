import { compare, equal } from '../bson/compare.ts';
import { BSONRegExp, isDoc, isNumber, MaxKey, MinKey, RANK, rank, toNumber, type Value } from '../bson/value.ts';
import { fail, refuse } from '../errors.ts';
import { ask, type Condition, type FilterContext, never, not, type PathOperator } from './condition.ts';
import type { Path } from './path.ts';
import { regexTest } from './regex.ts';

/** Equality: null also finds missing fields, arrays are compared with elements and as a whole. */
export function equals(operand: Value, path: Path, context: FilterContext): Condition {
  if (operand === undefined || operand === null)
    return ask(path, (value) => value === null || value === undefined, { whole: false });
  const whole = Array.isArray(operand) || operand instanceof MinKey || operand instanceof MaxKey;
  if (typeof operand === 'string' && !context.collator) return ask(path, (value) => value === operand, { whole });
  return ask(path, (value) => value !== undefined && equal(value, operand, context.collator), { whole });
}

const isNaNValue = (value: Value): boolean => isNumber(value) && Number.isNaN(toNumber(value));

/** $gt and its kin compare values of one type only; MinKey and MaxKey are compared with everything. */
function ordering(accept: (result: number) => boolean, orEqual: boolean): PathOperator {
  return (operand, path, context) => {
    if (operand instanceof BSONRegExp)
      refuse(`Can't have RegEx as arg to predicate over field '${path.map((s) => s.name).join('.')}'.`);
    if (operand === null || operand === undefined) {
      return orEqual ? equals(null, path, context) : never;
    }
    const kind = rank(operand);
    const all = kind === RANK.minKey || kind === RANK.maxKey;
    if (isNaNValue(operand)) return ask(path, (value) => orEqual && isNaNValue(value), { whole: false });
    return ask(path, (value) => {
      if (value === undefined) return false;
      if (!all && rank(value) !== kind) return false;
      if (kind === RANK.int && isNaNValue(value)) return false;
      return accept(compare(value, operand, context.collator));
    });
  };
}

function membership(operand: Value, path: Path, context: FilterContext, name: string): Condition {
  if (!Array.isArray(operand)) fail('BadValue', `${name} needs an array`);
  const regexes: ((value: Value) => boolean)[] = [];
  const values: Value[] = [];
  for (const item of operand) {
    if (item instanceof BSONRegExp) {
      const test = regexTest(item.pattern, item.options);
      regexes.push((value) => test(value) || (value instanceof BSONRegExp && equal(value, item)));
    } else if (isDoc(item) && firstKey(item).startsWith('$') && !['$ref', '$id', '$db'].includes(firstKey(item))) {
      refuse(`cannot nest $ under ${name}`);
    } else values.push(item);
  }
  const strings = context.collator ? undefined : new Set(values.filter((item) => typeof item === 'string'));
  values.sort((a, b) => compare(a, b, context.collator));
  const hasNull = values.some((item) => item === null);
  return ask(path, (value) => {
    if (value === undefined || value === null) return hasNull;
    if (typeof value === 'string' && strings) return strings.has(value) || regexes.some((test) => test(value));
    return includes(values, value, context) || regexes.some((test) => test(value));
  });
}

function includes(sorted: Value[], value: Value, context: FilterContext): boolean {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const result = compare(sorted[middle], value, context.collator);
    if (result === 0) return true;
    if (result < 0) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}

const firstKey = (item: Map<string, Value>): string => item.keys().next().value ?? '';

export const COMPARISON: Record<string, PathOperator> = {
  $eq: (operand, path, context) => {
    if (operand instanceof BSONRegExp) return ask(path, (value) => value !== undefined && equal(value, operand));
    return equals(operand, path, context);
  },
  $ne: (operand, path, context) => {
    if (operand instanceof BSONRegExp) refuse("Can't have regex as arg to $ne.");
    return not(equals(operand, path, context));
  },
  $gt: ordering((result) => result > 0, false),
  $gte: ordering((result) => result >= 0, true),
  $lt: ordering((result) => result < 0, false),
  $lte: ordering((result) => result <= 0, true),
  $in: (operand, path, context) => membership(operand, path, context, '$in'),
  $nin: (operand, path, context) => not(membership(operand, path, context, '$nin')),
};
