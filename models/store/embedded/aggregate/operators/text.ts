import { compareText } from '../../bson/compare.ts';
import { BSONRegExp, doc, isNumber, toNumber, typeName, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { compileRegex, guarded } from '../../filter/regex.ts';
import { any, body, integer, nullish, optional, text, valued } from '../kind.ts';
import { named, nullable, nullFirst, type Operator, strict, variadic } from '../operator.ts';
import { textOf } from './type.ts';

/** Converts a value to text for case changes and comparisons: null is empty, numbers and dates are written out. */
const loose = valued((value, name) => {
  if (nullish(value)) return '';
  const written = typeof value === 'string' || value instanceof Date || isNumber(value) ? textOf(value) : undefined;
  return written ?? fail(16007, `can't convert from ${typeName(value)} to String in ${name}`);
});

/** The part of a text from a place, as many units as asked for; a negative number asks for all the rest. */
const part = (code: number, cut: (value: string, from: number, to?: number) => string): Operator =>
  strict([loose, any, any], (value, from, count) => {
    const [start, length] = [toNumber(from), toNumber(count)];
    if (!(start >= 0)) fail(code, 'the starting index of a substring must be a non-negative number');
    return cut(value, start, length < 0 ? undefined : start + length);
  });

const bytes = part(50752, (value, from, to) => {
  const all = Buffer.from(value);
  const splits = (at = all.length) => at < all.length && (all[at]! & 0xc0) === 0x80;
  if (splits(from) || splits(to)) fail(28656, '$substrBytes: the range begins or ends inside of a UTF-8 character.');
  return all.subarray(from, to).toString();
});

const points = (value: string): number => [...value].length;
const place = optional(integer(40096, 0));

/** Where a text is found within another, in the units that `sizeOf` counts and `cut` cuts at; -1 where it is not. */
const position = (sizeOf: (value: string) => number, cut: (value: string, to: number) => string): Operator =>
  nullFirst([text(40091), text(40092), place, place], (whole, piece, from = 0, to = Infinity) => {
    const at = from > sizeOf(whole) ? -1 : whole.indexOf(piece, cut(whole, from).length);
    const found = at < 0 ? at : sizeOf(whole.slice(0, at));
    return found < to ? found : -1;
  });

const PATTERN = { input: body, regex: any, options: optional(text(51106)) };

/** An operator on the matches of a pattern in a text; null has no matches. */
const matching = (answer: (found: Value[]) => Value): Operator =>
  named([51103, 31024, 31022, 31023], PATTERN, ({ input, regex, options = '' }) => {
    const subject = input();
    if (nullish(subject) || nullish(regex)) return answer([]);
    const whole = text(51104).check(subject, 'the input of a pattern');
    const [pattern, own] =
      regex instanceof BSONRegExp ? [regex.pattern, regex.options] : [text(51105).check(regex, 'a pattern'), ''];
    if (own && options) fail(51107, 'options of a pattern may not be given twice');
    const compiled = compileRegex({ pattern, options: own + options });
    const found = guarded(() => [...whole.matchAll(new RegExp(compiled, `${compiled.flags}g`))]);
    let [idx, seen] = [0, 0];
    const shown = (match: RegExpExecArray) => {
      idx += points(whole.slice(seen, match.index));
      seen = match.index;
      return doc({ match: match[0], idx, captures: match.slice(1).map((captured) => captured ?? null) });
    };
    return answer(found.map(shown));
  });

export const TEXT: Record<string, Operator> = {
  $indexOfCP: position(points, (value, to) => [...value].slice(0, to).join('')),
  $indexOfBytes: position(Buffer.byteLength, (value, to) => Buffer.from(value).subarray(0, to).toString()),
  $concat: variadic(text(16702), (values) => values.join('')),
  $regexMatch: matching((found) => found.length > 0),
  $regexFind: matching(([first]) => first ?? null),
  $regexFindAll: matching((found) => found),
  $toLower: strict([loose], (value) => value.toLowerCase()),
  $toUpper: strict([loose], (value) => value.toUpperCase()),
  $strcasecmp: strict([loose, loose], (a, b) => Math.sign(compareText(a.toUpperCase(), b.toUpperCase()))),
  $strLenCP: strict([text(34471)], points),
  $strLenBytes: strict([text(34473)], (value) => Buffer.byteLength(value)),
  $split: nullable([text(40085), text(40086)], (value, separator) =>
    separator === '' ? fail(40087, '$split requires a non-empty separator') : value.split(separator),
  ),
  $substr: bytes,
  $substrBytes: bytes,
  $substrCP: part(34455, (value, from, to) => [...value].slice(from, to).join('')),
};
