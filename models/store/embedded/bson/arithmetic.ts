import { decimal, OPERATIONS, toDecimal } from './decimal.ts';
import { Decimal128, Double, type Numeric, toNumber } from './value.ts';

const MIN64 = -(2n ** 63n);
const MAX64 = 2n ** 63n - 1n;

/** An exact integer result in the narrowest type that its operands allow; undefined when 64 bits do not hold it. */
export function integer64(result: bigint, wide: boolean): Numeric | undefined {
  if (!wide && result >= -(2n ** 31n) && result < 2n ** 31n) return Number(result);
  return result >= MIN64 && result <= MAX64 ? result : undefined;
}

/** One arithmetic operation on any two numeric types; undefined when an int64 result overflows. */
function operation(name: 'add' | 'subtract' | 'multiply', exact: (a: bigint, b: bigint) => bigint) {
  const { plain } = OPERATIONS[name];
  return (a: Numeric, b: Numeric): Numeric | undefined => {
    if (typeof a === 'number' && typeof b === 'number') {
      const result = plain(a, b);
      if (result === (result | 0)) return result === 0 ? 0 : result;
      return exact(BigInt(a), BigInt(b));
    }
    if (a instanceof Decimal128 || b instanceof Decimal128) return decimal(name, toDecimal(a), toDecimal(b));
    if (a instanceof Double || b instanceof Double) return new Double(plain(toNumber(a), toNumber(b)));
    return integer64(exact(BigInt(a), BigInt(b)), true);
  };
}

export const add = operation('add', (a, b) => a + b);
export const subtract = operation('subtract', (a, b) => a - b);
export const multiply = operation('multiply', (a, b) => a * b);

/** Division: always a double, or a decimal when one side is. */
export function divide(a: Numeric, b: Numeric): Numeric {
  if (a instanceof Decimal128 || b instanceof Decimal128) return decimal('divide', toDecimal(a), toDecimal(b));
  return new Double(toNumber(a) / toNumber(b));
}

/** The remainder, with the sign of the dividend; the caller has refused zero. */
export function modulo(a: Numeric, b: Numeric): Numeric {
  if (a instanceof Decimal128 || b instanceof Decimal128) return decimal('modulo', toDecimal(a), toDecimal(b));
  if (a instanceof Double || b instanceof Double) return new Double(toNumber(a) % toNumber(b));
  const result = BigInt(a) % BigInt(b);
  return typeof a === 'number' && typeof b === 'number' ? Number(result) : result;
}

/** An int64 overflow becomes a double, as in aggregation. */
export const orDouble = (result: Numeric | undefined, fallback: () => number): Numeric =>
  result ?? new Double(fallback());

/** The value as a 64-bit integer when it is a whole number in range, else undefined. */
export function toInt64(value: Numeric): bigint | undefined {
  if (typeof value === 'bigint') return value;
  const number = toNumber(value);
  if (!Number.isInteger(number)) return undefined;
  const result =
    value instanceof Decimal128
      ? BigInt(value.toString().includes('E') ? number : value.toString().split('.')[0]!)
      : BigInt(number);
  return result >= MIN64 && result <= MAX64 ? result : undefined;
}
