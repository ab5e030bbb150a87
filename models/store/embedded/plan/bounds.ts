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
import { fixedPrefix } from '../filter/regex.ts';
import { after, encodeKey, MAX_KEY } from '../keys/encode.ts';

/**
 * An interval of encoded values, as an index keeps them ascending: from `low` to below `high`. Both may be wider than
 * the condition they stand for, never narrower: what is found is checked with the whole filter again.
 */
export type Interval = { low: Buffer; high: Buffer; point: boolean };

/** What a filter says of one field, each alone enough to bound an index; `null` among them excludes sparse indexes. */
export type Constraint = {
  intervals: Interval[];
  points: boolean;
  findsMissing: boolean;
  /** It compares text, which a collation would compare otherwise. */
  text: boolean;
};

const LOWEST = Buffer.from([0]);
const HIGHEST = Buffer.from([0xff]);

/** Keys are cut at a limit; so are the bounds, wide enough to hold what was cut. */
const cut = (key: Buffer): Buffer => (key.length > MAX_KEY - 64 ? key.subarray(0, MAX_KEY - 64) : key);

function point(value: Value): Interval {
  const whole = encodeKey(value);
  const key = cut(whole);
  return { low: key, high: after(key), point: key === whole };
}

const NULLS: Interval = { low: Buffer.from([RANK.null]), high: Buffer.from([RANK.null + 1]), point: true };

/** The values of one type, where comparisons stay. */
function bracket(value: Value): Interval {
  const kind = rank(value);
  if (kind === RANK.minKey || kind === RANK.maxKey) return { low: LOWEST, high: HIGHEST, point: false };
  return { low: Buffer.from([kind]), high: Buffer.from([kind + 1]), point: false };
}

const holdsText = (value: Value): boolean =>
  typeof value === 'string' || value instanceof BSONSymbol || isDoc(value) || Array.isArray(value);

type Bound = (operand: Value) => Constraint | undefined;

/** Arrays as operands meet both elements and whole arrays, which an index keeps apart. */
const indexable = (value: Value): boolean =>
  !Array.isArray(value) &&
  !(value instanceof BSONRegExp) &&
  !(value instanceof MinKey) &&
  !(value instanceof MaxKey) &&
  !(isNumber(value) && Number.isNaN(toNumber(value)));

const equality: Bound = (value) => {
  if (value === null || value === undefined)
    return { intervals: [NULLS], points: true, findsMissing: true, text: false };
  return indexable(value)
    ? { intervals: [point(value)], points: true, findsMissing: false, text: holdsText(value) }
    : undefined;
};

const range =
  (limit: (key: Buffer, within: Interval, whole: boolean) => Interval): Bound =>
  (value) => {
    if (value === null || !indexable(value)) return undefined;
    const whole = encodeKey(value);
    const key = cut(whole);
    const interval = limit(key, bracket(value), key === whole);
    return { intervals: [interval], points: false, findsMissing: false, text: holdsText(value) };
  };

function prefixRange(regex: BSONRegExp): Constraint | undefined {
  const text = fixedPrefix(regex);
  if (text === '') return undefined;
  const key = encodeKey(text);
  const low = cut(key.subarray(0, key.length - 2));
  const kind = Buffer.from([RANK.regex]);
  return {
    intervals: [
      { low, high: after(low), point: false },
      { low: kind, high: after(kind), point: false },
    ],
    points: false,
    findsMissing: false,
    text: true,
  };
}

const BOUNDS: Record<string, Bound> = {
  $eq: equality,
  $in: (list) => {
    if (!Array.isArray(list)) return undefined;
    const parts = list.map((item) => (item instanceof BSONRegExp ? prefixRange(item) : equality(item)));
    if (parts.some((part) => part === undefined)) return undefined;
    return {
      intervals: tidy((parts as Constraint[]).flatMap((part) => part.intervals)),
      points: (parts as Constraint[]).every((part) => part.points),
      findsMissing: (parts as Constraint[]).some((part) => part.findsMissing),
      text: (parts as Constraint[]).some((part) => part.text),
    };
  },
  $gt: range((key, within, whole) => ({ low: whole ? after(key) : key, high: within.high, point: false })),
  $gte: range((key, within) => ({ low: key, high: within.high, point: false })),
  $lt: range((key, within, whole) => ({ low: within.low, high: whole ? key : after(key), point: false })),
  $lte: range((key, within) => ({ low: within.low, high: after(key), point: false })),
  $exists: (value) =>
    truthy(value)
      ? { intervals: [{ low: LOWEST, high: HIGHEST, point: false }], points: false, findsMissing: false, text: false }
      : undefined,
};

/** Intervals in order, without those that others hold. */
function tidy(intervals: Interval[]): Interval[] {
  const sorted = [...intervals].sort((a, b) => a.low.compare(b.low));
  const out: Interval[] = [];
  for (const item of sorted) {
    const last = out.at(-1);
    if (last && item.low.compare(last.high) < 0) {
      if (item.high.compare(last.high) > 0) out[out.length - 1] = { low: last.low, high: item.high, point: false };
    } else out.push(item);
  }
  return out;
}

/** All constraints that a filter puts on each field, through its own fields and $and. */
export type Constraints = Map<string, Constraint[]>;

export function constraintsOf(filter: Doc, out: Constraints = new Map()): Constraints {
  for (const [key, value] of filter) {
    if (key === '$and' && Array.isArray(value)) for (const part of value) if (isDoc(part)) constraintsOf(part, out);
    if (key.startsWith('$')) continue;
    for (const constraint of fieldConstraints(value)) {
      const list = out.get(key);
      if (list) list.push(constraint);
      else out.set(key, [constraint]);
    }
  }
  return out;
}

function fieldConstraints(value: Value): Constraint[] {
  const found: (Constraint | undefined)[] = [];
  if (value instanceof BSONRegExp) found.push(prefixRange(value));
  else if (isOperatorDoc(value)) {
    for (const [operator, operand] of value) {
      if (operator === '$regex') {
        const options = value.get('$options');
        if (operand instanceof BSONRegExp) found.push(options === undefined ? prefixRange(operand) : undefined);
        else if (typeof operand === 'string')
          found.push(prefixRange(new BSONRegExp(operand, typeof options === 'string' ? options : '')));
      } else found.push(BOUNDS[operator]?.(operand));
    }
  } else found.push(equality(value));
  return found.filter((item) => item !== undefined);
}

/** The intervals that hold for all constraints at once; of a multikey field only the narrowest one may be used. */
export function intersect(constraints: Constraint[], multikey: boolean): Constraint {
  const points = constraints.find((item) => item.points);
  if (multikey || constraints.length === 1) return points ?? constraints[0]!;
  if (points) return points;
  let result = constraints[0]!;
  for (const other of constraints.slice(1)) {
    const intervals: Interval[] = [];
    for (const a of result.intervals) {
      for (const b of other.intervals) {
        const low = a.low.compare(b.low) > 0 ? a.low : b.low;
        const high = a.high.compare(b.high) < 0 ? a.high : b.high;
        if (low.compare(high) < 0) intervals.push({ low, high, point: false });
      }
    }
    result = {
      intervals,
      points: false,
      findsMissing: result.findsMissing && other.findsMissing,
      text: result.text || other.text,
    };
  }
  return result;
}
