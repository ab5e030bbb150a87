import { compareText } from '../../bson/compare.ts';
import { Decimal128, Double, isNumber, toNumber, typeName, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { nullable, nullish, strict, text } from '../operator.ts';
import type { Operator } from '../scope.ts';

/** What case changes and comparisons take for text: null is empty, numbers and dates as they are written. */
function loose(value: Value, name: string): string {
  if (nullish(value)) return '';
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (isNumber(value))
    return value instanceof Double
      ? String(value.value)
      : value instanceof Decimal128
        ? value.toString()
        : String(value);
  fail(16007, `can't convert from BSON type ${typeName(value)} to String in ${name}`);
}

/** A part of a text's code points. */
const substring: Operator = strict(3, 3, ([value, from, count]) => {
  const points = [...loose(value, '$substrCP')];
  const start = Number(loose(from, '$substrCP'));
  const length = Number(loose(count, '$substrCP'));
  if (start < 0) fail(34455, '$substrCP: the starting index must be nonnegative integer.');
  return points.slice(start, length < 0 ? undefined : start + length).join('');
});

const substringBytes: Operator = strict(3, 3, ([value, from, count]) => {
  const bytes = Buffer.from(loose(value, '$substrBytes'));
  const start = Number(loose(from, '$substrBytes'));
  const length = Number(loose(count, '$substrBytes'));
  if (start < 0) fail(50752, `$substrBytes: starting index must be non-negative (got: ${start})`);
  const end = length < 0 ? bytes.length : Math.min(bytes.length, start + length);
  const splits = (at: number) => at < bytes.length && (bytes[at]! & 0xc0) === 0x80;
  if (splits(start) || splits(end))
    fail(28656, '$substrBytes:  Invalid range, starting index is a UTF-8 continuation byte.');
  return bytes.utf8Slice(Math.min(start, bytes.length), end);
});

/** Where a text is found within another, counted in units that `units` splits it into; -1 where it is not. */
const position = (name: string, units: (value: string) => number): Operator =>
  strict(2, 4, ([value, part, from, to]) => {
    if (nullish(value)) return null;
    const whole = text(value, 40091, `${name} requires a string as the first argument`);
    const wanted = text(part, 40092, `${name} requires a string as the second argument`);
    for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1)) {
      const found = units(whole.slice(0, at));
      if (to !== undefined && found >= toNumber(to)) return -1;
      if (from === undefined || found >= toNumber(from)) return found;
    }
    return -1;
  });

export const TEXT: Record<string, Operator> = {
  $indexOfCP: position('$indexOfCP', (value) => [...value].length),
  $indexOfBytes: position('$indexOfBytes', (value) => Buffer.byteLength(value)),
  $concat: nullable(0, Number.POSITIVE_INFINITY, (values) =>
    values.map((value) => text(value, 16702, `$concat only supports strings, not ${typeName(value)}`)).join(''),
  ),
  $toLower: strict(1, 1, ([value]) => loose(value, '$toLower').toLowerCase()),
  $toUpper: strict(1, 1, ([value]) => loose(value, '$toUpper').toUpperCase()),
  $strcasecmp: strict(2, 2, ([a, b]) =>
    Math.sign(compareText(loose(a, '$strcasecmp').toUpperCase(), loose(b, '$strcasecmp').toUpperCase())),
  ),
  $strLenCP: strict(1, 1, ([value]) => [...text(value, 34471, '$strLenCP requires a string argument')].length),
  $strLenBytes: strict(1, 1, ([value]) =>
    Buffer.byteLength(text(value, 34473, '$strLenBytes requires a string argument')),
  ),
  $split: nullable(2, 2, ([value, by]) => {
    const separator = text(by, 40086, '$split requires an expression that evaluates to a string as a second argument');
    if (separator === '') fail(40087, '$split requires a non-empty separator');
    return text(value, 40085, '$split requires an expression that evaluates to a string as a first argument').split(
      separator,
    );
  }),
  $substr: substringBytes,
  $substrBytes: substringBytes,
  $substrCP: substring,
};
