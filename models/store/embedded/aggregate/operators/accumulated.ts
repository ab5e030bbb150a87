import type { Value } from '../../bson/value.ts';
import { ACCUMULATORS } from '../accumulators.ts';
import { environment, type Operator, operands } from '../operator.ts';

/** Accumulators as expressions: over the items of one array, or over several values. */
const over: Operator = (operand, compile, name) => {
  const parts = operands(operand).map(compile);
  const make = ACCUMULATORS[name]!('$item', compile);
  return (env) => {
    const values = parts.map((part) => part(env));
    const items = values.length === 1 && Array.isArray(values[0]) ? values[0] : values;
    const accumulator = make();
    for (const item of items)
      accumulator.add(environment(new Map<string, Value>([['item', item]]), undefined, env.now));
    return accumulator.result() ?? null;
  };
};

export const ACCUMULATED: Record<string, Operator> = {
  $sum: over,
  $avg: over,
  $min: over,
  $max: over,
  $stdDevPop: over,
  $stdDevSamp: over,
};
