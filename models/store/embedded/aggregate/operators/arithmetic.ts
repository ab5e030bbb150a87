import { add, divide, modulo, multiply, orDouble, subtract } from '../../bson/arithmetic.ts';
import { Decimal128, Double, isNumber, type Numeric, toNumber, typeName, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { nullable } from '../operator.ts';
import type { Operator } from '../scope.ts';

function numeric(value: Value, name: string): Numeric {
  if (!isNumber(value)) fail('TypeMismatch', `${name} only supports numeric types, not ${typeName(value)}`);
  return value;
}

/** Sums numbers; one date among them makes the sum a date that many milliseconds later. */
export function sum(values: Value[]): Value {
  let total: Numeric = 0;
  let date: Date | undefined;
  for (const value of values) {
    if (value instanceof Date) {
      if (date) fail(16612, 'only one date allowed in an $add expression');
      date = value;
      continue;
    }
    if (!isNumber(value)) fail('TypeMismatch', `$add only supports numeric or date types, not ${typeName(value)}`);
    const before: Numeric = total;
    total = orDouble(add(before, value), () => toNumber(before) + toNumber(value));
  }
  return date ? new Date(date.getTime() + toNumber(total)) : total;
}

/** A function of one double; integers become doubles. */
const real = (name: string, apply: (x: number) => number): Operator =>
  nullable(1, 1, ([value]) => {
    const number = numeric(value, name);
    const result = apply(toNumber(number));
    return number instanceof Decimal128 ? Decimal128.fromString(String(result)) : new Double(result);
  });

/** A function that keeps the type of its number: integers stay as they are. */
const rounding = (name: string, apply: (x: number) => number): Operator =>
  nullable(1, 1, ([value]) => {
    const number = numeric(value, name);
    if (number instanceof Double) return new Double(apply(number.value));
    return number instanceof Decimal128 ? Decimal128.fromString(String(apply(toNumber(number)))) : number;
  });

/** Rounds half to even, or cuts off, at a decimal place. */
const placed = (name: string, cut: boolean): Operator =>
  nullable(1, 2, ([value, place]) => {
    const number = numeric(value, name);
    const digits = place === undefined ? 0 : toNumber(place);
    if (!Number.isInteger(digits) || digits < -20 || digits > 100)
      fail(51083, `cannot apply ${name} with precision value ${digits} value must be in [-20, 100]`);
    if (!(number instanceof Double) && !(number instanceof Decimal128) && digits >= 0) return number;
    const result = roundAt(toNumber(number), digits, cut);
    if (number instanceof Double) return new Double(result);
    if (number instanceof Decimal128) return Decimal128.fromString(String(result));
    return typeof number === 'bigint' ? BigInt(result) : result;
  });

function roundAt(x: number, digits: number, cut: boolean): number {
  if (!Number.isFinite(x)) return x;
  const shifted = Number(`${x}e${digits}`);
  if (!Number.isFinite(shifted)) return x;
  let whole = Math.trunc(shifted);
  if (!cut) {
    const rest = Math.abs(shifted - whole);
    if (rest > 0.5 || (rest === 0.5 && whole % 2 !== 0)) whole += Math.sign(shifted);
  }
  return Number(`${whole}e${-digits}`);
}

const power: Operator = nullable(2, 2, ([base, exponent]) => {
  const a = numeric(base, '$pow');
  const b = numeric(exponent, '$pow');
  if (toNumber(a) === 0 && toNumber(b) < 0) fail(28764, '$pow cannot take a base of 0 and a negative exponent');
  const integers = [a, b].every((item) => typeof item === 'number' || typeof item === 'bigint');
  if (integers && toNumber(b) >= 0) {
    const result = BigInt(toNumber(a)) ** BigInt(toNumber(b));
    const whole = result >= -(2n ** 63n) && result < 2n ** 63n ? result : undefined;
    if (whole === undefined) return new Double(Number(result));
    return typeof a === 'number' && typeof b === 'number' && whole >= -(2n ** 31n) && whole < 2n ** 31n
      ? Number(whole)
      : whole;
  }
  return new Double(toNumber(a) ** toNumber(b));
});

function positive(value: Value, name: string, code: number): number {
  const number = toNumber(numeric(value, name));
  if (number <= 0) fail(code, `${name}'s argument must be a positive number, but is ${number}`);
  return number;
}

export const ARITHMETIC: Record<string, Operator> = {
  $add: nullable(0, Number.POSITIVE_INFINITY, sum),
  $multiply: nullable(0, Number.POSITIVE_INFINITY, (values) => {
    let total: Numeric = 1;
    for (const value of values) {
      const by = numeric(value, '$multiply');
      const before: Numeric = total;
      total = orDouble(multiply(before, by), () => toNumber(before) * toNumber(by));
    }
    return total;
  }),
  $subtract: nullable(2, 2, ([a, b]) => {
    if (a instanceof Date) {
      if (b instanceof Date) return BigInt(a.getTime() - b.getTime());
      if (isNumber(b)) return new Date(a.getTime() - toNumber(b));
    }
    if (!isNumber(a) || !isNumber(b)) fail('TypeMismatch', `can't $subtract ${typeName(b)} from ${typeName(a)}`);
    return orDouble(subtract(a, b), () => toNumber(a) - toNumber(b));
  }),
  $divide: nullable(2, 2, ([a, b]) => {
    if (!isNumber(a) || !isNumber(b))
      fail('TypeMismatch', `$divide only supports numeric types, not ${typeName(a)} and ${typeName(b)}`);
    if (toNumber(b) === 0) fail('BadValue', "can't $divide by zero");
    return divide(a, b);
  }),
  $mod: nullable(2, 2, ([a, b]) => {
    if (!isNumber(a) || !isNumber(b))
      fail(16611, `$mod only supports numeric types, not ${typeName(a)} and ${typeName(b)}`);
    if (toNumber(b) === 0) fail(16610, "can't $mod by zero");
    return modulo(a, b);
  }),
  $abs: nullable(1, 1, ([value]) => {
    const number = numeric(value, '$abs');
    if (toNumber(number) >= 0) return number;
    return orDouble(subtract(0, number), () => -toNumber(number));
  }),
  $ceil: rounding('$ceil', Math.ceil),
  $floor: rounding('$floor', Math.floor),
  $round: placed('$round', false),
  $trunc: placed('$trunc', true),
  $pow: power,
  $sqrt: nullable(1, 1, ([value]) => {
    const number = toNumber(numeric(value, '$sqrt'));
    if (number < 0) fail(28714, "$sqrt's argument must be greater than or equal to 0");
    return new Double(Math.sqrt(number));
  }),
  $exp: real('$exp', Math.exp),
  $ln: nullable(1, 1, ([value]) => new Double(Math.log(positive(value, '$ln', 28766)))),
  $log10: nullable(1, 1, ([value]) => new Double(Math.log10(positive(value, '$log10', 28761)))),
  $log: nullable(
    2,
    2,
    ([value, base]) => new Double(Math.log(positive(value, '$log', 28758)) / Math.log(positive(base, '$log', 28759))),
  ),
  ...Object.fromEntries(
    (['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh'] as const).map(
      (name) => [`$${name}`, real(`$${name}`, Math[name])],
    ),
  ),
  $atan2: nullable(
    2,
    2,
    ([y, x]) => new Double(Math.atan2(toNumber(numeric(y, '$atan2')), toNumber(numeric(x, '$atan2')))),
  ),
  $degreesToRadians: real('$degreesToRadians', (x) => (x * Math.PI) / 180),
  $radiansToDegrees: real('$radiansToDegrees', (x) => (x * 180) / Math.PI),
  ...Object.fromEntries(
    (
      [
        ['$bitAnd', (a: bigint, b: bigint) => a & b],
        ['$bitOr', (a: bigint, b: bigint) => a | b],
        ['$bitXor', (a: bigint, b: bigint) => a ^ b],
      ] as const
    ).map(([name, apply]) => [
      name,
      nullable(0, Number.POSITIVE_INFINITY, (values) => {
        const whole = values.map((value) =>
          typeof value === 'number' || typeof value === 'bigint' ? BigInt(value) : undefined,
        );
        if (whole.includes(undefined)) fail('TypeMismatch', `${name} only supports int and long operands.`);
        const result = (whole as bigint[]).reduce(apply, name === '$bitAnd' ? -1n : 0n);
        return values.some((value) => typeof value === 'bigint') ? result : Number(result);
      }),
    ]),
  ),
  $bitNot: nullable(1, 1, ([value]) => {
    if (typeof value === 'number') return ~value;
    if (typeof value === 'bigint') return ~value;
    fail('TypeMismatch', `$bitNot only supports int and long, not: ${typeName(value)}.`);
  }),
  $rand: (_operand) => () => new Double(Math.random()),
};
