import { add, multiply } from '../bson/arithmetic.ts';
import { compare } from '../bson/compare.ts';
import { show } from '../bson/show.ts';
import {
  clone,
  Decimal128,
  Double,
  isDoc,
  isNumber,
  type Numeric,
  Timestamp,
  typeName,
  type Value,
} from '../bson/value.ts';
import { fail, refuse } from '../errors.ts';
import { shown, type UpdateOperator } from './operator.ts';

/** $inc and $mul; `missing` is what they make of no field. */
const arithmetic =
  (apply: typeof add, missing: (operand: Numeric) => Numeric): UpdateOperator =>
  (operand, field, _collator, name) => {
    if (!isNumber(operand)) fail('TypeMismatch', `Cannot ${name} '${field}' with the non-numeric ${show(operand)}`);
    return (current, { path }) => {
      if (current === undefined) return missing(operand);
      if (!isNumber(current))
        fail('TypeMismatch', `Cannot ${name} ${shown(path)}, which is of type ${typeName(current)}`);
      return apply(current, operand) ?? refuse(`Failed to ${name} ${shown(path)}, which is ${show(current)}`);
    };
  };

/** Zero of the operand's own type: what $mul makes of a missing field. */
function zero(operand: Numeric): Numeric {
  if (operand instanceof Double) return new Double(0);
  if (operand instanceof Decimal128) return Decimal128.fromString('0');
  return typeof operand === 'bigint' ? 0n : 0;
}

const extreme =
  (wins: (result: number) => boolean): UpdateOperator =>
  (operand, _path, collator) =>
  (current) =>
    current === undefined || wins(compare(operand, current, collator)) ? clone(operand) : current;

const currentDate: UpdateOperator = (operand) => {
  const type = isDoc(operand) && operand.size === 1 ? operand.get('$type') : 'date';
  if ((!isDoc(operand) && typeof operand !== 'boolean') || (type !== 'date' && type !== 'timestamp'))
    refuse(`$currentDate takes true or {$type: 'date'} or {$type: 'timestamp'}, not ${show(operand)}`);
  return (_current, { now }) => (type === 'date' ? now : new Timestamp({ t: Math.floor(now.getTime() / 1000), i: 1 }));
};

const BITS: Record<string, (a: bigint, b: bigint) => bigint> = {
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};

const isWhole = (value: Value): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';

const bit: UpdateOperator = (operand) => {
  if (!isDoc(operand) || operand.size === 0) refuse(`$bit takes {and/or/xor: number}, not ${show(operand)}`);
  const operations = [...operand].map(([name, by]) => {
    const apply = Object.hasOwn(BITS, name) ? BITS[name] : undefined;
    if (!apply) refuse(`The $bit modifier only supports 'and', 'or', and 'xor', not '${name}'`);
    return isWhole(by) ? { apply, by } : refuse(`$bit takes 32 or 64 bit integers, not ${typeName(by)}`);
  });
  return (current = 0, { path }) => {
    if (!isWhole(current)) refuse(`Cannot $bit ${shown(path)}, which is of type ${typeName(current)}`);
    const wide = [current, ...operations.map(({ by }) => by)].some((value) => typeof value === 'bigint');
    const result = operations.reduce((total, { apply, by }) => apply(total, BigInt(by)), BigInt(current));
    return wide ? BigInt.asIntN(64, result) : Number(BigInt.asIntN(32, result));
  };
};

export const FIELDS: Record<string, UpdateOperator> = {
  $set: (operand) => () => clone(operand),
  $setOnInsert: (operand) => (current, context) => (context.inserting ? clone(operand) : current),
  $unset: () => () => undefined,
  $inc: arithmetic(add, (operand) => operand),
  $mul: arithmetic(multiply, zero),
  $min: extreme((result) => result < 0),
  $max: extreme((result) => result > 0),
  $currentDate: currentDate,
  $bit: bit,
};
