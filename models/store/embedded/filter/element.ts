import { toInt64 } from '../bson/arithmetic.ts';
import { equal } from '../bson/compare.ts';
import { BSONRegExp, Double, isNumber, TYPES, toNumber, truthy, typeName, type Value } from '../bson/value.ts';
import { fail, refuse } from '../errors.ts';
import { always, ask, not, type PathOperator } from './condition.ts';
import { regexTest } from './regex.ts';

function typeSet(operand: Value): Set<string> {
  const names = new Set<string>();
  for (const item of Array.isArray(operand) ? operand : [operand]) {
    if (typeof item === 'string') {
      if (item !== 'number' && !Object.hasOwn(TYPES, item)) refuse(`Unknown type name alias: ${item}`);
      names.add(item);
    } else if (isNumber(item)) {
      const code = toNumber(item);
      const name = Object.entries(TYPES).find(([, type]) => type[0] === code)?.[0];
      if (!name) refuse(`Invalid numerical type code: ${code}`);
      names.add(name);
    } else fail('TypeMismatch', 'type must be represented as a number or a string');
  }
  if (names.size === 0) fail('FailedToParse', '$type must match at least one type');
  if (names.delete('number')) for (const name of ['int', 'long', 'double', 'decimal']) names.add(name);
  return names;
}

const mod: PathOperator = (operand, path) => {
  if (!Array.isArray(operand)) refuse('malformed mod, needs to be an array');
  if (operand.length !== 2) refuse(`malformed mod, needs two elements, not ${operand.length}`);
  // Fractions are cut off.
  const [by, rest] = operand.map((item) => {
    const number = toNumber(item);
    return Number.isFinite(number) ? BigInt(Math.trunc(number)) : refuse('malformed mod, needs two numbers');
  }) as [bigint, bigint];
  if (by === 0n) refuse('divisor cannot be 0');
  return ask(path, (value) => {
    if (!isNumber(value)) return false;
    const whole = toInt64(value instanceof Double ? new Double(Math.trunc(value.value)) : value);
    return whole !== undefined && whole % by === rest;
  });
};

function regex(operand: Value, options: Value) {
  if (operand instanceof BSONRegExp)
    return { pattern: operand.pattern, options: typeof options === 'string' ? options : operand.options };
  if (typeof operand !== 'string') refuse('$regex has to be a string');
  if (options !== undefined && typeof options !== 'string') refuse('$options has to be a string');
  return { pattern: operand, options: typeof options === 'string' ? options : '' };
}

export const ELEMENT: Record<string, PathOperator> = {
  $exists: (operand, path) => {
    const exists = ask(path, (value) => value !== undefined);
    return truthy(operand) ? exists : not(exists);
  },
  $type: (operand, path) => {
    const names = typeSet(operand);
    return ask(path, (value) => names.has(typeName(value)));
  },
  $mod: mod,
  $regex: (operand, path, _context, siblings) => {
    const { pattern, options } = regex(operand, siblings.get('$options'));
    const test = regexTest(pattern, options);
    const same = new BSONRegExp(pattern, options);
    return ask(path, (value) => test(value) || (value instanceof BSONRegExp && equal(value, same)), { whole: false });
  },
  $options: (_operand, _path, _context, siblings) => {
    if (!siblings.has('$regex')) refuse('$options needs a $regex');
    return always;
  },
};
