import {
  BSONRegExp,
  BSONSymbol,
  type Doc,
  isDoc,
  isNumber,
  MaxKey,
  MinKey,
  RANK,
  rank,
  toNumber,
  truthy,
  type Value,
} from '../bson/value.ts';
import { isOperatorDoc } from '../filter/compile.ts';
import { fixedPrefix, type Pattern } from '../filter/regex.ts';
import { after, encodeKey, MAX_KEY } from '../keys/encode.ts';

/**
 * An interval of encoded values, as an index keeps them ascending: from `low` to below `high`. Both may be wider than
 * the condition they stand for, never narrower: what is found is checked with the whole filter again.
 */
export type Interval = { low: Buffer; high: Buffer; point: boolean };

/** What a filter says of one field, each alone enough to bound an index. */
export type Constraint = {
  intervals: Interval[];
  /** It finds null or missing, which sparse indexes leave out. */
  findsMissing: boolean;
  /** It compares text, which a collation would compare otherwise. */
  text: boolean;
};

const interval = (low: Buffer, high: Buffer, point = false): Interval => ({ low, high, point });
const constraint = (intervals: Interval[], text = false, findsMissing = false): Constraint => {
  return { intervals, text, findsMissing };
};

/** All values of one place in BSON's order. */
const allOf = (rank: number): Interval => interval(Buffer.from([rank]), Buffer.from([rank + 1]));

const EVERYTHING = interval(Buffer.from([0]), Buffer.from([0xff]));
const NULLS = { ...allOf(RANK.null), point: true };

/** Keys are cut at a limit; so are the bounds, wide enough to hold what was cut. */
const cut = (key: Buffer): Buffer => (key.length > MAX_KEY - 64 ? key.subarray(0, MAX_KEY - 64) : key);

const holdsText = (value: Value): boolean =>
  typeof value === 'string' || value instanceof BSONSymbol || isDoc(value) || Array.isArray(value);

/** What an operator says, beside its siblings; undefined where an index does not help. */
type Bound = (operand: Value, siblings: Doc) => Constraint | undefined;

/** Arrays as operands meet both elements and whole arrays, which an index keeps apart. */
const indexable = (value: Value): boolean =>
  !Array.isArray(value) &&
  !(value instanceof BSONRegExp || value instanceof MinKey || value instanceof MaxKey) &&
  !(isNumber(value) && Number.isNaN(toNumber(value)));

function equality(value: Value): Constraint | undefined {
  if (value === null || value === undefined) return constraint([NULLS], false, true);
  if (value instanceof BSONRegExp) return prefixRange(value);
  if (!indexable(value)) return undefined;
  const whole = encodeKey(value);
  const key = cut(whole);
  return constraint([interval(key, after(key), key === whole)], holdsText(value));
}

/** A comparison: `limit` gives the interval within the values of one type; `exact` says that the key was not cut. */
const range =
  (limit: (key: Buffer, type: Interval, exact: boolean) => Interval): Bound =>
  (value) => {
    if (value === null || !indexable(value)) return undefined;
    const whole = encodeKey(value);
    const key = cut(whole);
    return constraint([limit(key, allOf(rank(value)), key === whole)], holdsText(value));
  };

/** The text that begins as a pattern does, and the patterns themselves. */
function prefixRange(regex: Pattern): Constraint | undefined {
  const text = fixedPrefix(regex);
  if (text === '') return undefined;
  const low = cut(encodeKey(text).subarray(0, -2));
  return constraint([interval(low, after(low)), allOf(RANK.regex)], true);
}

function membership(list: Value): Constraint | undefined {
  const parts = Array.isArray(list) ? list.map(equality) : [undefined];
  if (!parts.every((part) => part !== undefined)) return undefined;
  const intervals = tidy(parts.flatMap((part) => part.intervals));
  const [text, findsMissing] = [parts.some((part) => part.text), parts.some((part) => part.findsMissing)];
  return constraint(intervals, text, findsMissing);
}

function regex(operand: Value, siblings: Doc): Constraint | undefined {
  const options = siblings.get('$options');
  if (operand instanceof BSONRegExp) return options === undefined ? prefixRange(operand) : undefined;
  return typeof operand === 'string' ? prefixRange({ pattern: operand, options: String(options ?? '') }) : undefined;
}

const BOUNDS: Record<string, Bound> = {
  $eq: (value) => (value instanceof BSONRegExp ? undefined : equality(value)),
  $in: membership,
  $gt: range((key, type, exact) => interval(exact ? after(key) : key, type.high)),
  $gte: range((key, type) => interval(key, type.high)),
  $lt: range((key, type, exact) => interval(type.low, exact ? key : after(key))),
  $lte: range((key, type) => interval(type.low, after(key))),
  $exists: (value) => (truthy(value) ? constraint([EVERYTHING]) : undefined),
  $regex: regex,
};

/** Intervals in order, without those that others hold. */
function tidy(intervals: Interval[]): Interval[] {
  const out: Interval[] = [];
  for (const item of [...intervals].sort((a, b) => a.low.compare(b.low))) {
    const last = out.at(-1);
    if (!last || item.low.compare(last.high) >= 0) out.push(item);
    else if (item.high.compare(last.high) > 0) out[out.length - 1] = interval(last.low, item.high);
  }
  return out;
}

/** All constraints that a filter puts on each field, through its own fields and $and. */
export type Constraints = Map<string, Constraint[]>;

export function constraintsOf(filter: Doc, out: Constraints = new Map()): Constraints {
  for (const [key, value] of filter) {
    if (key === '$and' && Array.isArray(value)) for (const part of value) if (isDoc(part)) constraintsOf(part, out);
    const found = key.startsWith('$') ? [] : fieldConstraints(value);
    if (found.length > 0) out.set(key, [...(out.get(key) ?? []), ...found]);
  }
  return out;
}

function fieldConstraints(value: Value): Constraint[] {
  const found = isOperatorDoc(value)
    ? [...value].map(([name, operand]) => (Object.hasOwn(BOUNDS, name) ? BOUNDS[name]!(operand, value) : undefined))
    : [equality(value)];
  return found.filter((item) => item !== undefined);
}

const isPoints = (item: Constraint): boolean => item.intervals.every(({ point }) => point);

/** The intervals that hold for all constraints at once; of a multikey field only the narrowest one may be used. */
export function intersect(constraints: Constraint[], multikey: boolean): Constraint {
  const points = constraints.find(isPoints);
  if (points || multikey) return points ?? constraints[0]!;
  return constraints.reduce((one, other) => {
    const both = one.intervals.flatMap((a) =>
      other.intervals.map((b) =>
        interval(a.low.compare(b.low) > 0 ? a.low : b.low, a.high.compare(b.high) < 0 ? a.high : b.high),
      ),
    );
    const intervals = both.filter(({ low, high }) => low.compare(high) < 0);
    return constraint(intervals, one.text || other.text, one.findsMissing && other.findsMissing);
  });
}
