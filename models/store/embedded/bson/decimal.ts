import { Decimal128, Double, type Numeric } from './value.ts';

/** A finite decimal: coefficient (signed) times ten to the exponent. */
type Parts = { coefficient: bigint; exponent: number };

const MAX_DIGITS = 34;

/** The parts of a Decimal128, or the double that stands for NaN and the infinities. */
export function decimalParts(value: Decimal128): Parts | number {
  const bytes = value.bytes;
  const high = (BigInt(bytes[15]!) << 8n) | BigInt(bytes[14]!);
  const negative = (high & 0x8000n) !== 0n;
  const combination = Number((high >> 10n) & 0x1fn);
  if (combination === 31) return Number.NaN;
  if (combination === 30) return negative ? -Infinity : Infinity;
  const exponent = Number((high >> 1n) & 0x3fffn) - 6176;
  // The second form (first two bits 11) only holds non-canonical zeros.
  if (combination >> 3 === 3) return { coefficient: 0n, exponent };
  let coefficient = high & 1n;
  for (let i = 13; i >= 0; i--) coefficient = (coefficient << 8n) | BigInt(bytes[i]!);
  return { coefficient: negative ? -coefficient : coefficient, exponent };
}

/** A value as an exact fraction (denominator positive), or the double that stands for NaN and the infinities. */
export function fraction(value: Numeric): { n: bigint; d: bigint } | number {
  if (typeof value === 'bigint') return { n: value, d: 1n };
  if (value instanceof Decimal128) {
    const parts = decimalParts(value);
    if (typeof parts === 'number') return parts;
    return parts.exponent >= 0
      ? { n: parts.coefficient * 10n ** BigInt(parts.exponent), d: 1n }
      : { n: parts.coefficient, d: 10n ** BigInt(-parts.exponent) };
  }
  const number = value instanceof Double ? value.value : value;
  if (!Number.isFinite(number)) return number;
  let scaled = number;
  let shift = 0n;
  while (!Number.isInteger(scaled)) {
    scaled *= 2 ** 32;
    shift += 32n;
  }
  return { n: BigInt(scaled), d: 1n << shift };
}

/** Any number as a decimal with at most 34 digits; doubles take their 15 significant digits, as MongoDB does. */
export function toDecimal(value: Numeric): Decimal128 {
  if (value instanceof Decimal128) return value;
  if (value instanceof Double) {
    if (!Number.isFinite(value.value)) return Decimal128.fromString(String(value.value));
    return Decimal128.fromString(
      Number.isInteger(value.value) && Math.abs(value.value) < 1e15 ? String(value.value) : value.value.toPrecision(15),
    );
  }
  return Decimal128.fromString(value.toString());
}

function make(coefficient: bigint, exponent: number): Decimal128 {
  let c = coefficient < 0n ? -coefficient : coefficient;
  let e = exponent;
  const excess = c.toString().length - MAX_DIGITS;
  if (excess > 0) {
    const unit = 10n ** BigInt(excess);
    const rest = (c % unit) * 2n;
    c /= unit;
    e += excess;
    if (rest > unit || (rest === unit && c % 2n === 1n)) c += 1n;
  }
  return Decimal128.fromString(`${coefficient < 0n ? '-' : ''}${c}E${e}`);
}

type Operation = {
  /** On doubles, for NaN, the infinities and a divisor of zero. */
  plain: (a: number, b: number) => number;
  exact: (a: Parts, b: Parts) => Decimal128;
};

/** An operation on coefficients that were brought to the same exponent. */
const aligned =
  (apply: (x: bigint, y: bigint) => bigint): Operation['exact'] =>
  (a, b) => {
    const e = Math.min(a.exponent, b.exponent);
    const scaled = (part: Parts) => part.coefficient * 10n ** BigInt(part.exponent - e);
    return make(apply(scaled(a), scaled(b)), e);
  };

function divided(a: Parts, b: Parts): Decimal128 {
  const whole = a.exponent - b.exponent;
  let digits = (a.coefficient * 10n ** 40n) / b.coefficient;
  let e = whole - 40;
  for (; digits !== 0n && digits % 10n === 0n && e < whole; e++) digits /= 10n;
  return make(digits, e);
}

/** The arithmetic of decimals, and of doubles. */
export const OPERATIONS = {
  add: { plain: (a, b) => a + b, exact: aligned((x, y) => x + y) },
  subtract: { plain: (a, b) => a - b, exact: aligned((x, y) => x - y) },
  multiply: {
    plain: (a, b) => a * b,
    exact: (a, b) => make(a.coefficient * b.coefficient, a.exponent + b.exponent),
  },
  divide: { plain: (a, b) => a / b, exact: divided },
  modulo: { plain: (a, b) => a % b, exact: aligned((x, y) => x % y) },
} satisfies Record<string, Operation>;

/** Arithmetic on decimals, rounded half to even at 34 digits. */
export function decimal(name: keyof typeof OPERATIONS, a: Decimal128, b: Decimal128): Decimal128 {
  const { plain, exact }: Operation = OPERATIONS[name];
  const [x, y] = [decimalParts(a), decimalParts(b)];
  const divides = name === 'divide' || name === 'modulo';
  if (typeof x === 'number' || typeof y === 'number' || (divides && y.coefficient === 0n))
    return Decimal128.fromString(String(plain(Number(a.toString()), Number(b.toString()))));
  return exact(x, y);
}
