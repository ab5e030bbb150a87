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
import { idDoc, KEEP, REMOVE, type UpdateOperator } from './operator.ts';

const mismatch = (message: string): never => fail('TypeMismatch', message);

function arithmetic(
  name: string,
  verb: string,
  apply: (a: Numeric, b: Numeric) => Numeric | undefined,
  missing: (operand: Numeric) => Numeric,
): UpdateOperator {
  return (operand, path) => {
    if (!isNumber(operand)) mismatch(`Cannot ${verb} with non-numeric argument: {${path}: ${show(operand)}}`);
    const by = operand as Numeric;
    return (current, context) => {
      if (current === undefined) return missing(by);
      if (!isNumber(current)) {
        return mismatch(
          `Cannot apply ${name} to a value of non-numeric type. ${show(idDoc(context.doc))} has the field '${path.split('.').at(-1)}' of non-numeric type ${typeName(current)}`,
        );
      }
      const result = apply(current, by);
      if (result === undefined) {
        refuse(
          `Failed to apply ${name} operations to current value ((${typeTitle(current)})${show(current)}) for document ${show(idDoc(context.doc))}`,
        );
      }
      return result;
    };
  };
}

const typeTitle = (value: Value): string => (typeof value === 'bigint' ? 'NumberLong' : 'NumberInt');

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
    current === undefined || wins(compare(operand, current, collator)) ? clone(operand) : KEEP;

const currentDate: UpdateOperator = (operand) => {
  let type = 'date';
  if (isDoc(operand)) {
    const asked = operand.get('$type');
    if (operand.size !== 1 || (asked !== 'date' && asked !== 'timestamp')) {
      refuse(
        `The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field : {$type: 'date'}}}`,
      );
    }
    type = asked as string;
  } else if (typeof operand !== 'boolean') {
    refuse(
      `${typeName(operand)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`,
    );
  }
  return (_current, context) =>
    type === 'date' ? context.now : new Timestamp({ t: Math.floor(context.now.getTime() / 1000), i: 1 });
};

type Bit = (a: bigint, b: bigint) => bigint;
const BIT: Record<string, Bit> = { and: (a, b) => a & b, or: (a, b) => a | b, xor: (a, b) => a ^ b };

const bit: UpdateOperator = (operand, path) => {
  if (!isDoc(operand))
    refuse(
      `The $bit modifier is not compatible with a ${typeName(operand)}. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}`,
    );
  if (operand.size === 0)
    refuse(`You must pass in at least one bitwise operation. The format is: {$bit: {field: {and/or/xor: #}}`);
  for (const [name, value] of operand) {
    if (!BIT[name])
      refuse(
        `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}' which is an unknown operator: {${name}: ${show(value)}}`,
      );
    if (typeof value !== 'number' && typeof value !== 'bigint')
      refuse(
        `The $bit modifier field must be an Integer(32/64 bit); a '${typeName(value)}' is not supported here: {${name}: ${show(value)}}`,
      );
  }
  return (current, context) => {
    if (current !== undefined && typeof current !== 'number' && typeof current !== 'bigint')
      refuse(
        `Cannot apply $bit to a value of non-integral type.${show(idDoc(context.doc))} has the field ${path.split('.').at(-1)} of non-integer type ${typeName(current)}`,
      );
    let result = BigInt(current ?? 0);
    let wide = typeof current === 'bigint';
    for (const [name, value] of operand) {
      result = BIT[name]!(result, BigInt(value as number | bigint));
      wide ||= typeof value === 'bigint';
    }
    return wide ? BigInt.asIntN(64, result) : Number(BigInt.asIntN(32, result));
  };
};

export const FIELDS: Record<string, UpdateOperator> = {
  $set: (operand) => () => clone(operand),
  $setOnInsert: (operand) => (_current, context) => (context.inserting ? clone(operand) : KEEP),
  $unset: () => (current) => (current === undefined ? KEEP : REMOVE),
  $inc: arithmetic('$inc', 'increment', add, (operand) => operand),
  $mul: arithmetic('$mul', 'multiply', multiply, zero),
  $min: extreme((result) => result < 0),
  $max: extreme((result) => result > 0),
  $currentDate: currentDate,
  $bit: bit,
};
