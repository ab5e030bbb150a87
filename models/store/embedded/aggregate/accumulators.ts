import { add, divide, orDouble } from '../bson/arithmetic.ts';
import { compare, equal } from '../bson/compare.ts';
import { Double, isDoc, isNumber, type Numeric, toNumber, type Value } from '../bson/value.ts';
import { fail } from '../errors.ts';
import type { KeyField } from '../keys/document.ts';
import { compareBy, parseSort } from '../sort.ts';
import { compileExpression } from './expression.ts';
import type { Env } from './scope.ts';

/** Collects values of one group. */
export type Accumulator = { add(env: Env): void; result(): Value };

type Maker = (operand: Value) => () => Accumulator;

const plain =
  (make: () => { add(value: Value): void; result(): Value }): Maker =>
  (operand) => {
    const expression = compileExpression(operand);
    return () => {
      const inner = make();
      return { add: (env) => inner.add(expression(env)), result: inner.result };
    };
  };

const fold = (start: Value, step: (total: Value, value: Value) => Value): Maker =>
  plain(() => {
    let total = start;
    return {
      add(value) {
        total = step(total, value);
      },
      result: () => total,
    };
  });

const plus = (a: Numeric, b: Numeric): Numeric => orDouble(add(a, b), () => toNumber(a) + toNumber(b));

const average = plain(() => {
  let total: Numeric = 0;
  let count = 0;
  return {
    add(value) {
      if (!isNumber(value)) return;
      total = plus(total, value);
      count++;
    },
    result: () => (count === 0 ? null : divide(total, count)),
  };
});

const deviation = (sample: boolean): Maker =>
  plain(() => {
    const values: number[] = [];
    return {
      add(value) {
        if (isNumber(value)) values.push(toNumber(value));
      },
      result() {
        const n = values.length;
        if (n === 0 || (sample && n === 1)) return null;
        const mean = values.reduce((a, b) => a + b, 0) / n;
        return new Double(Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / (sample ? n - 1 : n)));
      },
    };
  });

const extreme = (sign: 1 | -1): Maker =>
  fold(undefined, (best, value) => {
    if (value === undefined || value === null) return best;
    return best === undefined || compare(value, best) * sign > 0 ? value : best;
  });

/** $top, $firstN and their kin: the n first by a sort, or by arrival, or by value. */
type Pick = { many: boolean; from: 'start' | 'end'; by: 'sort' | 'arrival' | 'value' };

function picking({ many, from, by }: Pick): Maker {
  return (operand) => {
    if (!isDoc(operand)) fail(5787801, 'specification must be an object');
    const value = compileExpression(operand.get(by === 'sort' ? 'output' : 'input'));
    const sortBy = operand.get('sortBy');
    const order = by === 'sort' && isDoc(sortBy) ? compareBy(parseSort(sortBy) as KeyField[]) : undefined;
    if (by === 'sort' && !order) fail(5788005, "Missing value for 'sortBy'");
    const count = many ? compileExpression(operand.get('n')) : undefined;
    return () => {
      const items: { value: Value; env: Env }[] = [];
      let n = 1;
      return {
        add(env) {
          if (count) {
            n = toNumber(count(env));
            if (!Number.isInteger(n) || n < 1) fail(5787908, `'n' must be greater than 0, found ${n}`);
          }
          const found = value(env);
          if (by !== 'value' || (found !== null && found !== undefined)) items.push({ value: found ?? null, env });
        },
        result() {
          if (order) items.sort((a, b) => order(a.env.root as never, b.env.root as never));
          if (by === 'value') items.sort((a, b) => compare(a.value, b.value) * (from === 'start' ? 1 : -1));
          const chosen = from === 'end' && by !== 'value' ? items.slice(-n) : items.slice(0, n);
          return many ? chosen.map((item) => item.value) : (chosen[0]?.value ?? null);
        },
      };
    };
  };
}

const once = (last: boolean): Maker =>
  plain(() => {
    let value: Value = null;
    let seen = false;
    return {
      add(next) {
        if (!seen || last) value = next ?? null;
        seen = true;
      },
      result: () => value,
    };
  });

export const ACCUMULATORS: Record<string, Maker> = {
  $sum: fold(0, (total, value) => (isNumber(value) ? plus(total as Numeric, value) : total)),
  $avg: average,
  $min: extreme(-1),
  $max: extreme(1),
  $first: once(false),
  $last: once(true),
  $push: plain(() => {
    const out: Value[] = [];
    return {
      add(value) {
        if (value !== undefined) out.push(value);
      },
      result: () => out,
    };
  }),
  $addToSet: plain(() => {
    const out: Value[] = [];
    const scalars = new Set<Value>();
    return {
      add(value) {
        if (value === undefined) return;
        if (typeof value === 'string' || typeof value === 'boolean') {
          if (scalars.has(value)) return;
          scalars.add(value);
        } else if (out.some((item) => equal(item, value))) return;
        out.push(value);
      },
      result: () => out,
    };
  }),
  $stdDevPop: deviation(false),
  $stdDevSamp: deviation(true),
  $mergeObjects: fold(new Map(), (total, value) => {
    if (value === undefined || value === null) return total;
    if (!isDoc(value)) fail(40400, '$mergeObjects requires object inputs');
    return new Map([...(total as Map<string, Value>), ...value]);
  }),
  $count: (operand) => {
    if (!isDoc(operand) || operand.size > 0) fail('TypeMismatch', '$count takes no arguments, i.e. $count:{}');
    return () => {
      let n = 0;
      return {
        add() {
          n++;
        },
        result: () => n,
      };
    };
  },
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
export function compileAccumulator(spec: Value, field: string): () => Accumulator {
  if (!isDoc(spec) || spec.size !== 1) fail(40234, `The field '${field}' must be an accumulator object`);
  const [name, operand] = spec.entries().next().value!;
  const maker = ACCUMULATORS[name];
  if (!maker) {
    if (name === '$accumulator' || name === '$function')
      fail('CommandNotSupported', `${name} is not supported by the embedded store`);
    fail(15952, `unknown group operator '${name}'`);
  }
  return maker(operand);
}
