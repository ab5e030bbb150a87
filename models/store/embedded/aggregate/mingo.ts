import { createRequire } from 'node:module';
import { type Doc, Double, isDoc, isNumber, toNumber, truthy, type Value } from '../bson/value.ts';
import { fail, refuse, unsupported } from '../errors.ts';
import { nullish } from './kind.ts';
import type { Operator } from './operator.ts';
import type { StageMaker } from './stageMaker.ts';

/** A part of mingo, loaded when it is first needed: that takes longer than all the rest of a start. */
const load = <T>(part: '' | '/core' | '/operators/expression'): T =>
  createRequire(import.meta.url)(`mingo${part}`) as T;

/** A value as mingo knows it: plain objects and numbers. Types that JavaScript has no word for stay as they are. */
function toPlain(value: Value): unknown {
  if (isNumber(value)) return toNumber(value);
  if (Array.isArray(value)) return value.map(toPlain);
  return isDoc(value) ? Object.fromEntries([...value].map(([name, item]) => [name, toPlain(item)])) : value;
}

/** And back: whole numbers of 32 bits are Int32, others doubles. */
function fromPlain(value: unknown): Value {
  if (typeof value === 'number') return value === (value | 0) && !Object.is(value, -0) ? value : new Double(value);
  if (Array.isArray(value)) return value.map((item) => fromPlain(item) ?? null);
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
    return new Map(Object.entries(value).map(([name, item]) => [name, fromPlain(item)]));
  return value as Value;
}

/** Runs a mingo operation. Its internal errors mean nothing to a client and are replaced. */
function lent(name: string, run: () => unknown): Value {
  try {
    return fromPlain(run());
  } catch (error) {
    const stumbles = error instanceof TypeError || error instanceof RangeError;
    return stumbles ? unsupported(`${name} of these values`) : refuse((error as Error).message);
  }
}

/** Operators that would execute code from a client. */
const SCRIPT = /"\$(function|accumulator|where)":/;

type Mingo = { Aggregator: new (stages: object[], options: object) => { run(docs: unknown[]): unknown[] } };

/** A stage as mingo has it. Numbers lose their exact type on the way; nothing else does. */
const stage: StageMaker = (operand, _context, name) => {
  const spec = toPlain(operand);
  if (SCRIPT.test(JSON.stringify(spec))) unsupported(`${name} with code`);
  return (input) => {
    const docs = [...input].map(toPlain);
    const aggregator = new (load<Mingo>('').Aggregator)([{ [name]: spec }], { scriptEnabled: true });
    return lent(name, () => aggregator.run(docs)) as Doc[];
  };
};

export const BORROWED_STAGES: Record<string, StageMaker> = { $densify: stage, $fill: stage, $setWindowFields: stage };

type Core = { Context: { init(operators: object): object }; computeValue(...args: unknown[]): unknown };

/** A constant as mingo's expressions have it: what they would evaluate is marked. */
function literal(value: Value): unknown {
  if (Array.isArray(value)) return value.map(literal);
  const speaks = isDoc(value) || (typeof value === 'string' && value.startsWith('$'));
  return speaks ? { $literal: toPlain(value) } : toPlain(value);
}

const double = (value: number): Value => new Double(value);
/** What whole numbers are in the results of some operators, where they are not Int32. */
const TYPED: Record<string, (value: number) => Value> = { $dateDiff: BigInt, $median: double, $percentile: double };

const SHORT_UNITS = ['week', 'day', 'hour', 'minute', 'second', 'millisecond'];
/** Whether mingo adds to a date as MongoDB does: not for months (wrong at month ends) and not across clock changes. */
const addsRightly = (parts: Doc): boolean => {
  const [unit, amount] = [parts.get('unit'), parts.get('amount')];
  if ([...parts.values()].some(nullish)) return true;
  return SHORT_UNITS.includes(String(unit)) && !parts.has('timezone') && Number.isInteger(toNumber(amount));
};
/** The arguments for which a borrowed operator matches MongoDB; others are refused. */
const RIGHT: Record<string, (parts: Doc) => boolean> = {
  $dateAdd: addsRightly,
  $dateSubtract: addsRightly,
  // Without a format of its own a date in a zone would end as one of Greenwich does.
  $dateToString: (parts) =>
    parts.has('format') ? !/%[GVUuw%]/.test(String(parts.get('format'))) : nullish(parts.get('timezone')),
  $dateToParts: (parts) => !truthy(parts.get('iso8601')),
  $dateFromParts: (parts) =>
    [...parts].every(([name, part]) => name === 'timezone' || nullish(part) || (isNumber(part) && !/iso/.test(name))),
  $isoWeekYear: () => false,
  $week: () => false,
};

/** An operator whose operands are evaluated by our own rules, so that variables and types are ours. */
const operator: Operator = (operand, compile, name) => {
  const expression = compile(operand);
  const { Context, computeValue } = load<Core>('/core');
  const context = Context.init({ expression: load<object>('/operators/expression') });
  return (env) => {
    const given = expression(env);
    // Every operator here answers null to a single operand that is null.
    if (nullish(given)) return null;
    const right = Object.hasOwn(RIGHT, name) ? RIGHT[name]! : undefined;
    if (right && !right(isDoc(given) ? given : new Map())) unsupported(`${name} of these parts`);
    const parts = isDoc(given)
      ? Object.fromEntries([...given].map(([key, item]) => [key, literal(item)]))
      : literal(given);
    const result = lent(name, () => computeValue({}, parts, name, { context, failOnError: true }));
    if (name === '$dateFromString' && result === undefined) fail('ConversionFailure', 'Error parsing date string');
    const typed = (item: Value) => (typeof item === 'number' && TYPED[name] ? TYPED[name](item) : item);
    return Array.isArray(result) ? result.map(typed) : typed(result);
  };
};

const NAMES =
  '$dateAdd $dateDiff $dateFromParts $dateFromString $dateSubtract $dateToParts $dateToString $dateTrunc $dayOfMonth ' +
  '$dayOfWeek $dayOfYear $hour $isoDayOfWeek $isoWeek $isoWeekYear $millisecond $minute $month $second $week $year ' +
  '$ltrim $rtrim $trim $replaceAll $replaceOne $zip $median $percentile $sampleRate $rand';

/** The operators on dates and some rare ones. */
export const BORROWED: Record<string, Operator> = Object.fromEntries(NAMES.split(' ').map((name) => [name, operator]));
