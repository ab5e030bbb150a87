import { type DecimalParts, decimalOf, decimalParts, toDecimal } from './decimal.ts';
import { Decimal128, Double, type Numeric, toNumber } from './value.ts';

/** Adds decimals, rounded half to even at 34 digits. */
function addDecimals(a: Numeric, b: Numeric): Decimal128 {
  const [x, y] = [decimalParts(toDecimal(a)), decimalParts(toDecimal(b))];
  if (typeof x === 'number' || typeof y === 'number') return Decimal128.fromString(String(toNumber(a) + toNumber(b)));
  const e = Math.min(x.exponent, y.exponent);
  const scaled = (part: DecimalParts) => part.coefficient * 10n ** BigInt(part.exponent - e);
  return decimalOf(scaled(x) + scaled(y), e);
}

/** Adds two numbers of any types, in the widest of their types; undefined when 64 bits do not hold the sum. */
export function add(a: Numeric, b: Numeric): Numeric | undefined {
  if (a instanceof Decimal128 || b instanceof Decimal128) return addDecimals(a, b);
  if (a instanceof Double || b instanceof Double) return new Double(toNumber(a) + toNumber(b));
  const sum = BigInt(a) + BigInt(b);
  const isWide = typeof a === 'bigint' || typeof b === 'bigint';
  if (!isWide && BigInt.asIntN(32, sum) === sum) return Number(sum);
  return BigInt.asIntN(64, sum) === sum ? sum : undefined;
}
