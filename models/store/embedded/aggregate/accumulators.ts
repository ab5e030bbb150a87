import { divide } from '../bson/arithmetic.ts';
import { compare } from '../bson/compare.ts';
import { type Doc, Double, isDoc, isNumber, type Numeric, toNumber, type Value } from '../bson/value.ts';
import { fail, unsupported } from '../errors.ts';
import { encodeKey } from '../keys/encode.ts';
import { compareBy, parseSort } from '../sort.ts';
import { type Compile, type Env, nullish } from './operator.ts';
import { plus } from './operators/arithmetic.ts';

/** Collects values of one group. */
export type Accumulator = { add(env: Env): void; result(): Value };

/** Makes accumulators of an operand, one for each group. */
type Maker = (operand: Value, compile: Compile) => () => Accumulator;

/** An accumulator that takes in one value after the other. */
const fold =
  <T>(start: () => T, step: (total: T, value: Value) => T, end: (total: T) => Value): Maker =>
  (operand, compile) => {
    const expression = compile(operand);
    return () => {
      let total = start();
      return {
        add(env) {
          total = step(total, expression(env));
        },
        result: () => end(total),
      };
    };
  };

type Average = { total: Numeric; count: number };

const average = fold<Average>(
  () => ({ total: 0, count: 0 }),
  ({ total, count }, value) => (isNumber(value) ? { total: plus(total, value), count: count + 1 } : { total, count }),
  ({ total, count }) => (count === 0 ? null : divide(total, count)),
);

const deviation = (sample: 0 | 1): Maker =>
  fold<number[]>(
    () => [],
    (values, value) => {
      if (isNumber(value)) values.push(toNumber(value));
      return values;
    },
    (values) => {
      const n = values.length;
      if (n <= sample) return null;
      const mean = values.reduce((a, b) => a + b, 0) / n;
      return new Double(Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / (n - sample)));
    },
  );

const extreme = (sign: 1 | -1): Maker =>
  fold<Value>(
    () => undefined,
    (best, value) => (nullish(value) || (best !== undefined && compare(value, best) * sign <= 0) ? best : value),
    (best) => best,
  );

/** What a value is told from others by: equal values, of whatever type of number, give the same. */
export const identity = (value: Value): unknown =>
  typeof value === 'string' || typeof value === 'boolean' || nullish(value)
    ? (value ?? null)
    : `\u0000${encodeKey(value).latin1Slice()}`;

type Pick = { many: boolean; from: 'start' | 'end'; by: 'sort' | 'arrival' | 'value' };

/** $top, $firstN and their kin: the n first by a sort, or by arrival, or by value. */
const picking =
  ({ many, from, by }: Pick): Maker =>
  (operand, compile) => {
    if (!isDoc(operand)) fail(5787801, 'specification must be an object');
    const value = compile(operand.get(by === 'sort' ? 'output' : 'input'));
    const sortBy = operand.get('sortBy');
    const order = isDoc(sortBy) ? compareBy(parseSort(sortBy)) : undefined;
    if (by === 'sort' && !order) fail(5788005, "Missing value for 'sortBy'");
    const count = compile(many ? operand.get('n') : 1);
    return () => {
      const items: { value: Value; root: Doc }[] = [];
      let n = 1;
      return {
        add(env) {
          n = toNumber(count(env));
          if (!Number.isInteger(n) || n < 1) fail(5787908, `'n' must be greater than 0, found ${n}`);
          const found = value(env);
          if (by !== 'value' || !nullish(found)) items.push({ value: found ?? null, root: env.root as Doc });
        },
        result() {
          if (by === 'sort') items.sort((a, b) => order!(a.root, b.root));
          if (by === 'value') items.sort((a, b) => compare(a.value, b.value));
          const chosen = from === 'start' ? items.slice(0, n) : items.slice(-n);
          if (by === 'value' && from === 'end') chosen.reverse();
          return many ? chosen.map((item) => item.value) : (chosen[0]?.value ?? null);
        },
      };
    };
  };

const documentCount: Maker = (operand, compile) => {
  if (!isDoc(operand) || operand.size > 0) fail('TypeMismatch', '$count takes no arguments, i.e. $count:{}');
  return ACCUMULATORS.$sum!(1, compile);
};

export const ACCUMULATORS: Record<string, Maker> = {
  $sum: fold<Numeric>(
    () => 0,
    (total, value) => (isNumber(value) ? plus(total, value) : total),
    (total) => total,
  ),
  $avg: average,
  $min: extreme(-1),
  $max: extreme(1),
  $first: fold<Value>(
    () => undefined,
    (first, value) => (first === undefined ? (value ?? null) : first),
    (first) => first ?? null,
  ),
  $last: fold<Value>(
    () => null,
    (_last, value) => value ?? null,
    (last) => last,
  ),
  $push: fold<Value[]>(
    () => [],
    (list, value) => {
      if (value !== undefined) list.push(value);
      return list;
    },
    (list) => list,
  ),
  $addToSet: fold<Map<unknown, Value>>(
    () => new Map(),
    (set, value) => (value === undefined || set.has(identity(value)) ? set : set.set(identity(value), value)),
    (set) => [...set.values()],
  ),
  $stdDevPop: deviation(0),
  $stdDevSamp: deviation(1),
  $mergeObjects: fold<Doc>(
    () => new Map(),
    (total, value) =>
      nullish(value)
        ? total
        : isDoc(value)
          ? new Map([...total, ...value])
          : fail(40400, '$mergeObjects requires object inputs'),
    (total) => total,
  ),
  $count: documentCount,
  $top: picking({ many: false, from: 'start', by: 'sort' }),
  $bottom: picking({ many: false, from: 'end', by: 'sort' }),
  $topN: picking({ many: true, from: 'start', by: 'sort' }),
  $bottomN: picking({ many: true, from: 'end', by: 'sort' }),
  $firstN: picking({ many: true, from: 'start', by: 'arrival' }),
  $lastN: picking({ many: true, from: 'end', by: 'arrival' }),
  $minN: picking({ many: true, from: 'start', by: 'value' }),
  $maxN: picking({ many: true, from: 'end', by: 'value' }),
};

/** Compiles one accumulated field; throws 15952 for an unknown accumulator, 40234 for what is no accumulator. */
export function compileAccumulator(spec: Value, field: string, compile: Compile): () => Accumulator {
  if (!isDoc(spec) || spec.size !== 1) fail(40234, `The field '${field}' must be an accumulator object`);
  const [name, operand] = spec.entries().next().value!;
  if (name === '$accumulator' || name === '$function') unsupported(name);
  const maker = Object.hasOwn(ACCUMULATORS, name) ? ACCUMULATORS[name] : undefined;
  return maker ? maker(operand, compile) : fail(15952, `unknown group operator '${name}'`);
}
