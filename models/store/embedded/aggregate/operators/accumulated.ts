import type { Value } from '../../bson/value.ts';
import { ACCUMULATORS } from '../accumulators.ts';
import { operands } from '../operator.ts';
import { environment, type Operator } from '../scope.ts';

/** Accumulators as expressions: over the items of one array, or over several values. */
const over =
  (name: string): Operator =>
  (operand, compile) => {
    const parts = operands(operand).map(compile);
    const make = ACCUMULATORS[name]!('$item');
    return (env) => {
      const values = parts.map((part) => part(env));
      const items = values.length === 1 && Array.isArray(values[0]) ? values[0] : values;
      const accumulator = make();
      for (const item of items)
        accumulator.add(environment(new Map<string, Value>([['item', item]]), undefined, env.now));
      return accumulator.result() ?? null;
    };
  };

export const ACCUMULATED: Record<string, Operator> = Object.fromEntries(
  ['$sum', '$avg', '$min', '$max', '$stdDevPop', '$stdDevSamp'].map((name) => [name, over(name)]),
);
