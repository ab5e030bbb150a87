import { isDoc, type Value } from '../../bson/value.ts';
import { CommandError, refuse } from '../../errors.ts';
import type { Compile, Env, Operator } from '../operator.ts';
import { fromPlain, loadMingo, toPlain } from '../plain.ts';

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
  if (Array.isArray(operand)) {
    const items = operand.map((item) => prepared(item, compile));
    return (env) => items.map((item) => item(env));
  }
  if (isDoc(operand) && !operand.keys().next().value?.startsWith('$')) {
    const fields = [...operand].map(([name, spec]) => [name, prepared(spec, compile)] as const);
    return (env) => Object.fromEntries(fields.map(([name, value]) => [name, value(env)]));
  }
  const expression = compile(operand);
  return (env) => ({ $literal: toPlain(expression(env) ?? null) });
}

const borrowed: Operator = (operand, compile, name) => {
  const value = prepared(operand, compile);
  return (env) => {
    const given = value(env) as { $literal?: unknown };
    // A single operand that is null: every operator here answers null to that.
    if (given.$literal === null) return null;
    try {
      const result = fromPlain(mingo()(given, name));
      return name === '$dateDiff' && typeof result === 'number' ? BigInt(result) : result;
    } catch (error) {
      if (error instanceof CommandError) throw error;
      return refuse((error as Error).message);
    }
  };
};

const NAMES =
  '$dateAdd $dateDiff $dateFromParts $dateFromString $dateSubtract $dateToParts $dateToString $dateTrunc $dayOfMonth ' +
  '$dayOfWeek $dayOfYear $hour $isoDayOfWeek $isoWeek $isoWeekYear $millisecond $minute $month $second $week $year ' +
  '$ltrim $rtrim $trim $regexFind $regexFindAll $regexMatch $replaceAll $replaceOne $zip $firstN $lastN $maxN $minN ' +
  '$median $percentile $sampleRate';

/** The operators on dates, on patterns in text and some rare ones, as mingo has them. */
export const MINGO: Record<string, Operator> = Object.fromEntries(NAMES.split(' ').map((name) => [name, borrowed]));
