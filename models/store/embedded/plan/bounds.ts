import { BSONRegExp, type Doc, RANK, rank, truthy, type Value } from '../bson/value.ts';
import { isOperatorDoc } from '../filter/compile.ts';
import { fixedPrefix, type Pattern, patternOf } from '../filter/regex.ts';
import { after, encodeKey, MAX_KEY } from '../keys/encode.ts';

/**
 * An interval of encoded values, as an index keeps them ascending: from `low` to below `high`. Both may be wider than
 * the condition they stand for, never narrower: what is found is checked with the whole filter again. A point holds
 * one value.
 */
export type Interval = { low: Buffer; high: Buffer; point: boolean };

/**
 * The intervals of the values that an operator, together with its siblings, can match; undefined where an index does
 * not help.
 */
type Bound = (operand: Value, siblings: Doc) => Interval[] | undefined;

const interval = (low: Buffer, high: Buffer, point = false): Interval => ({ low, high, point });

/** All values of one place in BSON's order. */
const allOf = (rank: number): Interval => interval(Buffer.from([rank]), Buffer.from([rank + 1]));

/** Keys are cut at a limit; so are the bounds, wide enough to hold what was cut. */
const cut = (key: Buffer): Buffer => key.subarray(0, MAX_KEY - 64);

/** Arrays as operands meet both elements and whole arrays, which an index keeps apart; the others meet every type. */
const UNBOUNDED = [RANK.array, RANK.regex, RANK.minKey, RANK.maxKey];

/** A comparison: `limit` gives the interval among the values of its type; `exact` says that the key was not cut. */
const comparison =
  (limit: (key: Buffer, type: number, exact: boolean) => Interval) =>
  (value: Value): Interval[] | undefined => {
    const type = rank(value);
    if (UNBOUNDED.includes(type)) return undefined;
    const whole = encodeKey(value);
    const key = cut(whole);
    return [limit(key, type, key.length === whole.length)];
  };

const equality = comparison((key, _type, exact) => interval(key, after(key), exact));

/** The text that begins as a pattern does, and the patterns themselves. */
function prefixRange(regex: Pattern): Interval[] | undefined {
  const text = fixedPrefix(regex);
  if (text === '') return undefined;
  const low = cut(encodeKey(text).subarray(0, -2));
  return [interval(low, after(low)), allOf(RANK.regex)];
}

const literal = (value: Value) => (value instanceof BSONRegExp ? prefixRange(value) : equality(value));

const membership: Bound = (list) => {
  const parts = (list as Value[]).map(literal);
  return parts.every((part) => part !== undefined) ? tidy(parts.flat()) : undefined;
};

const BOUNDS: Record<string, Bound> = {
  $eq: equality,
  $in: membership,
  $gt: comparison((key, type, exact) => interval(exact ? after(key) : key, allOf(type).high)),
  $gte: comparison((key, type) => interval(key, allOf(type).high)),
  $lt: comparison((key, type, exact) => interval(allOf(type).low, exact ? key : after(key))),
  $lte: comparison((key, type) => interval(allOf(type).low, after(key))),
  $exists: (value) => (truthy(value) ? [interval(Buffer.from([0]), Buffer.from([0xff]))] : undefined),
  $regex: (operand, siblings) => prefixRange(patternOf(operand, siblings)),
};

/** Sorted intervals without those that lie in others. */
function tidy(intervals: Interval[]): Interval[] {
  const out: Interval[] = [];
  for (const item of intervals.sort((a, b) => a.low.compare(b.low))) {
    const last = out.at(-1);
    if (!last || item.low.compare(last.high) >= 0) out.push(item);
    else if (item.high.compare(last.high) > 0) out[out.length - 1] = interval(last.low, item.high);
  }
  return out;
}

/** The constraints of a filter by field, from its own fields and $and; each part alone is enough to bound an index. */
export type Constraints = Map<string, Interval[][]>;

export function constraintsOf(filter: Doc, out: Constraints = new Map()): Constraints {
  for (const [key, value] of filter) {
    if (key === '$and') for (const part of value as Doc[]) constraintsOf(part, out);
    if (key.startsWith('$')) continue;
    const found = isOperatorDoc(value)
      ? [...value].map(([name, operand]) => BOUNDS[name]?.(operand, value))
      : [literal(value)];
    out.set(key, [...(out.get(key) ?? []), ...found.filter((item) => item !== undefined)]);
  }
  return out;
}

export const arePoints = (intervals: Interval[]): boolean => intervals.every(({ point }) => point);

/** Whether null, and so a missing field, is among what is looked for: sparse indexes leave it out. */
export const findsMissing = (intervals: Interval[]): boolean => intervals.some(({ low }) => low[0] === RANK.null);

/** The intervals that hold for all constraints at once; of a multikey field only the narrowest one may be used. */
export function intersect(constraints: Interval[][], multikey: boolean): Interval[] {
  const points = constraints.find(arePoints);
  if (points || multikey) return points ?? constraints[0]!;
  const larger = (a: Buffer, b: Buffer): Buffer => (a.compare(b) > 0 ? a : b);
  const smaller = (a: Buffer, b: Buffer): Buffer => (a.compare(b) < 0 ? a : b);
  return constraints.reduce((one, other) => {
    const both = one.flatMap((a) => other.map((b) => interval(larger(a.low, b.low), smaller(a.high, b.high))));
    return both.filter(({ low, high }) => low.compare(high) < 0);
  });
}
