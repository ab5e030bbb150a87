import { divide } from '../bson/arithmetic.ts';
import { compare } from '../bson/compare.ts';
import { type Doc, Double, isDoc, isNumber, type Numeric, toNumber, type Value } from '../bson/value.ts';
import { fail, refused } from '../errors.ts';
import { encodeKey } from '../keys/encode.ts';
import { compareBy, parseSort } from '../sort.ts';
import { any, type Compile, document, type Env, type Expression, integer, nullish, partsOf } from './kind.ts';
import { atLeast, type Operator } from './operator.ts';
import { plus } from './operators/arithmetic.ts';

/** Accumulates the values of one group and returns the result. */
export type Accumulator = { add(value: Value): void; result(): Value };

/** An accumulated field: what it reads of each document, and an accumulator for each group. */
type Accumulated = { expression: Expression; make: () => Accumulator };

/** The identity of a value: numbers of different types with equal values have the same. */
export const identity = (value: Value): unknown =>
  typeof value === 'string' || typeof value === 'boolean' || nullish(value)
    ? (value ?? null)
    : `\u0000${encodeKey(value).latin1Slice()}`;

/** An accumulator that processes one value at a time. */
const fold =
  <T>(start: () => T, step: (total: T, value: Value) => T, end: (total: T) => Value) =>
  (): Accumulator => {
    let total = start();
    return {
      add(value) {
        total = step(total, value);
      },
      result: () => end(total),
    };
  };

const nothing = (): Value => undefined;
const same = <T>(total: T): T => total;

/** An accumulator of all values that `keep` keeps. */
const collect = (keep: (value: Value) => boolean, end: (values: Value[]) => Value) => {
  const append = (values: Value[], value: Value) => {
    if (keep(value)) values.push(value);
    return values;
  };
  return fold<Value[]>(() => [], append, end);
};

const extreme = (sign: 1 | -1) => {
  const isWorse = (value: Value, best: Value) => best !== undefined && compare(value, best) * sign <= 0;
  return fold<Value>(nothing, (best, value) => (nullish(value) || isWorse(value, best) ? best : value), same);
};

const summed = (total: Numeric, value: Value): Numeric => (isNumber(value) ? plus(total, value) : total);

const average = fold<{ total: Numeric; count: number }>(
  () => ({ total: 0, count: 0 }),
  ({ total, count }, value) => ({ total: summed(total, value), count: isNumber(value) ? count + 1 : count }),
  ({ total, count }) => (count === 0 ? null : divide(total, count)),
);

const distinct = fold<Map<unknown, Value>>(
  () => new Map(),
  (set, value) => (value === undefined || set.has(identity(value)) ? set : set.set(identity(value), value)),
  (set) => [...set.values()],
);

const deviation = (sample: 0 | 1) =>
  collect(isNumber, (values) => {
    const [numbers, n] = [values.map(toNumber), values.length];
    const mean = numbers.reduce((a, b) => a + b, 0) / n;
    const squares = numbers.reduce((a, b) => a + (b - mean) ** 2, 0);
    return n <= sample ? null : new Double(Math.sqrt(squares / (n - sample)));
  });

const merged = (total: Doc, value: Value): Doc =>
  nullish(value) ? total : new Map([...total, ...document(40400).check(value, '$mergeObjects')]);

const FOLDS = {
  $sum: fold<Numeric>(() => 0, summed, same),
  $avg: average,
  $min: extreme(-1),
  $max: extreme(1),
  $first: fold<Value>(nothing, (first, value) => (first === undefined ? (value ?? null) : first), same),
  $last: fold<Value>(nothing, (_last, value) => value ?? null, same),
  $push: collect((value) => value !== undefined, same),
  $addToSet: distinct,
  $stdDevPop: deviation(0),
  $stdDevSamp: deviation(1),
  $mergeObjects: fold<Doc>(() => new Map(), merged, same),
};

type Maker = (operand: Value, compile: Compile, name: string) => Accumulated;

/** What is read of a document to pick from: the value, the document itself to sort by, and how many are asked for. */
type Picked = [value: Value, root: Value, n: number];
type Order = (a: Picked, b: Picked) => number;
type Pick = { by?: 'sort' | 'value'; last?: true; many?: true };

/** $top, $firstN and similar: the first or last n by a sort of the documents, by value, or in order of arrival. */
const picking =
  ({ by, last, many }: Pick): Maker =>
  (operand, compile, name) => {
    const kinds = { ...(by === 'sort' ? { sortBy: any, output: any } : { input: any }), ...(many && { n: any }) };
    const [unknown, ...missing] = by === 'sort' ? [5788002, 5788005, 5788004, 5788003] : [5787901, 5787907, 5787906];
    const given = partsOf(operand, name, [5787801, unknown!, ...missing], kinds);
    const value = compile(given.get(by === 'sort' ? 'output' : 'input'));
    const n = compile(many ? given.get('n') : 1);
    const sort = by === 'sort' && compareBy(parseSort(document(5788005).check(given.get('sortBy'), name)));
    const order: Order = ([a, one], [b, other]) => (sort ? sort(one as Doc, other as Doc) : compare(a, b));
    const pick = (items: Picked[]): Value => {
      const [, , most = 0] = items.at(-1) ?? [];
      if (by) items.sort(order);
      const chosen = (last ? items.slice(-most) : items.slice(0, most)).map(([found]) => found);
      if (by === 'value' && last) chosen.reverse();
      return many ? chosen : chosen[0];
    };
    const expression = (env: Env): Picked => [value(env) ?? null, env.root, integer(5787908, 1).check(n(env), name)];
    const keep = (item: Value) => by !== 'value' || !nullish((item as Picked)[0]);
    return { expression, make: collect(keep, (items) => pick(items as Picked[])) };
  };

const count: Maker = (operand) => {
  if (!isDoc(operand) || operand.size > 0) fail('TypeMismatch', '$count takes no arguments, i.e. $count:{}');
  return { expression: () => 1, make: FOLDS.$sum };
};

const OTHERS: Record<string, Maker> = {
  $count: count,
  $top: picking({ by: 'sort' }),
  $bottom: picking({ by: 'sort', last: true }),
  $topN: picking({ by: 'sort', many: true }),
  $bottomN: picking({ by: 'sort', last: true, many: true }),
  $firstN: picking({ many: true }),
  $lastN: picking({ last: true, many: true }),
  $minN: picking({ by: 'value', many: true }),
  $maxN: picking({ by: 'value', last: true, many: true }),
  ...refused('$accumulator', '$function'),
};

/** Compiles one accumulated field; throws 15952 for an unknown accumulator, 40234 for what is no accumulator. */
export function compileAccumulator(spec: Value, field: string, compile: Compile): Accumulated {
  if (!isDoc(spec) || spec.size !== 1) fail(40234, `The field '${field}' must be an accumulator object`);
  const [name, operand] = spec.entries().next().value!;
  if (Object.hasOwn(FOLDS, name)) return { expression: compile(operand), make: FOLDS[name as keyof typeof FOLDS] };
  if (!Object.hasOwn(OTHERS, name)) fail(15952, `unknown group operator '${name}'`);
  return OTHERS[name]!(operand, compile, name);
}

/** An accumulator as an expression: over the items of one array, or over several values. */
const over = (make: () => Accumulator): Operator =>
  atLeast(0)(any, (values) => {
    const accumulator = make();
    for (const item of values.length === 1 && Array.isArray(values[0]) ? values[0] : values) accumulator.add(item);
    return accumulator.result() ?? null;
  });

const { $sum, $avg, $min, $max, $stdDevPop, $stdDevSamp, $mergeObjects } = FOLDS;
const BOTH = { $sum, $avg, $min, $max, $stdDevPop, $stdDevSamp, $mergeObjects };

/** The accumulators that are expressions too. */
export const ACCUMULATED = Object.fromEntries(Object.entries(BOTH).map(([name, make]) => [name, over(make)]));
