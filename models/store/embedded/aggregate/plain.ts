import { createRequire } from 'node:module';
import { BSONRegExp, Decimal128, type Doc, Double, isDoc, type Value } from '../bson/value.ts';
import { refuse, unsupported } from '../errors.ts';
import { compileRegex } from '../filter/regex.ts';
import type { StageMaker } from './stage.ts';

const require = createRequire(import.meta.url);

/** A part of mingo, loaded when it is first needed: that takes longer than all the rest of a start. */
export const loadMingo = <T>(part: '' | '/core' | '/operators/expression'): T => require(`mingo${part}`) as T;

/** A value as mingo knows it: plain objects and numbers. Types that JavaScript has no word for stay as they are. */
export function toPlain(value: Value): unknown {
  if (value instanceof Double) return value.value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Decimal128) return Number(value.toString());
  if (Array.isArray(value)) return value.map(toPlain);
  if (value instanceof BSONRegExp) return compileRegex(value);
  return isDoc(value) ? Object.fromEntries([...value].map(([name, item]) => [name, toPlain(item)])) : value;
}

/** And back: whole numbers of 32 bits are Int32, others doubles. */
export function fromPlain(value: unknown): Value {
  if (typeof value === 'number') return value === (value | 0) && !Object.is(value, -0) ? value : new Double(value);
  if (Array.isArray(value)) return value.map((item) => fromPlain(item) ?? null);
  if (value instanceof RegExp) return new BSONRegExp(value.source, value.flags.replace(/[^imsx]/g, ''));
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
    return new Map(Object.entries(value).map(([name, item]) => [name, fromPlain(item)]));
  return value as Value;
}

type Mingo = { Aggregator: new (stages: object[], options: object) => { run(docs: unknown[]): unknown[] } };

/** Refuses what would run code that a client sent, however deep. */
function refuseScripts(spec: Value): void {
  if (Array.isArray(spec)) spec.forEach(refuseScripts);
  if (!isDoc(spec)) return;
  for (const [name, item] of spec) {
    if (['$function', '$accumulator', '$where'].includes(name)) unsupported(name);
    refuseScripts(item);
  }
}

/** A stage as mingo has it. Numbers lose their exact type on the way; nothing else does. */
const borrowed =
  (name: string): StageMaker =>
  (operand) => {
    refuseScripts(operand);
    return (input) => {
      try {
        const { Aggregator } = loadMingo<Mingo>('');
        const aggregator = new Aggregator([{ [name]: toPlain(operand) }], { scriptEnabled: true });
        return aggregator.run([...input].map(toPlain)).map((item) => fromPlain(item) as Doc);
      } catch (error) {
        // Where it stumbles over itself, its words say nothing to a client.
        if (error instanceof TypeError || error instanceof RangeError) return unsupported(`${name} of these documents`);
        return refuse((error as Error).message);
      }
    };
  };

export const BORROWED: Record<string, StageMaker> = {
  $densify: borrowed('$densify'),
  $fill: borrowed('$fill'),
  $setWindowFields: borrowed('$setWindowFields'),
};
