import { Context, computeValue } from 'mingo/core';
import * as expressions from 'mingo/operators/expression';
import { type Doc, isDoc, type Value } from '../../bson/value.ts';
import { refuse } from '../../errors.ts';
import { fromPlain, toPlain } from '../plain.ts';
import type { Compile, Env, Operator } from '../scope.ts';

/** Never run: they would execute code that a client sent. */
const REFUSED = new Set(['$function', '$accumulator', '$where']);

const CONTEXT = Context.init({ expression: expressions as never });

/** Operands evaluated by our own rules, so that variables and types are ours; mingo only sees values. */
function prepared(operand: Value, compile: Compile): (env: Env) => unknown {
  const literal = (spec: Value) => {
    const expression = compile(spec);
    return (env: Env) => ({ $literal: toPlain(expression(env) ?? null) });
  };
  if (Array.isArray(operand)) {
    const items = operand.map(literal);
    return (env) => items.map((item) => item(env));
  }
  if (isDoc(operand) && !(operand.keys().next().value ?? '$').startsWith('$')) {
    const fields = [...(operand as Doc)].map(([name, spec]) => [name, literal(spec)] as const);
    return (env) => Object.fromEntries(fields.map(([name, value]) => [name, value(env)]));
  }
  return literal(operand);
}

/** A single operand that is null: every operator here answers null to that. */
const isNull = (given: unknown): boolean =>
  !Array.isArray(given) && (given as { $literal?: unknown }).$literal === null;

function borrowed(name: string): Operator {
  return (operand, compile) => {
    const value = prepared(operand, compile);
    return (env) => {
      const given = value(env);
      if (isNull(given)) return null;
      try {
        const result = fromPlain(computeValue({}, given, name, { context: CONTEXT, failOnError: true } as never));
        return name === '$dateDiff' && typeof result === 'number' ? BigInt(result) : result;
      } catch (error) {
        return refuse((error as Error).message);
      }
    };
  };
}

/** The operators on dates, on patterns in text and some rare ones, as mingo has them. */
export const MINGO: Record<string, Operator> = Object.fromEntries(
  Object.keys(expressions)
    .filter((name) => name.startsWith('$') && !REFUSED.has(name))
    .map((name) => [name, borrowed(name)]),
);
