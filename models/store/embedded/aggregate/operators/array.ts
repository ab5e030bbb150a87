import { compare, equal } from '../../bson/compare.ts';
import { type Doc, isDoc, isNumber, toNumber, truthy, typeName, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { compareBy, parseSort } from '../../sort.ts';
import { array, integer, nullable, nullish, strict } from '../operator.ts';
import { bind, type Compile, type Operator } from '../scope.ts';

function parts(operand: Value, name: string, required: string[], optional: string[]): Doc {
  if (!isDoc(operand)) fail(16878, `${name} only supports an object as its argument`);
  for (const key of operand.keys())
    if (![...required, ...optional].includes(key)) fail(16879, `Unrecognized parameter to ${name}: ${key}`);
  for (const key of required) if (!operand.has(key)) fail(16880, `Missing '${key}' parameter to ${name}`);
  return operand;
}

function input(given: Doc, compile: Compile, name: string, code: number) {
  const expression = compile(given.get('input'));
  return (env: Parameters<typeof expression>[0]): Value[] | null => {
    const value = expression(env);
    return nullish(value) ? null : array(value, code, `input to ${name} must be an array`);
  };
}

const variable = (given: Doc): string => {
  const as = given.get('as');
  return typeof as === 'string' ? as : 'this';
};

const map: Operator = (operand, compile) => {
  const given = parts(operand, '$map', ['input', 'in'], ['as']);
  const items = input(given, compile, '$map', 16883);
  const body = compile(given.get('in'));
  const as = variable(given);
  return (env) => items(env)?.map((item) => body(bind(env, as, item)) ?? null) ?? null;
};

const filter: Operator = (operand, compile) => {
  const given = parts(operand, '$filter', ['input', 'cond'], ['as', 'limit']);
  const items = input(given, compile, '$filter', 28651);
  const test = compile(given.get('cond'));
  const as = variable(given);
  const limit = given.has('limit') ? compile(given.get('limit')) : undefined;
  return (env) => {
    const found = items(env)?.filter((item) => truthy(test(bind(env, as, item)))) ?? null;
    const most = limit?.(env);
    return found && !nullish(most) ? found.slice(0, toNumber(most)) : found;
  };
};

const reduce: Operator = (operand, compile) => {
  const given = parts(operand, '$reduce', ['input', 'initialValue', 'in'], []);
  const items = input(given, compile, '$reduce', 40080);
  const start = compile(given.get('initialValue'));
  const body = compile(given.get('in'));
  return (env) =>
    items(env)?.reduce((value: Value, item) => body(bind(bind(env, 'value', value), 'this', item)), start(env)) ?? null;
};

const sortArray: Operator = (operand, compile) => {
  const given = parts(operand, '$sortArray', ['input', 'sortBy'], []);
  const items = input(given, compile, '$sortArray', 2942504);
  const by = given.get('sortBy');
  const order = isDoc(by) ? compareBy(parseSort(by)) : undefined;
  const direction = isNumber(by) ? toNumber(by) : 1;
  return (env) => {
    const found = items(env);
    return (
      found &&
      [...found].sort((a, b) =>
        order ? order(isDoc(a) ? a : new Map(), isDoc(b) ? b : new Map()) : compare(a, b) * direction,
      )
    );
  };
};

function elementAt(items: Value, index: Value): Value {
  const list = array(items, 28689, "$arrayElemAt's first argument must be an array, but is");
  const at = integer(index, 28690, "$arrayElemAt's second argument must be a numeric value");
  return list[at < 0 ? list.length + at : at];
}

const slice: Operator = nullable(2, 3, ([items, first, second]) => {
  const list = array(items, 28724, 'First argument to $slice must be an array, but is of type');
  const a = integer(first, 28725, 'Second argument to $slice must be a numeric value');
  if (second === undefined) return a < 0 ? list.slice(a) : list.slice(0, a);
  const n = integer(second, 28728, 'Third argument to $slice must be numeric');
  if (n <= 0) fail(28729, `Third argument to $slice must be positive: ${n}`);
  const start = a < 0 ? Math.max(0, list.length + a) : a;
  return list.slice(start, start + n);
});

const unique = (items: Value[]): Value[] =>
  [...items].sort((a, b) => compare(a, b)).filter((item, i, all) => i === 0 || !equal(item, all[i - 1]));
const holds = (items: Value[], value: Value): boolean => items.some((item) => equal(item, value));
const set = (value: Value, name: string): Value[] =>
  array(value, 17048, `All operands of ${name} must be arrays. One argument is`);

const end = (name: string, index: number): Operator =>
  nullable(1, 1, ([items]) => array(items, 28689, `${name}'s argument must be an array, but is`).at(index));

const SETS: Record<string, Operator> = {
  $setUnion: nullable(0, Number.POSITIVE_INFINITY, (sets) => unique(sets.flatMap((item) => set(item, '$setUnion')))),
  $setIntersection: nullable(0, Number.POSITIVE_INFINITY, (sets) => {
    const lists = sets.map((item) => set(item, '$setIntersection'));
    return unique((lists[0] ?? []).filter((item) => lists.every((list) => holds(list, item))));
  }),
  $setDifference: nullable(2, 2, ([a, b]) =>
    unique(set(a, '$setDifference').filter((item) => !holds(set(b, '$setDifference'), item))),
  ),
  $setEquals: strict(2, Number.POSITIVE_INFINITY, (sets) => {
    const [first, ...rest] = sets.map((item) => unique(set(item, '$setEquals')));
    return rest.every((item) => equal(item, first));
  }),
  $setIsSubset: strict(2, 2, ([a, b]) => set(a, '$setIsSubset').every((item) => holds(set(b, '$setIsSubset'), item))),
  $anyElementTrue: strict(1, 1, ([items]) => set(items, '$anyElementTrue').some(truthy)),
  $allElementsTrue: strict(1, 1, ([items]) => set(items, '$allElementsTrue').every(truthy)),
};

export const ARRAY: Record<string, Operator> = {
  ...SETS,
  $map: map,
  $filter: filter,
  $reduce: reduce,
  $sortArray: sortArray,
  $arrayElemAt: nullable(2, 2, ([items, index]) => elementAt(items, index)),
  $first: end('$first', 0),
  $last: end('$last', -1),
  $slice: slice,
  $size: strict(
    1,
    1,
    ([items]) => array(items, 17124, 'The argument to $size must be an array, but was of type:').length,
  ),
  $isArray: strict(1, 1, ([value]) => Array.isArray(value)),
  $in: strict(2, 2, ([value, items]) =>
    holds(array(items, 40081, '$in requires an array as a second argument, found:'), value),
  ),
  $concatArrays: nullable(0, Number.POSITIVE_INFINITY, (lists) =>
    lists.flatMap((item) => array(item, 28664, '$concatArrays only supports arrays')),
  ),
  $reverseArray: nullable(1, 1, ([items]) =>
    [...array(items, 34435, 'The argument to $reverseArray must be an array, but was of type:')].reverse(),
  ),
  $indexOfArray: strict(2, 4, ([items, value, from, to]) => {
    if (nullish(items)) return null;
    const list = array(items, 40090, '$indexOfArray requires an array as a first argument, found:');
    const start = from === undefined ? 0 : toNumber(from);
    const found = list
      .slice(0, to === undefined ? undefined : toNumber(to))
      .findIndex((item, i) => i >= start && equal(item, value));
    return found;
  }),
  $range: strict(2, 3, ([from, to, by]) => {
    const start = integer(from, 34443, '$range requires a numeric starting value');
    const stop = integer(to, 34445, '$range requires a numeric ending value');
    const step = by === undefined ? 1 : integer(by, 34447, '$range requires a numeric step value');
    if (step === 0) fail(34449, '$range requires a non-zero step value');
    const out: Value[] = [];
    for (let i = start; step > 0 ? i < stop : i > stop; i += step) out.push(i);
    return out;
  }),
  $objectToArray: nullable(1, 1, ([value]) => {
    if (!isDoc(value)) fail(40390, `$objectToArray requires a document input, found: ${typeName(value)}`);
    return [...value].map(
      ([k, v]): Doc =>
        new Map([
          ['k', k],
          ['v', v],
        ]),
    );
  }),
  $arrayToObject: nullable(1, 1, ([value]) => {
    const pairs = array(value, 40386, '$arrayToObject requires an array input, found:');
    return new Map(
      pairs.map((pair): [string, Value] => {
        const [k, v] = Array.isArray(pair) ? pair : isDoc(pair) ? [pair.get('k'), pair.get('v')] : [];
        if (typeof k !== 'string')
          fail(40394, '$arrayToObject requires an array of key-value pairs, where the key must be of type string');
        return [k, v ?? null];
      }),
    );
  }),
};
