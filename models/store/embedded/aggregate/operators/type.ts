import { toInt64 } from '../../bson/arithmetic.ts';
import { toDecimal } from '../../bson/decimal.ts';
import {
  Decimal128,
  Double,
  isDoc,
  isNumber,
  type Numeric,
  ObjectId,
  Timestamp,
  TYPES,
  toNumber,
  truthy,
  typeName,
  type Value,
} from '../../bson/value.ts';
import { CommandError, fail, refuse } from '../../errors.ts';
import { any, body, nullish, optional, valued } from '../kind.ts';
import { named, nullable, type Operator, strict } from '../operator.ts';

const cannot = (value: Value, to: string): never =>
  fail('ConversionFailure', `Failed to convert ${typeName(value)} to ${to} with no onError value`);

const WHOLE = /^[+-]?\d+$/;
const REAL = /^[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+|Infinity|NaN)$/i;

/** The number that a value stands for; a text must be one in whole. */
function numberFrom(value: Value, to: string, pattern: RegExp, parse: (text: string) => Numeric): Numeric {
  if (isNumber(value)) return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Date) return BigInt(value.getTime());
  return typeof value === 'string' && pattern.test(value) ? parse(value) : cannot(value, to);
}

/** An integer of the given number of bits; a fraction is cut off. */
function integerOf(value: Value, to: string, bits: number): bigint {
  const number = numberFrom(value, to, WHOLE, BigInt);
  const result = toInt64(number) ?? toInt64(new Double(Math.trunc(toNumber(number))));
  return result !== undefined && BigInt.asIntN(bits, result) === result ? result : cannot(value, to);
}

/** The text of a value that has one. */
export function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Double) return String(value.value);
  return isNumber(value) || typeof value === 'boolean' ? String(value) : undefined;
}

/** A date as text: ISO 8601, where what is left out is midnight in Greenwich. */
const ISO_DATE = /^(\d{4}-\d{2}-\d{2})([T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?(Z|[+-]\d{2}:?\d{2})?$/;

function dateOf(value: Value): Date | undefined {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  if (value instanceof Timestamp) return new Date(value.getHighBitsUnsigned() * 1000);
  const number = isNumber(value) && typeof value !== 'number' ? toNumber(value) : Number.NaN;
  if (typeof value !== 'string') return Math.abs(number) <= 8.64e15 ? new Date(Math.trunc(number)) : undefined;
  const [, day, time = 'T00:00:00', zone = 'Z'] = ISO_DATE.exec(value) ?? [];
  // A day that its month does not have would become one of the next.
  const exists = day !== undefined && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day);
  const date = new Date(`${day}${time.replace(' ', 'T')}${zone}`);
  return exists && !Number.isNaN(date.getTime()) ? date : undefined;
}

/** Conversions of values other than null, by the name of the target type; they fail with ConversionFailure (241). */
const CONVERSIONS: Record<string, (value: Value, to: string) => Value> = {
  double: (value, to) => new Double(toNumber(numberFrom(value, to, REAL, (text) => new Double(Number(text))))),
  int: (value, to) => (value instanceof Date ? cannot(value, to) : Number(integerOf(value, to, 32))),
  long: (value, to) => integerOf(value, to, 64),
  decimal: (value, to) => toDecimal(numberFrom(value, to, REAL, Decimal128.fromString)),
  bool: truthy,
  string: (value, to) => textOf(value) ?? cannot(value, to),
  date: (value, to) => dateOf(value) ?? cannot(value, to),
  objectId: (value, to) => {
    if (value instanceof ObjectId) return value;
    return typeof value === 'string' && /^[0-9a-f]{24}$/i.test(value) ? new ObjectId(value) : cannot(value, to);
  },
};

/** The target type of $convert, by its name or code. */
const target = valued((asked) => {
  const type = isDoc(asked) ? asked.get('type') : asked;
  const code = (name: string) => TYPES[name as keyof typeof TYPES][0];
  const found = Object.keys(CONVERSIONS).find((name) => name === type || code(name) === toNumber(type));
  return found ?? refuse(`Unknown type name: ${String(type)}`);
});

const PARTS = { to: target, input: any, onError: optional(body), onNull: optional(body), format: optional(any) };

const convert = named(['FailedToParse', 'FailedToParse', 'FailedToParse'], PARTS, ({ to, input, onError, onNull }) => {
  if (nullish(input)) return onNull?.() ?? null;
  try {
    return CONVERSIONS[to]!(input, to);
  } catch (error) {
    if (onError && error instanceof CommandError) return onError();
    throw error;
  }
});

const conversions = Object.entries(CONVERSIONS).map(([to, conversion]): [string, Operator] => {
  const name = `$to${to[0]!.toUpperCase()}${to.slice(1)}`;
  return [name, nullable([any], (value) => conversion(value, to))];
});

export const TYPE: Record<string, Operator> = {
  $type: strict([any], typeName),
  $isNumber: strict([any], isNumber),
  ...Object.fromEntries(conversions),
  $convert: convert,
};
