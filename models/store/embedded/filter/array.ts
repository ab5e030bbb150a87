import { show } from '../bson/show.ts';
import { BSONRegExp, isDoc, isNumber, toNumber, type Value } from '../bson/value.ts';
import { refuse } from '../errors.ts';
import { equals } from './comparison.ts';
import { docFilter, isOperatorDoc, pathConditions } from './compile.ts';
import {
  ask,
  type Condition,
  every,
  type FilterContext,
  never,
  not,
  type PathOperator,
  testValue,
} from './condition.ts';
import { regexTest } from './regex.ts';

/** The test that one array element has to pass: operators on the element itself, or a filter on its fields. */
export function elementTest(operand: Value, context: FilterContext): (value: Value) => boolean {
  if (!isDoc(operand)) refuse('$elemMatch needs an Object');
  const logical = ['$and', '$or', '$nor', '$expr', '$comment'].includes(operand.keys().next().value ?? '');
  if (isOperatorDoc(operand) && !logical) return testValue((path) => pathConditions(operand, path, context));
  const test = docFilter(operand, context);
  return (value) => {
    if (isDoc(value)) return test(value);
    return Array.isArray(value) && test(new Map(value.map((item, i) => [String(i), item])));
  };
}

const elemMatch: PathOperator = (operand, path, context) => {
  const test = elementTest(operand, context);
  return ask(path, (value) => Array.isArray(value) && value.some(test), { elements: false });
};

const all: PathOperator = (operand, path, context) => {
  if (!Array.isArray(operand)) refuse('$all needs an array');
  if (operand.length === 0) return never;
  const nodes = operand.map((item): Condition => {
    if (isDoc(item) && item.has('$elemMatch')) return elemMatch(item.get('$elemMatch'), path, context, item);
    if (isDoc(item) && isOperatorDoc(item)) refuse('no $ expressions in $all');
    if (item instanceof BSONRegExp) return ask(path, regexTest(item.pattern, item.options));
    return equals(item, path, context);
  });
  return every(nodes);
};

const size: PathOperator = (operand, path) => {
  if (!isNumber(operand)) refuse(`Failed to parse $size. Expected a number in: $size: ${show(operand)}`);
  const count = toNumber(operand);
  if (!Number.isInteger(count)) refuse(`Failed to parse $size. Expected an integer: $size: ${count}`);
  if (count < 0) refuse(`Failed to parse $size. Expected a non-negative number in: $size: ${count}`);
  return ask(path, (value) => Array.isArray(value) && value.length === count, { elements: false });
};

const negate: PathOperator = (operand, path, context) => {
  if (operand instanceof BSONRegExp) return not(ask(path, regexTest(operand.pattern, operand.options)));
  if (!isDoc(operand)) refuse('$not needs a regex or a document');
  if (operand.size === 0) refuse('$not cannot be empty');
  const first = operand.keys().next().value;
  if (!isOperatorDoc(operand)) refuse(`unknown operator: ${first}`);
  return not(pathConditions(operand, path, context));
};

export const ARRAY: Record<string, PathOperator> = { $elemMatch: elemMatch, $all: all, $size: size, $not: negate };
