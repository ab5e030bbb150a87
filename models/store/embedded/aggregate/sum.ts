import { add } from '../bson/arithmetic.ts';
import { toDecimal } from '../bson/decimal.ts';
import { Decimal128, Double, isNumber, type Numeric, type Value } from '../bson/value.ts';

/**
 * The sum of numbers: integers exactly, doubles with the rounding errors of the additions carried along, decimals as
 * decimals. The result has the widest type among them: a sum of Int32 that does not fit is an Int64, a sum of Int64
 * that does not fit a double. Values that are no numbers count as nothing.
 */
export function newSum() {
  let whole = 0n;
  let isLong = false;
  let doubles: { sum: number; error: number } | undefined;
  let decimals: Numeric | undefined;

  function addDouble(value: number): void {
    const { sum, error } = doubles ?? { sum: 0, error: 0 };
    const total = sum + value;
    const kept = total - sum;
    const lost = sum - (total - kept) + (value - kept);
    // Infinities and NaN have no rounding error.
    doubles = { sum: total, error: error + (Number.isFinite(total) ? lost : 0) };
  }

  return {
    add(value: Value): void {
      if (!isNumber(value)) return;
      if (value instanceof Decimal128) decimals = add(decimals ?? Decimal128.fromString('0'), value);
      else if (value instanceof Double) addDouble(value.value);
      else {
        isLong ||= typeof value === 'bigint';
        whole += BigInt(value);
      }
    },
    result(): Numeric {
      const fits = BigInt.asIntN(64, whole) === whole;
      if (doubles) for (const part of [Number(whole), Number(whole - BigInt(Number(whole)))]) addDouble(part);
      const double = doubles && new Double(doubles.sum + doubles.error);
      if (decimals) return add(decimals, toDecimal(double ?? whole))!;
      if (double) return double;
      if (!fits) return new Double(Number(whole));
      return isLong || BigInt.asIntN(32, whole) !== whole ? whole : Number(whole);
    },
  };
}
