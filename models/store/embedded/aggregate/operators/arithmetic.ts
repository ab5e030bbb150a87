import { add, divide, integer64, modulo, multiply, orDouble, subtract } from '../../bson/arithmetic.ts';
import { Decimal128, Double, isNumber, type Numeric, toNumber, typeName, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { nullable, type Operator, variadic } from '../operator.ts';

const numeric = (value: Value, name: string): Numeric =>
  isNumber(value) ? value : fail('TypeMismatch', `${name} only supports numeric types, not ${typeName(value)}`);

export const plus = (a: Numeric, b: Numeric): Numeric => orDouble(add(a, b), () => toNumber(a) + toNumber(b));
const minus = (a: Numeric, b: Numeric): Numeric => orDouble(subtract(a, b), () => toNumber(a) - toNumber(b));
const times = (a: Numeric, b: Numeric): Numeric => orDouble(multiply(a, b), () => toNumber(a) * toNumber(b));

/** Sums numbers; one date among them makes the sum a date that many milliseconds later. */
function sum(values: Value[], name: string): Value {
  const dates = values.filter((value) => value instanceof Date);
  if (dates.length > 1) fail(16612, 'only one date allowed in an $add expression');
  const total = values
    .filter((value) => !(value instanceof Date))
    .reduce<Numeric>((a, b) => plus(a, numeric(b, name)), 0);
  return dates[0] ? new Date(dates[0].getTime() + toNumber(total)) : total;
}

function difference([a, b]: Value[], name: string): Value {
  if (!(a instanceof Date)) return minus(numeric(a, name), numeric(b, name));
  return b instanceof Date ? BigInt(a.getTime() - b.getTime()) : new Date(a.getTime() - toNumber(numeric(b, name)));
}

/** A number of the same type as another; whole numbers stay exact. */
function like(number: Numeric, result: number): Numeric {
  if (number instanceof Decimal128) return Decimal128.fromString(String(result));
  if (number instanceof Double) return new Double(result);
  return typeof number === 'bigint' ? BigInt(result) : result;
}

const isWhole = (number: Numeric): boolean => typeof number === 'number' || typeof number === 'bigint';

/** A function of one double; integers become doubles. `allowed` says which arguments have an answer. */
const real = (apply: (x: number) => number, code = 0, allowed: (x: number) => boolean = () => true): Operator =>
  nullable(1, 1, ([value], name) => {
    const number = numeric(value, name);
    if (!allowed(toNumber(number))) fail(code, `${name} is not defined for ${toNumber(number)}`);
    return like(isWhole(number) ? new Double(0) : number, apply(toNumber(number)));
  });

const positive = (x: number): boolean => !(x <= 0);

/** A number with its decimal point moved, without the error that multiplying brings. */
function shift(x: number, digits: number): number {
  const [mantissa, exponent = '0'] = String(x).split('e');
  return digits === 0 ? x : Number(`${mantissa}e${Number(exponent) + digits}`);
}

/** Rounds at a decimal place as `whole` does with a number that has lost its fraction. */
const placed = (whole: (x: number) => number, most: 1 | 2): Operator =>
  nullable(1, most, ([value, place = 0], name) => {
    const number = numeric(value, name);
    const digits = toNumber(place);
    if (!Number.isInteger(digits) || digits < -20 || digits > 100)
      fail(51083, `cannot apply ${name} with precision value ${digits} value must be in [-20, 100]`);
    const moved = shift(toNumber(number), digits);
    if ((isWhole(number) && digits >= 0) || !Number.isFinite(moved)) return number;
    return like(number, shift(whole(moved), -digits));
  });

function halfToEven(x: number): number {
  const whole = Math.trunc(x);
  const rest = Math.abs(x - whole);
  return rest > 0.5 || (rest === 0.5 && whole % 2 !== 0) ? whole + Math.sign(x) : whole;
}

function power([base, exponent]: Value[], name: string): Value {
  const a = numeric(base, name);
  const b = numeric(exponent, name);
  if (toNumber(a) === 0 && toNumber(b) < 0) fail(28764, '$pow cannot take a base of 0 and a negative exponent');
  const isSmall = Math.abs(toNumber(a)) <= 1 || toNumber(b) < 64;
  if (!isWhole(a) || !isWhole(b) || toNumber(b) < 0 || !isSmall) return new Double(toNumber(a) ** toNumber(b));
  const exact = BigInt(a as number) ** BigInt(b as number);
  return orDouble(integer64(exact, typeof a === 'bigint' || typeof b === 'bigint'), () => Number(exact));
}

const bits = (start: bigint, apply: (a: bigint, b: bigint) => bigint): Operator =>
  variadic((values, name) => {
    const whole = values.map((value) =>
      typeof value === 'number' || typeof value === 'bigint'
        ? BigInt(value)
        : fail('TypeMismatch', `${name} only supports int and long operands.`),
    );
    const result = whole.reduce(apply, start);
    return values.some((value) => typeof value === 'bigint') ? result : Number(result);
  });

const TRIGONOMETRY = [
  'sin',
  'cos',
  'tan',
  'asin',
  'acos',
  'atan',
  'sinh',
  'cosh',
  'tanh',
  'asinh',
  'acosh',
  'atanh',
] as const;

export const ARITHMETIC: Record<string, Operator> = {
  $add: variadic(sum),
  $multiply: variadic((values, name) => values.reduce<Numeric>((a, b) => times(a, numeric(b, name)), 1)),
  $subtract: nullable(2, 2, difference),
  $divide: nullable(2, 2, ([a, b], name) =>
    toNumber(numeric(b, name)) === 0
      ? fail('BadValue', "can't $divide by zero")
      : divide(numeric(a, name), numeric(b, name)),
  ),
  $mod: nullable(2, 2, ([a, b]) => {
    if (!isNumber(a) || !isNumber(b))
      fail(16611, `$mod only supports numeric types, not ${typeName(a)}, ${typeName(b)}`);
    return toNumber(b) === 0 ? fail(16610, "can't $mod by zero") : modulo(a, b);
  }),
  $abs: nullable(1, 1, ([value], name) => {
    const number = numeric(value, name);
    return toNumber(number) >= 0 ? number : minus(0, number);
  }),
  $ceil: placed(Math.ceil, 1),
  $floor: placed(Math.floor, 1),
  $round: placed(halfToEven, 2),
  $trunc: placed(Math.trunc, 2),
  $pow: nullable(2, 2, power),
  $sqrt: real(Math.sqrt, 28714, (x) => !(x < 0)),
  $exp: real(Math.exp),
  $ln: real(Math.log, 28766, positive),
  $log10: real(Math.log10, 28761, positive),
  $log: nullable(2, 2, ([value, base], name) => {
    const [x, y] = [toNumber(numeric(value, name)), toNumber(numeric(base, name))];
    return positive(x) && positive(y)
      ? new Double(Math.log(x) / Math.log(y))
      : fail(28758, '$log needs positive numbers');
  }),
  ...Object.fromEntries(TRIGONOMETRY.map((name) => [`$${name}`, real(Math[name])])),
  $atan2: nullable(
    2,
    2,
    ([y, x], name) => new Double(Math.atan2(toNumber(numeric(y, name)), toNumber(numeric(x, name)))),
  ),
  $degreesToRadians: real((x) => (x * Math.PI) / 180),
  $radiansToDegrees: real((x) => (x * 180) / Math.PI),
  $bitAnd: bits(-1n, (a, b) => a & b),
  $bitOr: bits(0n, (a, b) => a | b),
  $bitXor: bits(0n, (a, b) => a ^ b),
  $bitNot: nullable(1, 1, ([value]) =>
    typeof value === 'number' || typeof value === 'bigint'
      ? ~value
      : fail('TypeMismatch', `$bitNot only supports int and long, not: ${typeName(value)}.`),
  ),
  $rand: () => () => new Double(Math.random()),
};
