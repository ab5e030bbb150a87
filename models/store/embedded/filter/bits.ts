import { toInt64 } from '../bson/arithmetic.ts';
import { Binary, isNumber, type Value } from '../bson/value.ts';
import { fail, refuse } from '../errors.ts';
import { ask, type PathOperator } from './condition.ts';

/** The positions of the bits that a mask names: a number, an array of positions, or bytes (lowest first). */
function positions(operand: Value, name: string): number[] {
  if (Array.isArray(operand)) {
    return operand.map((item) => {
      const position = isNumber(item) ? toInt64(item) : undefined;
      if (position === undefined) refuse(`bit positions must be an integer but got: ${String(item)}`);
      if (position < 0n) refuse(`bit positions must be >= 0 but got: ${position}`);
      return Number(position);
    });
  }
  if (operand instanceof Binary)
    return setBits((i) => ((operand.buffer[i >> 3] ?? 0) >> (i & 7)) & 1, operand.position * 8);
  const mask = isNumber(operand) ? toInt64(operand) : undefined;
  if (mask === undefined)
    fail('BadValue', `${name} takes an Array, a number, or a BinData but received: ${String(operand)}`);
  if (mask < 0n) fail('FailedToParse', `Expected a non-negative number in: ${name}: ${mask}`);
  return setBits((i) => Number((mask >> BigInt(i)) & 1n), 63);
}

const setBits = (bit: (i: number) => number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => i).filter((i) => bit(i) === 1);

/** One bit of a stored value, sign-extended for numbers; undefined when the value has no bits. */
function bitReader(value: Value): ((i: number) => boolean) | undefined {
  if (value instanceof Binary) return (i) => i < value.position * 8 && ((value.buffer[i >> 3]! >> (i & 7)) & 1) === 1;
  const whole = isNumber(value) ? toInt64(value) : undefined;
  if (whole === undefined) return undefined;
  return (i) => (i > 63 ? whole < 0n : ((whole >> BigInt(i)) & 1n) === 1n);
}

function bits(name: string, combine: 'every' | 'some', wanted: boolean): PathOperator {
  return (operand, path) => {
    const mask = positions(operand, name);
    return ask(path, (value) => {
      const bit = bitReader(value);
      return bit !== undefined && mask[combine]((i) => bit(i) === wanted);
    });
  };
}

export const BITS: Record<string, PathOperator> = {
  $bitsAllSet: bits('$bitsAllSet', 'every', true),
  $bitsAllClear: bits('$bitsAllClear', 'every', false),
  $bitsAnySet: bits('$bitsAnySet', 'some', true),
  $bitsAnyClear: bits('$bitsAnyClear', 'some', false),
};
