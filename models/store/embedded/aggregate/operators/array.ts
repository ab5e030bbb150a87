import { compare, equal } from '../../bson/compare.ts';
import { isDoc, isNumber, toNumber, truthy, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { compareBy, parseSort } from '../../sort.ts';
import { any, array, body, integer, nullish, optional, special, text } from '../kind.ts';
import { atLeast, named, nullable, nullFirst, type Operator, strict, variadic } from '../operator.ts';

/** Items that $range may make. */
const MAX_RANGE = 4_000_000;

/** The codes of operators that go through the array of their `input`. */
const CODES: [number, number, number] = [16878, 16879, 16880];
const as = optional(text('FailedToParse'));
const place = optional(integer(40096, 0));
const set = array(17048);

/** The order of $sortArray: of whole values, or of documents by their fields. */
const order = special((by) => {
  const docs = isDoc(by) ? compareBy(parseSort(by)) : undefined;
  const fields = (value: Value) => (isDoc(value) ? value : new Map());
  const direction = isNumber(by) ? toNumber(by) : 1;
  return () => (a: Value, b: Value) => docs?.(fields(a), fields(b)) ?? compare(a, b) * direction;
});

function slice(items: Value[], from: number, count?: number): Value[] {
  if (count === undefined) return from < 0 ? items.slice(from) : items.slice(0, from);
  if (count <= 0) fail(28729, `Third argument to $slice must be positive: ${count}`);
  const start = from < 0 ? Math.max(0, items.length + from) : from;
  return items.slice(start, start + count);
}

function range(start: number, stop: number, step = 1): Value[] {
  if (step === 0) fail(34449, '$range requires a non-zero step value');
  const length = Math.max(0, Math.ceil((stop - start) / step));
  if (length > MAX_RANGE) fail(146, `$range would be longer than ${MAX_RANGE} items`);
  return Array.from({ length }, (_, i) => start + i * step);
}

function unique(items: Value[]): Value[] {
  return [...items].sort((a, b) => compare(a, b)).filter((item, i, all) => i === 0 || !equal(item, all[i - 1]));
}

const holds = (items: Value[], value: Value): boolean => items.some((item) => equal(item, value));

const sorted = (items: Value[]): Value[] => items.filter((item) => !nullish(item)).sort((a, b) => compare(a, b));
const FEW = { input: array(5788200), n: integer(5787908, 1) };
const FEW_CODES: [number, number, number] = [5787801, 5787901, 5787906];

export const ARRAY: Record<string, Operator> = {
  $map: named(CODES, { input: array(16883), in: body, as }, ({ input, in: result, as = 'this' }) =>
    input.map((item) => result([as, item]) ?? null),
  ),
  $filter: named(CODES, { input: array(28651), cond: body, as, limit: optional(any) }, (parts) => {
    const { input, cond, as = 'this', limit } = parts;
    const found = input.filter((item) => truthy(cond([as, item])));
    return nullish(limit) ? found : found.slice(0, toNumber(limit));
  }),
  $reduce: named(CODES, { input: array(40080), initialValue: any, in: body }, ({ input, initialValue, in: next }) =>
    input.reduce<Value>((value, item) => next(['value', value], ['this', item]), initialValue),
  ),
  $sortArray: named(CODES, { input: array(2942504), sortBy: order }, ({ input, sortBy }) => [...input].sort(sortBy)),
  $arrayElemAt: nullable([array(28689), integer(28690)], (items, index) => items.at(index)),
  $first: nullable([array(28689)], (items) => items[0]),
  $last: nullable([array(28689)], (items) => items.at(-1)),
  $firstN: named(FEW_CODES, FEW, ({ input, n }) => input.slice(0, n)),
  $lastN: named(FEW_CODES, FEW, ({ input, n }) => input.slice(-n)),
  $minN: named(FEW_CODES, FEW, ({ input, n }) => sorted(input).slice(0, n)),
  $maxN: named(FEW_CODES, FEW, ({ input, n }) => sorted(input).reverse().slice(0, n)),
  $slice: nullable([array(28724), integer(28725), optional(integer(28728))], slice),
  $range: strict([integer(34443), integer(34445), optional(integer(34447))], range),
  $size: strict([array(17124)], (items) => items.length),
  $isArray: strict([any], (value) => Array.isArray(value)),
  $in: strict([any, array(40081)], (value, items) => holds(items, value)),
  $concatArrays: variadic(array(28664), (lists) => lists.flat()),
  $reverseArray: nullable([array(34435)], (items) => [...items].reverse()),
  $indexOfArray: nullFirst([array(40090), any, place, place], (items, value, from = 0, to = Infinity) =>
    items.slice(0, to).findIndex((item, i) => i >= from && equal(item, value)),
  ),
  $setUnion: variadic(set, (sets) => unique(sets.flat())),
  $setIntersection: variadic(set, ([first = [], ...rest]) =>
    unique(first.filter((item) => rest.every((other) => holds(other, item)))),
  ),
  $setDifference: nullable([set, set], (a, b) => unique(a.filter((item) => !holds(b, item)))),
  $setEquals: atLeast(2)(set, (sets) => sets.every((other) => equal(unique(other), unique(sets[0]!)))),
  $setIsSubset: strict([set, set], (a, b) => a.every((item) => holds(b, item))),
  $anyElementTrue: strict([set], (items) => items.some(truthy)),
  $allElementsTrue: strict([set], (items) => items.every(truthy)),
};
