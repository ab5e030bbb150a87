import { compareText } from '../../bson/compare.ts';
import { isNumber, toNumber, typeName, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { nullable, nullish, type Operator, strict, text, variadic } from '../operator.ts';
import { textOf } from './type.ts';

/** What case changes and comparisons take for text: null is empty, numbers and dates as they are written. */
function loose(value: Value, name: string): string {
  if (nullish(value)) return '';
  if (typeof value !== 'string' && !(value instanceof Date) && !isNumber(value))
    fail(16007, `can't convert from ${typeName(value)} to String in ${name}`);
  return textOf(value)!;
}

/** The part of a text from a place, as many units as asked for; a negative number asks for all the rest. */
const part = (code: number, cut: (value: string, from: number, to: number | undefined) => string): Operator =>
  strict(3, 3, ([value, from, count], name) => {
    const start = toNumber(from);
    if (!(start >= 0)) fail(code, `${name}: the starting index must be a non-negative number`);
    return cut(loose(value, name), start, toNumber(count) < 0 ? undefined : start + toNumber(count));
  });

const bytes = part(50752, (value, from, to) => {
  const all = Buffer.from(value);
  const splits = (at = all.length) => at < all.length && (all[at]! & 0xc0) === 0x80;
  if (splits(from) || splits(to)) fail(28656, '$substrBytes: the range begins or ends inside of a UTF-8 character.');
  return all.subarray(from, to).toString();
});

/** Where a text is found within another, counted in units that `units` splits it into; -1 where it is not. */
const position = (units: (value: string) => number): Operator =>
  strict(2, 4, ([value, wanted, from = 0, to = Number.POSITIVE_INFINITY], name) => {
    if (nullish(value)) return null;
    const [whole, piece] = [text(value, 40091, name), text(wanted, 40092, name)];
    for (let at = whole.indexOf(piece); at >= 0; at = whole.indexOf(piece, at + 1)) {
      const found = units(whole.slice(0, at));
      if (found >= toNumber(to)) return -1;
      if (found >= toNumber(from)) return found;
    }
    return -1;
  });

export const TEXT: Record<string, Operator> = {
  $indexOfCP: position((value) => [...value].length),
  $indexOfBytes: position((value) => Buffer.byteLength(value)),
  $concat: variadic((values, name) => values.map((value) => text(value, 16702, name)).join('')),
  $toLower: strict(1, 1, ([value], name) => loose(value, name).toLowerCase()),
  $toUpper: strict(1, 1, ([value], name) => loose(value, name).toUpperCase()),
  $strcasecmp: strict(2, 2, ([a, b], name) =>
    Math.sign(compareText(loose(a, name).toUpperCase(), loose(b, name).toUpperCase())),
  ),
  $strLenCP: strict(1, 1, ([value], name) => [...text(value, 34471, name)].length),
  $strLenBytes: strict(1, 1, ([value], name) => Buffer.byteLength(text(value, 34473, name))),
  $split: nullable(2, 2, ([value, by], name) => {
    const separator = text(by, 40086, name);
    if (separator === '') fail(40087, '$split requires a non-empty separator');
    return text(value, 40085, name).split(separator);
  }),
  $substr: bytes,
  $substrBytes: bytes,
  $substrCP: part(34455, (value, from, to) => [...value].slice(from, to).join('')),
};
