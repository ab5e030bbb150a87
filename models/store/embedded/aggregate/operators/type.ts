import { toInt64 } from '../../bson/arithmetic.ts';
import { toDecimal } from '../../bson/decimal.ts';
import {
  Decimal128,
  Double,
  isDoc,
  isNumber,
  ObjectId,
  Timestamp,
  TYPES,
  toNumber,
  truthy,
  typeName,
  type Value,
} from '../../bson/value.ts';
import { CommandError, fail } from '../../errors.ts';
import { nullish, type Operator, partsOf, strict } from '../operator.ts';

/** A conversion that cannot be done gives undefined; then it fails with ConversionFailure (241). */
type Conversion = (value: Value) => Value;

/** The number that a value stands for; text must be one in whole. */
function numberFrom(value: Value, to: 'int' | 'long' | 'double' | 'decimal') {
  if (isNumber(value)) return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Date && to !== 'int') return BigInt(value.getTime());
  if (typeof value !== 'string') return undefined;
  if (to === 'int' || to === 'long') return /^[+-]?\d+$/.test(value) ? BigInt(value) : undefined;
  if (!/^[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+|Infinity|NaN)$/i.test(value)) return undefined;
  return to === 'decimal' ? Decimal128.fromString(value) : new Double(Number(value));
}

function whole(value: Value, to: 'int' | 'long'): bigint | undefined {
  const number = numberFrom(value, to);
  if (number === undefined) return undefined;
  const fractional = number instanceof Double || number instanceof Decimal128;
  return toInt64(fractional ? new Double(Math.trunc(toNumber(number))) : number);
}

/** The text of a value that has one. */
export function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Double) return String(value.value);
  return isNumber(value) || typeof value === 'boolean' ? String(value) : undefined;
}

function dateOf(value: Value): Date | undefined {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  if (value instanceof Timestamp) return new Date(value.getHighBitsUnsigned() * 1000);
  if (isNumber(value) && typeof value !== 'number') return new Date(Math.trunc(toNumber(value)));
  if (typeof value !== 'string') return undefined;
  // Without a zone it is Greenwich's, where JavaScript takes this machine's.
  const date = new Date(/\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(value) ? `${value}Z` : value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const CONVERSIONS: Record<string, Conversion> = {
  double: (value) => {
    const number = numberFrom(value, 'double');
    return number === undefined ? undefined : new Double(toNumber(number));
  },
  int: (value) => {
    const number = whole(value, 'int');
    return number !== undefined && BigInt.asIntN(32, number) === number ? Number(number) : undefined;
  },
  long: (value) => whole(value, 'long'),
  decimal: (value) => {
    const number = numberFrom(value, 'decimal');
    return number === undefined ? undefined : toDecimal(number);
  },
  bool: (value) => (isNumber(value) || typeof value === 'boolean' ? truthy(value) : true),
  string: textOf,
  date: dateOf,
  objectId: (value) => {
    if (value instanceof ObjectId) return value;
    return typeof value === 'string' && /^[0-9a-f]{24}$/i.test(value) ? new ObjectId(value) : undefined;
  },
};

const converted = (value: Value, to: string): Value =>
  CONVERSIONS[to]!(value) ??
  fail('ConversionFailure', `Failed to convert ${typeName(value)} to ${to} in $convert with no onError value`);

const conversion = (to: string): Operator => strict(1, 1, ([value]) => (nullish(value) ? null : converted(value, to)));

const convert: Operator = (operand, compile, name) => {
  const given = partsOf(operand, name, ['input', 'to'], ['onError', 'onNull', 'format'], [9, 9, 9]);
  const [input, target, onNull] = ['input', 'to', 'onNull'].map((part) => compile(given.get(part)));
  const onError = given.has('onError') ? compile(given.get('onError')) : undefined;
  return (env) => {
    const asked = target!(env);
    const to = isDoc(asked) ? asked.get('type') : asked;
    const type = Object.keys(CONVERSIONS).find(
      (item) => item === to || TYPES[item as keyof typeof TYPES][0] === toNumber(to),
    );
    if (!type) fail('BadValue', `Unknown type name: ${String(to)}`);
    const value = input!(env);
    if (nullish(value)) return onNull!(env) ?? null;
    try {
      return converted(value, type);
    } catch (error) {
      if (onError && error instanceof CommandError) return onError(env);
      throw error;
    }
  };
};

export const TYPE: Record<string, Operator> = {
  $type: strict(1, 1, ([value]) => typeName(value)),
  $isNumber: strict(1, 1, ([value]) => isNumber(value)),
  $toDouble: conversion('double'),
  $toInt: conversion('int'),
  $toLong: conversion('long'),
  $toDecimal: conversion('decimal'),
  $toBool: conversion('bool'),
  $toString: conversion('string'),
  $toDate: conversion('date'),
  $toObjectId: conversion('objectId'),
  $convert: convert,
};
