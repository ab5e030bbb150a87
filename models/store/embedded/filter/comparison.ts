import { compare, equal } from '../bson/compare.ts';
import { BSONRegExp, isDoc, isNumber, isOperatorName, RANK, rank, toNumber, type Value } from '../bson/value.ts';
import { refuse } from '../errors.ts';
import { ask, type Condition, never, not, type Path, type PathOperator } from './path.ts';
import { matches } from './regex.ts';

/** Equality: null also finds missing fields, arrays are compared with elements and as a whole. */
export function equals(operand: Value, path: Path): Condition {
  if (operand === undefined || operand === null) return ask(path, (value) => value === null || value === undefined);
  if (typeof operand === 'string') return ask(path, (value) => value === operand);
  return ask(path, (value) => value !== undefined && equal(value, operand));
}

const isNaNValue = (value: Value): boolean => isNumber(value) && Number.isNaN(toNumber(value));

/** $gt and its kin compare values of one type only; MinKey and MaxKey are compared with everything. */
const ordering =
  (accept: (result: number) => boolean): PathOperator =>
  (operand, path) => {
    const orEqual = accept(0);
    if (operand instanceof BSONRegExp) refuse("Can't have RegEx as arg to a comparison");
    if (operand === null || operand === undefined) return orEqual ? equals(null, path) : never;
    if (isNaNValue(operand)) return ask(path, (value) => orEqual && isNaNValue(value));
    const kind = rank(operand);
    const all = kind === RANK.minKey || kind === RANK.maxKey;
    return ask(path, (value) => {
      if (value === undefined || (!all && rank(value) !== kind)) return false;
      if (kind === RANK.int && isNaNValue(value)) return false;
      return accept(compare(value, operand));
    });
  };

const membership: PathOperator = (operand, path, _siblings, name) => {
  if (!Array.isArray(operand)) refuse(`${name} needs an array`);
  if (operand.some((item) => isDoc(item) && isOperatorName(item.keys().next().value)))
    refuse(`cannot nest $ under ${name}`);
  const patterns = operand.filter((item) => item instanceof BSONRegExp).map(matches);
  const values = operand.filter((item) => !(item instanceof BSONRegExp)).sort(compare);
  const strings = new Set(values.filter((item) => typeof item === 'string'));
  const hasNull = values.some((item) => item === null);
  const among = (value: Value): boolean => {
    if (typeof value === 'string') return strings.has(value);
    let [low, high] = [0, values.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const result = compare(values[middle], value);
      if (result === 0) return true;
      if (result < 0) low = middle + 1;
      else high = middle - 1;
    }
    return false;
  };
  return ask(path, (value) => {
    if (value === undefined || value === null) return hasNull;
    return among(value) || patterns.some((test) => test(value));
  });
};

export const COMPARISON: Record<string, PathOperator> = {
  $eq: equals,
  $ne: (operand, path) =>
    operand instanceof BSONRegExp ? refuse("Can't have regex as arg to $ne.") : not(equals(operand, path)),
  $gt: ordering((result) => result > 0),
  $gte: ordering((result) => result >= 0),
  $lt: ordering((result) => result < 0),
  $lte: ordering((result) => result <= 0),
  $in: membership,
  $nin: (...given) => not(membership(...given)),
};
