import { toInt64 } from '../../bson/arithmetic.ts';
import { toDecimal } from '../../bson/decimal.ts';
import {
  Decimal128,
  type Doc,
  Double,
  isDoc,
  isNumber,
  ObjectId,
  Timestamp,
  toNumber,
  truthy,
  typeName,
  type Value,
} from '../../bson/value.ts';
import { CommandError } from '../../errors.ts';
import { nullish, strict } from '../operator.ts';
import type { Operator } from '../scope.ts';

/** A conversion fails with ConversionFailure (241). */
function fail(value: Value, to: string, why = ''): never {
  throw new CommandError(
    'ConversionFailure',
    why || `Unsupported conversion from ${typeName(value)} to ${to} in $convert with no onError value`,
  );
}

function numberFrom(value: Value, to: string): number | bigint | Double | Decimal128 {
  if (isNumber(value)) return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Date && to !== 'int') return BigInt(value.getTime());
  if (typeof value !== 'string') return fail(value, to);
  if (!/^[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+|Infinity|NaN)$/i.test(value))
    return fail(value, to, `Failed to parse number '${value}' in $convert with no onError value`);
  if (to === 'decimal') return Decimal128.fromString(value);
  if (to === 'double') return new Double(Number(value));
  if (!/^[+-]?\d+$/.test(value))
    return fail(
      value,
      to,
      `Failed to parse number '${value}' in $convert with no onError value: Did not consume whole string.`,
    );
  return BigInt(value);
}

function whole(value: Value, to: string, bits: bigint): bigint {
  const number = numberFrom(value, to);
  const result =
    number instanceof Double
      ? toInt64(new Double(Math.trunc(number.value)))
      : number instanceof Decimal128
        ? toInt64(new Double(Math.trunc(toNumber(number))))
        : BigInt(number);
  if (result === undefined || result >= 1n << (bits - 1n) || result < -(1n << (bits - 1n))) {
    return fail(
      value,
      to,
      `Conversion would overflow target type in $convert with no onError value: ${toNumber(number)}`,
    );
  }
  return result;
}

function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ObjectId) return value.toHexString();
  if (isNumber(value) || typeof value === 'boolean')
    return value instanceof Double ? String(value.value) : String(value);
  return fail(value, 'string');
}

function dateOf(value: Value): Date {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  if (value instanceof Timestamp) return new Date(value.getHighBitsUnsigned() * 1000);
  if (isNumber(value) && typeof value !== 'number') return new Date(Math.trunc(toNumber(value)));
  if (typeof value === 'string') {
    const date = new Date(/\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(value) ? `${value}Z` : value);
    if (!Number.isNaN(date.getTime())) return date;
    return fail(value, 'date', `Error parsing date string '${value}' in $convert with no onError value`);
  }
  return fail(value, 'date');
}

function objectIdOf(value: Value): ObjectId {
  if (value instanceof ObjectId) return value;
  if (typeof value === 'string') {
    if (/^[0-9a-f]{24}$/i.test(value)) return new ObjectId(value);
    return fail(
      value,
      'objectId',
      `Failed to parse objectId '${value}' in $convert with no onError value: Invalid string length for parsing to OID, expected 24 but found ${value.length}`,
    );
  }
  return fail(value, 'objectId');
}

const CONVERSIONS: Record<string, (value: Value) => Value> = {
  double: (value) => new Double(toNumber(numberFrom(value, 'double'))),
  int: (value) => Number(whole(value, 'int', 32n)),
  long: (value) => whole(value, 'long', 64n),
  decimal: (value) => toDecimal(numberFrom(value, 'decimal')),
  bool: (value) => (isNumber(value) || typeof value === 'boolean' ? truthy(value) : true),
  string: textOf,
  date: dateOf,
  objectId: objectIdOf,
};
const BY_CODE: Record<number, string> = {
  1: 'double',
  2: 'string',
  7: 'objectId',
  8: 'bool',
  9: 'date',
  16: 'int',
  18: 'long',
  19: 'decimal',
};

const conversion = (to: string): Operator =>
  strict(1, 1, ([value]) => (nullish(value) ? null : CONVERSIONS[to]!(value)));

const convert: Operator = (operand, compile) => {
  if (!isDoc(operand) || !operand.has('input') || !operand.has('to'))
    throw new CommandError('FailedToParse', "$convert expects an object with 'input' and 'to'");
  const input = compile(operand.get('input'));
  const target = compile(operand.get('to'));
  const onError = operand.has('onError') ? compile(operand.get('onError')) : undefined;
  const onNull = operand.has('onNull') ? compile(operand.get('onNull')) : undefined;
  return (env) => {
    const given = target(env);
    const to = isDoc(given) ? given.get('type') : given;
    const apply = CONVERSIONS[typeof to === 'string' ? to : (BY_CODE[toNumber(to)] ?? '')];
    if (!apply) throw new CommandError('BadValue', `Unknown type name: ${String(to)}`);
    const value = input(env);
    if (nullish(value)) return onNull ? onNull(env) : null;
    try {
      return apply(value);
    } catch (error) {
      if (onError && error instanceof CommandError) return onError(env);
      throw error;
    }
  };
};

/** The operators on a document's fields by computed names. */
const getField: Operator = (operand, compile) => {
  const named = isDoc(operand) && operand.has('field');
  const field = compile(named ? operand.get('field') : operand);
  const input = named && operand.has('input') ? compile(operand.get('input')) : undefined;
  return (env) => {
    const name = field(env);
    if (typeof name !== 'string')
      throw new CommandError(
        5654602,
        `$getField requires 'field' to evaluate to type String, but got ${typeName(name)}`,
      );
    const value = input ? input(env) : env.root;
    return isDoc(value) ? value.get(name) : nullish(value) ? null : undefined;
  };
};

const setField: Operator = (operand, compile, operator) => {
  if (!isDoc(operand)) throw new CommandError(4161100, `${operator} only supports an object as its argument`);
  const field = compile(operand.get('field'));
  const input = compile(operand.get('input'));
  const value = operand.has('value') ? compile(operand.get('value')) : () => undefined;
  return (env) => {
    const holder = input(env);
    if (nullish(holder)) return null;
    if (!isDoc(holder)) throw new CommandError(4161105, `${operator} requires 'input' to evaluate to type Object`);
    const out: Doc = new Map(holder);
    const next = value(env);
    if (next === undefined) out.delete(String(field(env)));
    else out.set(String(field(env)), next);
    return out;
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
  $getField: getField,
  $setField: setField,
  $unsetField: setField,
  $mergeObjects: strict(0, Number.POSITIVE_INFINITY, (values) => {
    const all = values.length === 1 && Array.isArray(values[0]) ? values[0] : values;
    const out: Doc = new Map();
    for (const value of all) {
      if (nullish(value)) continue;
      if (!isDoc(value))
        throw new CommandError(
          40400,
          `$mergeObjects requires object inputs, but input ${String(value)} is of type ${typeName(value)}`,
        );
      for (const [name, item] of value) out.set(name, item);
    }
    return out;
  }),
};
