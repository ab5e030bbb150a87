import { Decimal128, Double, type Numeric } from './value.ts';

/** A finite decimal: coefficient (signed) times ten to the exponent. */
export type DecimalParts = { coefficient: bigint; exponent: number };

const MAX_DIGITS = 34;

/** The parts of a Decimal128 (IEEE 754-2008, binary coefficient), or the double that stands for NaN and the infinities. */
export function decimalParts({ bytes }: Decimal128): DecimalParts | number {
  const high = (bytes[15]! << 8) | bytes[14]!;
  const negative = (high & 0x8000) !== 0;
  const combination = (high >> 10) & 0x1f;
  if (combination === 31) return Number.NaN;
  if (combination === 30) return negative ? -Infinity : Infinity;
  const exponent = ((high >> 1) & 0x3fff) - 6176;
  // The second form (first two bits 11) only holds non-canonical zeros.
  if (combination >> 3 === 3) return { coefficient: 0n, exponent };
  const low = bytes.slice(0, 14).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), BigInt(high & 1));
  return { coefficient: negative ? -low : low, exponent };
}

/** A value as an exact fraction (denominator positive), or the double that stands for NaN and the infinities. */
export function fraction(value: Numeric): { n: bigint; d: bigint } | number {
  if (typeof value === 'bigint') return { n: value, d: 1n };
  if (value instanceof Decimal128) {
    const parts = decimalParts(value);
    if (typeof parts === 'number') return parts;
    const { coefficient, exponent } = parts;
    const power = 10n ** BigInt(Math.abs(exponent));
    return exponent >= 0 ? { n: coefficient * power, d: 1n } : { n: coefficient, d: power };
  }
  const number = value instanceof Double ? value.value : value;
  if (!Number.isFinite(number)) return number;
  let scaled = number;
  let shift = 0n;
  for (; !Number.isInteger(scaled); shift += 32n) scaled *= 2 ** 32;
  return { n: BigInt(scaled), d: 1n << shift };
}

/** Any number as a decimal with at most 34 digits; doubles take their 15 significant digits, as MongoDB does. */
export function toDecimal(value: Numeric): Decimal128 {
  if (value instanceof Decimal128) return value;
  if (!(value instanceof Double)) return Decimal128.fromString(String(value));
  const number = value.value;
  const short = !Number.isFinite(number) || (Number.isInteger(number) && Math.abs(number) < 1e15);
  return Decimal128.fromString(short ? String(number) : number.toPrecision(15));
}

/** The decimal of a coefficient and an exponent, rounded half to even at 34 digits. */
export function decimalOf(coefficient: bigint, exponent: number): Decimal128 {
  let c = coefficient < 0n ? -coefficient : coefficient;
  const excess = Math.max(0, c.toString().length - MAX_DIGITS);
  const unit = 10n ** BigInt(excess);
  const rest = (c % unit) * 2n;
  c /= unit;
  if (rest > unit || (rest === unit && c % 2n === 1n)) c += 1n;
  return Decimal128.fromString(`${coefficient < 0n ? '-' : ''}${c}E${exponent + excess}`);
}
