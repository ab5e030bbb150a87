import { equal } from '../bson/compare.ts';
import { show } from '../bson/show.ts';
import { BSONRegExp, clone, type Doc, isDoc, toNumber, typeName, type Value } from '../bson/value.ts';
import { type CodeName, fail, refuse, unsupported } from '../errors.ts';
import { asksValue, elementTest } from '../filter/compile.ts';
import type { Test } from '../filter/path.ts';
import { regexTest } from '../filter/regex.ts';
import { type Context, shown, type UpdateOperator } from './operator.ts';

/** The array that an operator changes; any other value is refused. */
function arrayOf(value: Value, { path }: Context, code: CodeName = 'BadValue'): Value[] {
  if (Array.isArray(value)) return value;
  return fail(code, `The field ${shown(path)} must be an array but is of type ${typeName(value)}`);
}

const MODIFIERS = ['$each', '$slice', '$position'];

/** A modifier of $push that is a whole number; endless where it is not there. */
function whole(operand: Doc, name: string): number {
  if (!operand.has(name)) return Number.POSITIVE_INFINITY;
  const number = toNumber(operand.get(name));
  return Number.isInteger(number) ? number : refuse(`The value for ${name} must be an integer, not ${number}`);
}

const push: UpdateOperator = (operand) => {
  const given: Doc = isDoc(operand) && operand.has('$each') ? operand : new Map([['$each', [operand]]]);
  if (given.has('$sort')) unsupported('$sort in $push');
  const unknown = [...given.keys()].find((name) => !MODIFIERS.includes(name));
  if (unknown) refuse(`Unrecognized clause in $push: ${unknown}`);
  const items = given.get('$each');
  if (!Array.isArray(items)) refuse(`The argument to $each in $push must be an array, not of type ${typeName(items)}`);
  const position = whole(given, '$position');
  const slice = whole(given, '$slice');
  return (current = [], context) => {
    const array = arrayOf(current, context);
    // Slices count negative places from the end and take those beyond either end for it, as MongoDB does.
    const out = [...array.slice(0, position), ...clone(items), ...array.slice(position)];
    return slice < 0 ? out.slice(slice) : out.slice(0, slice);
  };
};

const addToSet: UpdateOperator = (operand) => {
  const many = isDoc(operand) && operand.keys().next().value === '$each';
  const items = many ? operand.get('$each') : [operand];
  if (!Array.isArray(items))
    fail('TypeMismatch', `The argument to $each in $addToSet must be an array, not of type ${typeName(items)}`);
  if (many && operand.size > 1) refuse(`Found unexpected fields after $each in $addToSet: ${show(operand)}`);
  return (current = [], context) => {
    const out = [...arrayOf(current, context)];
    for (const item of items) if (!out.some((other) => equal(other, item))) out.push(clone(item));
    return out;
  };
};

/** The test for elements that $pull removes. */
function pullTest(operand: Value): Test {
  if (operand instanceof BSONRegExp) return regexTest(operand);
  if (!isDoc(operand)) return (value) => equal(value, operand);
  const test = elementTest(operand);
  return asksValue(operand) ? test : (value) => isDoc(value) && test(value);
}

function pullAllTest(operand: Value): Test {
  if (!Array.isArray(operand)) refuse(`$pullAll requires an array argument but was given a ${typeName(operand)}`);
  return (value) => operand.some((other) => equal(value, other));
}

const removing =
  (testOf: (operand: Value) => Test): UpdateOperator =>
  (operand) => {
    const test = testOf(operand);
    return (current, context) =>
      current === undefined ? undefined : arrayOf(current, context).filter((item) => !test(item));
  };

const pop: UpdateOperator = (operand) => {
  const side = toNumber(operand);
  if (Math.abs(side) !== 1) fail('FailedToParse', `$pop expects 1 or -1, found: ${show(operand)}`);
  return (current, context) => {
    if (current === undefined) return undefined;
    const array = arrayOf(current, context, 'TypeMismatch');
    return side === 1 ? array.slice(0, -1) : array.slice(1);
  };
};

export const ARRAYS: Record<string, UpdateOperator> = {
  $push: push,
  $addToSet: addToSet,
  $pull: removing(pullTest),
  $pullAll: removing(pullAllTest),
  $pop: pop,
};
