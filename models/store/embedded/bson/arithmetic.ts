import { type DecimalParts, decimalOf, decimalParts, fraction, toDecimal } from './decimal.ts';
import { Decimal128, Double, type Numeric, toNumber } from './value.ts';

/** An exact integer result in the narrowest type that its operands allow; undefined when 64 bits do not hold it. */
export function integer64(result: bigint, wide: boolean): Numeric | undefined {
  if (!wide && BigInt.asIntN(32, result) === result) return Number(result);
  return BigInt.asIntN(64, result) === result ? result : undefined;
}

type OnDoubles = (a: number, b: number) => number;
type OnIntegers = (a: bigint, b: bigint) => bigint;
type OnBoth = OnDoubles & OnIntegers;
/** An operator that JavaScript applies to two doubles as well as to two bigints. */
const onBoth = (apply: OnDoubles): OnBoth => apply as OnBoth;
/** An operation on decimals; undefined where the result is not finite; the operation on doubles then gives it. */
type OnDecimals = (a: DecimalParts, b: DecimalParts) => Decimal128 | undefined;

/** An operation on coefficients that were brought to the same exponent. */
const aligned =
  (apply: OnIntegers): OnDecimals =>
  (a, b) => {
    const e = Math.min(a.exponent, b.exponent);
    const scaled = (part: DecimalParts) => part.coefficient * 10n ** BigInt(part.exponent - e);
    return decimalOf(apply(scaled(a), scaled(b)), e);
  };

/** Arithmetic on decimals, rounded half to even at 34 digits. */
function decimal(a: Numeric, b: Numeric, plain: OnDoubles, exact: OnDecimals): Decimal128 {
  const [x, y] = [decimalParts(toDecimal(a)), decimalParts(toDecimal(b))];
  const result = typeof x === 'number' || typeof y === 'number' ? undefined : exact(x, y);
  return result ?? Decimal128.fromString(String(plain(toNumber(a), toNumber(b))));
}

/** One arithmetic operation on any two numeric types; undefined when an int64 result overflows. */
const operation =
  (apply: OnBoth, exact: OnDecimals = aligned(apply)) =>
  (a: Numeric, b: Numeric): Numeric | undefined => {
    if (a instanceof Decimal128 || b instanceof Decimal128) return decimal(a, b, apply, exact);
    if (a instanceof Double || b instanceof Double) return new Double(apply(toNumber(a), toNumber(b)));
    const wide = typeof a === 'bigint' || typeof b === 'bigint';
    const small = wide ? Number.NaN : apply(a, b);
    // Adding zero makes no difference but for the zero that is negative, which integers do not have.
    return small === (small | 0) ? small + 0 : integer64(apply(BigInt(a), BigInt(b)), wide);
  };

const times: OnDecimals = (a, b) => decimalOf(a.coefficient * b.coefficient, a.exponent + b.exponent);
const remainder = onBoth((a, b) => a % b);
const decimalRemainder = aligned(remainder);

export const add = operation(onBoth((a, b) => a + b));
export const subtract = operation(onBoth((a, b) => a - b));
export const multiply = operation(
  onBoth((a, b) => a * b),
  times,
);
/** The remainder, with the sign of the dividend; the caller has refused zero. */
export const modulo = operation(remainder, (a, b) => (b.coefficient === 0n ? undefined : decimalRemainder(a, b)));

const quotient: OnDecimals = (a, b) => {
  if (b.coefficient === 0n) return undefined;
  const whole = a.exponent - b.exponent;
  let digits = (a.coefficient * 10n ** 40n) / b.coefficient;
  let e = whole - 40;
  for (; digits !== 0n && digits % 10n === 0n && e < whole; e++) digits /= 10n;
  return decimalOf(digits, e);
};

/** Division: always a double, or a decimal when one side is. */
export function divide(a: Numeric, b: Numeric): Numeric {
  const plain = (x: number, y: number) => x / y;
  if (a instanceof Decimal128 || b instanceof Decimal128) return decimal(a, b, plain, quotient);
  return new Double(toNumber(a) / toNumber(b));
}

/** An int64 overflow becomes a double, as in aggregation. */
export const orDouble = (result: Numeric | undefined, fallback: () => number): Numeric =>
  result ?? new Double(fallback());

/** The value as a 64-bit integer when it is a whole number in range, else undefined. */
export function toInt64(value: Numeric): bigint | undefined {
  const exact = fraction(value);
  if (typeof exact === 'number' || exact.n % exact.d !== 0n) return undefined;
  const whole = exact.n / exact.d;
  return BigInt.asIntN(64, whole) === whole ? whole : undefined;
}
