import { type Doc, isDoc, type Value } from '../../bson/value.ts';
import { refuse } from '../../errors.ts';
import { fromPlain, loadMingo, toPlain } from '../plain.ts';
import type { Compile, Env, Operator } from '../scope.ts';

type Core = { Context: { init(operators: object): object }; computeValue(...args: unknown[]): unknown };
let compute: ((value: unknown, name: string) => unknown) | undefined;

/** mingo's evaluation of one operator. */
function mingo(): (value: unknown, name: string) => unknown {
  if (!compute) {
    const { Context, computeValue } = loadMingo<Core>('/core');
    const context = Context.init({ expression: loadMingo<object>('/operators/expression') });
    compute = (value, name) => computeValue({}, value, name, { context, failOnError: true });
  }
  return compute;
}

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
        const result = fromPlain(mingo()(given, name));
        return name === '$dateDiff' && typeof result === 'number' ? BigInt(result) : result;
      } catch (error) {
        return refuse((error as Error).message);
      }
    };
  };
}

const NAMES =
  '$dateAdd $dateDiff $dateFromParts $dateFromString $dateSubtract $dateToParts $dateToString $dateTrunc $dayOfMonth ' +
  '$dayOfWeek $dayOfYear $hour $isoDayOfWeek $isoWeek $isoWeekYear $millisecond $minute $month $second $week $year ' +
  '$ltrim $rtrim $trim $regexFind $regexFindAll $regexMatch $replaceAll $replaceOne $zip $firstN $lastN $maxN $minN ' +
  '$median $percentile $sampleRate';

/** The operators on dates, on patterns in text and some rare ones, as mingo has them. */
export const MINGO: Record<string, Operator> = Object.fromEntries(
  NAMES.split(' ').map((name) => [name, borrowed(name)]),
);
