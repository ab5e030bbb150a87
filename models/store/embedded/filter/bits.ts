import { toInt64 } from '../bson/arithmetic.ts';
import { show } from '../bson/show.ts';
import { Binary, isNumber, type Value } from '../bson/value.ts';
import { fail, refuse } from '../errors.ts';
import { ask, type PathOperator } from './path.ts';

/** Bits that the largest document could hold; a bit beyond them is in none. */
const MOST = 2 ** 27;

/** The bits of a stored value, the first byte's first; undefined when it has none. Negative numbers go on for ever. */
function bitsOf(value: Value): bigint | undefined {
  if (!(value instanceof Binary)) return isNumber(value) ? toInt64(value) : undefined;
  return BigInt(`0x0${Buffer.from(value.buffer.subarray(0, value.position)).reverse().toString('hex')}`);
}

/** The bits that an operand names: a number, bytes, or an array of positions. */
function maskOf(operand: Value, name: string): bigint {
  if (!Array.isArray(operand)) {
    const mask =
      bitsOf(operand) ?? refuse(`${name} takes an Array, a number, or a BinData but received: ${show(operand)}`);
    return mask < 0n ? fail('FailedToParse', `Expected a non-negative number in: ${name}: ${mask}`) : mask;
  }
  return operand.reduce<bigint>((mask, item) => {
    const position = isNumber(item) ? toInt64(item) : undefined;
    if (position === undefined || position < 0n) refuse(`bit positions must be an integer >= 0 but got: ${show(item)}`);
    return mask | (1n << BigInt(Math.min(Number(position), MOST)));
  }, 0n);
}

const bits =
  (accept: (found: bigint, mask: bigint) => boolean): PathOperator =>
  (operand, path, _context, _siblings, name) => {
    const mask = maskOf(operand, name);
    return ask(path, (value) => {
      const found = bitsOf(value);
      return found !== undefined && accept(found & mask, mask);
    });
  };

export const BITS: Record<string, PathOperator> = {
  $bitsAllSet: bits((found, mask) => found === mask),
  $bitsAllClear: bits((found) => found === 0n),
  $bitsAnySet: bits((found) => found !== 0n),
  $bitsAnyClear: bits((found, mask) => found !== mask),
};
