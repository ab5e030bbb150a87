import { add, divide, integer64, modulo, multiply, orDouble, subtract } from '../../bson/arithmetic.ts';
import { Decimal128, Double, isNumber, type Numeric, toNumber, type Value } from '../../bson/value.ts';
import { fail, refuse } from '../../errors.ts';
import { any, isWhole, type Kind, number, optional, valued, whole } from '../kind.ts';
import { nullable, type Operator, variadic } from '../operator.ts';

const numeric = number('TypeMismatch');
const modular = number(16611);
const integral = whole('TypeMismatch');
const moment = valued((value, name) => (value instanceof Date ? value : numeric.check(value, name)));

export const plus = (a: Numeric, b: Numeric): Numeric => orDouble(add(a, b), () => toNumber(a) + toNumber(b));
const minus = (a: Numeric, b: Numeric): Numeric => orDouble(subtract(a, b), () => toNumber(a) - toNumber(b));
const times = (a: Numeric, b: Numeric): Numeric => orDouble(multiply(a, b), () => toNumber(a) * toNumber(b));

/** Sums numbers; one date among them makes the sum a date that many milliseconds later. */
function sum(values: (Numeric | Date)[]): Value {
  const [date, second] = values.filter((value) => value instanceof Date);
  if (second) fail(16612, 'only one date allowed in an $add expression');
  const total = values.filter(isNumber).reduce<Numeric>((a, b) => plus(a, b), 0);
  return date ? new Date(date.getTime() + toNumber(total)) : total;
}

function difference(a: Numeric | Date, b: Numeric | Date): Value {
  if (isNumber(a)) return isNumber(b) ? minus(a, b) : fail('TypeMismatch', "can't $subtract a date from a number");
  return isNumber(b) ? new Date(a.getTime() - toNumber(b)) : BigInt(a.getTime() - b.getTime());
}

/** A number of the same type as another; whole numbers stay exact. */
function like(number: Numeric, result: number): Numeric {
  if (number instanceof Decimal128) return Decimal128.fromString(String(result));
  if (number instanceof Double) return new Double(result);
  return typeof number === 'bigint' ? BigInt(result) : result;
}

/** A function of one double; integers become doubles. `allowed` says which arguments have an answer. */
const real = (apply: (x: number) => number, code = 0, allowed = (_x: number): boolean => true): Operator =>
  nullable([numeric], (value) => {
    const x = toNumber(value);
    return allowed(x) ? like(isWhole(value) ? new Double(x) : value, apply(x)) : fail(code, `no result for ${x}`);
  });

const positive = (x: number): boolean => !(x <= 0);

/** A number with its decimal point moved, without the error that multiplying brings. */
function shift(x: number, digits: number): number {
  const [mantissa, exponent = '0'] = String(x).split('e');
  return digits === 0 ? x : Number(`${mantissa}e${Number(exponent) + digits}`);
}

/** Rounds at a decimal place as `cut` does with a number that has lost its fraction. */
const placed = (cut: (x: number) => number, ...place: Kind<Value>[]): Operator =>
  nullable([numeric, ...place], (value, at = 0) => {
    const digits = toNumber(at);
    if (!Number.isInteger(digits) || digits < -20 || digits > 100) fail(51083, 'precision must be within [-20, 100]');
    const moved = shift(toNumber(value), digits);
    const done = (isWhole(value) && digits >= 0) || !Number.isFinite(moved);
    return done ? value : like(value, shift(cut(moved), -digits));
  });

function halfToEven(x: number): number {
  const cut = Math.trunc(x);
  const rest = Math.abs(x - cut);
  return rest > 0.5 || (rest === 0.5 && cut % 2 !== 0) ? cut + Math.sign(x) : cut;
}

function power(base: Numeric, exponent: Numeric): Numeric {
  const [x, y] = [toNumber(base), toNumber(exponent)];
  if (x === 0 && y < 0) fail(28764, '$pow cannot take a base of 0 and a negative exponent');
  const isSmall = Math.abs(x) <= 1 || y < 64;
  if (!isWhole(base) || !isWhole(exponent) || y < 0 || !isSmall) return new Double(x ** y);
  const exact = BigInt(base) ** BigInt(exponent);
  const wide = typeof base === 'bigint' || typeof exponent === 'bigint';
  return orDouble(integer64(exact, wide), () => Number(exact));
}

const bits = (start: bigint, apply: (a: bigint, b: bigint) => bigint): Operator =>
  variadic(integral, (values) => {
    const result = values.map(BigInt).reduce(apply, start);
    return values.some((value) => typeof value === 'bigint') ? result : Number(result);
  });

const TRIGONOMETRY = 'sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh'.split(' ') as 'sin'[];

export const ARITHMETIC: Record<string, Operator> = {
  $add: variadic(moment, sum),
  $multiply: variadic(numeric, (values) => values.reduce(times, 1)),
  $subtract: nullable([moment, moment], difference),
  $divide: nullable([numeric, numeric], (a, b) => (toNumber(b) === 0 ? refuse("can't $divide by zero") : divide(a, b))),
  $mod: nullable([modular, modular], (a, b) => (toNumber(b) === 0 ? fail(16610, "can't $mod by zero") : modulo(a, b))),
  $abs: nullable([numeric], (value) => (toNumber(value) >= 0 ? value : minus(0, value))),
  $ceil: placed(Math.ceil),
  $floor: placed(Math.floor),
  $round: placed(halfToEven, optional(any)),
  $trunc: placed(Math.trunc, optional(any)),
  $pow: nullable([numeric, numeric], power),
  $sqrt: real(Math.sqrt, 28714, (x) => !(x < 0)),
  $exp: real(Math.exp),
  $ln: real(Math.log, 28766, positive),
  $log10: real(Math.log10, 28761, positive),
  $log: nullable([numeric, numeric], (value, base) => {
    const [x, y] = [toNumber(value), toNumber(base)];
    return positive(x) && positive(y) ? new Double(Math.log(x) / Math.log(y)) : fail(28758, 'no $log of these');
  }),
  ...Object.fromEntries(TRIGONOMETRY.map((name) => [`$${name}`, real(Math[name])])),
  $atan2: nullable([numeric, numeric], (y, x) => new Double(Math.atan2(toNumber(y), toNumber(x)))),
  $degreesToRadians: real((x) => (x * Math.PI) / 180),
  $radiansToDegrees: real((x) => (x * 180) / Math.PI),
  $bitAnd: bits(-1n, (a, b) => a & b),
  $bitOr: bits(0n, (a, b) => a | b),
  $bitXor: bits(0n, (a, b) => a ^ b),
  $bitNot: nullable([integral], (value) => ~value),
};
