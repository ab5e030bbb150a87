import { show } from '../bson/show.ts';
import { BSONRegExp, isDoc, isNumber, toNumber, type Value } from '../bson/value.ts';
import { refuse } from '../errors.ts';
import { equals } from './comparison.ts';
import { docFilter, isOperatorDoc, pathConditions } from './compile.ts';
import { ask, every, type FilterContext, never, not, type PathOperator, type Test, testValue } from './path.ts';
import { regexTest } from './regex.ts';

const LOGICAL = ['$and', '$or', '$nor', '$expr', '$comment'];

/** Whether a value is a document of operators that are asked of one value, not of the fields of a document. */
export const asksValue = (operand: Value): operand is Map<string, Value> =>
  isOperatorDoc(operand) && !LOGICAL.includes(operand.keys().next().value ?? '');

/** The test that one array element has to pass: operators on the element itself, or a filter on its fields. */
export function elementTest(operand: Value, context: FilterContext): Test {
  if (!isDoc(operand)) refuse('$elemMatch needs an Object');
  if (asksValue(operand)) return testValue((path) => pathConditions(operand, path, context));
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

const all: PathOperator = (operand, path, context, siblings, name) => {
  if (!Array.isArray(operand)) refuse('$all needs an array');
  if (operand.length === 0) return never;
  const conditions = operand.map((item) => {
    if (isDoc(item) && item.has('$elemMatch')) return elemMatch(item.get('$elemMatch'), path, context, siblings, name);
    if (isOperatorDoc(item)) refuse('no $ expressions in $all');
    return item instanceof BSONRegExp ? ask(path, regexTest(item)) : equals(item, path, context);
  });
  return every(conditions);
};

const size: PathOperator = (operand, path) => {
  const count = isNumber(operand) ? toNumber(operand) : Number.NaN;
  if (!Number.isInteger(count) || count < 0)
    refuse(`Failed to parse $size. Expected a non-negative integer in: $size: ${show(operand)}`);
  return ask(path, (value) => Array.isArray(value) && value.length === count, { elements: false });
};

const negate: PathOperator = (operand, path, context) => {
  if (operand instanceof BSONRegExp) return not(ask(path, regexTest(operand)));
  if (!isDoc(operand)) refuse('$not needs a regex or a document');
  if (operand.size === 0) refuse('$not cannot be empty');
  const [first] = operand.keys();
  return isOperatorDoc(operand) ? not(pathConditions(operand, path, context)) : refuse(`unknown operator: ${first}`);
};

export const ARRAY: Record<string, PathOperator> = { $elemMatch: elemMatch, $all: all, $size: size, $not: negate };
