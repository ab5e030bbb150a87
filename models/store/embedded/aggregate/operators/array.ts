import { compare, equal } from '../../bson/compare.ts';
import { isDoc, isNumber, toNumber, truthy, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { compareBy, parseSort } from '../../sort.ts';
import {
  array,
  bind,
  type Compile,
  type Env,
  integer,
  nullable,
  nullish,
  type Operator,
  partsOf,
  strict,
  variadic,
} from '../operator.ts';

/** Items that $range may make. */
const MAX_RANGE = 4_000_000;
const CODES = [16878, 16879, 16880];

/** The items that an operator with an `input` goes through, the compiled parts beside it, and the variable's name. */
function over(
  operand: Value,
  compile: Compile,
  name: string,
  code: number,
  required: string[],
  optional: string[] = [],
) {
  const given = partsOf(operand, name, ['input', ...required], optional, CODES);
  const input = compile(given.get('input'));
  const as = given.get('as');
  return {
    given,
    as: typeof as === 'string' ? as : 'this',
    items(env: Env): Value[] | null {
      const value = input(env);
      return nullish(value) ? null : array(value, code, name);
    },
  };
}

const map: Operator = (operand, compile) => {
  const { given, items, as } = over(operand, compile, '$map', 16883, ['in'], ['as']);
  const body = compile(given.get('in'));
  return (env) => items(env)?.map((item) => body(bind(env, as, item)) ?? null) ?? null;
};

const filter: Operator = (operand, compile) => {
  const { given, items, as } = over(operand, compile, '$filter', 28651, ['cond'], ['as', 'limit']);
  const test = compile(given.get('cond'));
  const limit = compile(given.get('limit'));
  return (env) => {
    const found = items(env)?.filter((item) => truthy(test(bind(env, as, item)))) ?? null;
    const most = limit(env);
    return found && !nullish(most) ? found.slice(0, toNumber(most)) : found;
  };
};

const reduce: Operator = (operand, compile) => {
  const { given, items } = over(operand, compile, '$reduce', 40080, ['initialValue', 'in']);
  const start = compile(given.get('initialValue'));
  const body = compile(given.get('in'));
  return (env) =>
    items(env)?.reduce((value: Value, item) => body(bind(bind(env, 'value', value), 'this', item)), start(env)) ?? null;
};

const sortArray: Operator = (operand, compile) => {
  const { given, items } = over(operand, compile, '$sortArray', 2942504, ['sortBy']);
  const by = given.get('sortBy');
  const docs = isDoc(by) ? compareBy(parseSort(by)) : undefined;
  const order = (a: Value, b: Value) =>
    docs ? docs(isDoc(a) ? a : new Map(), isDoc(b) ? b : new Map()) : compare(a, b) * (isNumber(by) ? toNumber(by) : 1);
  return (env) => items(env)?.slice().sort(order) ?? null;
};

const slice: Operator = nullable(2, 3, ([items, first, second], name) => {
  const list = array(items, 28724, name);
  const from = integer(first, 28725, name);
  if (second === undefined) return from < 0 ? list.slice(from) : list.slice(0, from);
  const count = integer(second, 28728, name);
  if (count <= 0) fail(28729, `Third argument to $slice must be positive: ${count}`);
  const start = from < 0 ? Math.max(0, list.length + from) : from;
  return list.slice(start, start + count);
});

const range: Operator = strict(2, 3, ([from, to, by = 1], name) => {
  const [start, stop, step] = [integer(from, 34443, name), integer(to, 34445, name), integer(by, 34447, name)];
  if (step === 0) fail(34449, '$range requires a non-zero step value');
  const length = Math.max(0, Math.ceil((stop - start) / step));
  if (length > MAX_RANGE) fail(146, `$range would be longer than ${MAX_RANGE} items`);
  return Array.from({ length }, (_, i) => start + i * step);
});

const elementAt = (items: Value, index: Value, name: string): Value =>
  array(items, 28689, name).at(integer(index, 28690, name));

const unique = (items: Value[]): Value[] =>
  [...items].sort((a, b) => compare(a, b)).filter((item, i, all) => i === 0 || !equal(item, all[i - 1]));
const holds = (items: Value[], value: Value): boolean => items.some((item) => equal(item, value));

/** An operator on sets: each of its values is an array. */
const sets =
  (apply: (sets: Value[][]) => Value) =>
  (values: Value[], name: string): Value =>
    apply(values.map((value) => array(value, 17048, name)));

const SETS: Record<string, Operator> = {
  $setUnion: variadic(sets((all) => unique(all.flat()))),
  $setIntersection: variadic(
    sets(([first = [], ...rest]) => unique(first.filter((item) => rest.every((set) => holds(set, item))))),
  ),
  $setDifference: nullable(
    2,
    2,
    sets(([a, b]) => unique(a!.filter((item) => !holds(b!, item)))),
  ),
  $setEquals: strict(
    2,
    Number.POSITIVE_INFINITY,
    sets((all) => all.every((set) => equal(unique(set), unique(all[0]!)))),
  ),
  $setIsSubset: strict(
    2,
    2,
    sets(([a, b]) => a!.every((item) => holds(b!, item))),
  ),
  $anyElementTrue: strict(
    1,
    1,
    sets(([items]) => items!.some(truthy)),
  ),
  $allElementsTrue: strict(
    1,
    1,
    sets(([items]) => items!.every(truthy)),
  ),
};

export const ARRAY: Record<string, Operator> = {
  ...SETS,
  $map: map,
  $filter: filter,
  $reduce: reduce,
  $sortArray: sortArray,
  $arrayElemAt: nullable(2, 2, ([items, index], name) => elementAt(items, index, name)),
  $first: nullable(1, 1, ([items], name) => elementAt(items, 0, name)),
  $last: nullable(1, 1, ([items], name) => elementAt(items, -1, name)),
  $slice: slice,
  $range: range,
  $size: strict(1, 1, ([items], name) => array(items, 17124, name).length),
  $isArray: strict(1, 1, ([value]) => Array.isArray(value)),
  $in: strict(2, 2, ([value, items], name) => holds(array(items, 40081, name), value)),
  $concatArrays: variadic((lists, name) => lists.flatMap((item) => array(item, 28664, name))),
  $reverseArray: nullable(1, 1, ([items], name) => [...array(items, 34435, name)].reverse()),
  $indexOfArray: strict(2, 4, ([items, value, from = 0, to], name) => {
    if (nullish(items)) return null;
    const part = array(items, 40090, name).slice(0, to === undefined ? undefined : toNumber(to));
    return part.findIndex((item, i) => i >= toNumber(from) && equal(item, value));
  }),
};
