import { createRequire } from 'node:module';
import { BSONRegExp, Decimal128, Double, isDoc, type Value } from '../bson/value.ts';
import { compileRegex } from '../filter/regex.ts';

const require = createRequire(import.meta.url);

/** A part of mingo, loaded when it is first needed: that takes longer than all the rest of a start. */
export const loadMingo = <T>(part: '' | '/core' | '/operators/expression'): T => require(`mingo${part}`) as T;

/** A value as mingo knows it: plain objects and numbers. Types that JavaScript has no word for stay as they are. */
export function toPlain(value: Value): unknown {
  if (value instanceof Double) return value.value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Decimal128) return Number(value.toString());
  if (Array.isArray(value)) return value.map(toPlain);
  if (value instanceof BSONRegExp) return compileRegex(value.pattern, value.options);
  if (!isDoc(value)) return value;
  const out: Record<string, unknown> = {};
  for (const [name, item] of value)
    Object.defineProperty(out, name, { value: toPlain(item), enumerable: true, writable: true, configurable: true });
  return out;
}

/** And back: whole numbers of 32 bits are Int32, others doubles. */
export function fromPlain(value: unknown): Value {
  if (typeof value === 'number')
    return Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31 && !Object.is(value, -0)
      ? value
      : new Double(value);
  if (Array.isArray(value)) return value.map((item) => fromPlain(item) ?? null);
  if (value instanceof RegExp) return new BSONRegExp(value.source, value.flags.replace(/[^imsx]/g, ''));
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return new Map(Object.entries(value).map(([name, item]) => [name, fromPlain(item)]));
  }
  return value as Value;
}
