import { compare, equal } from '../bson/compare.ts';
import { show } from '../bson/show.ts';
import { BSONRegExp, clone, isDoc, isNumber, toNumber, typeName, type Value } from '../bson/value.ts';
import { fail, refuse } from '../errors.ts';
import { docFilter, isOperatorDoc, pathConditions } from '../filter/compile.ts';
import { testValue } from '../filter/condition.ts';
import { regexTest } from '../filter/regex.ts';
import { compareBy, parseSort } from '../sort.ts';
import { idDoc, KEEP, type UpdateOperator } from './operator.ts';

const MODIFIERS = new Set(['$each', '$slice', '$sort', '$position']);

function whole(value: Value, name: string): number {
  const number = isNumber(value) ? toNumber(value) : Number.NaN;
  if (!Number.isInteger(number))
    refuse(`The value for ${name} must be an integer value but was given type: ${typeName(value)}`);
  return number;
}

/** What $push was asked: the items and where they go. */
type Push = { items: Value[]; position?: number; slice?: number; sort?: (a: Value, b: Value) => number };

function parsePush(operand: Value, collator: Parameters<UpdateOperator>[2]): Push {
  if (!isDoc(operand) || !operand.has('$each')) return { items: [operand] };
  const each = operand.get('$each');
  if (!Array.isArray(each))
    refuse(`The argument to $each in $push must be an array but it was of type: ${typeName(each)}`);
  for (const name of operand.keys()) if (!MODIFIERS.has(name)) refuse(`Unrecognized clause in $push: ${name}`);
  const push: Push = { items: each };
  if (operand.has('$position')) push.position = whole(operand.get('$position'), '$position');
  if (operand.has('$slice')) push.slice = whole(operand.get('$slice'), '$slice');
  const sort = operand.get('$sort');
  if (isDoc(sort)) {
    if (sort.size === 0) refuse('The $sort pattern is empty when it should be a set of fields.');
    const by = compareBy(parseSort(sort), collator);
    push.sort = (a, b) => by(isDoc(a) ? a : new Map(), isDoc(b) ? b : new Map());
  } else if (sort !== undefined) {
    const direction = isNumber(sort) ? toNumber(sort) : 0;
    if (direction !== 1 && direction !== -1) refuse('The $sort element value must be either 1 or -1');
    push.sort = (a, b) => compare(a, b, collator) * direction;
  }
  return push;
}

const push: UpdateOperator = (operand, path, collator) => {
  const { items, position, slice, sort } = parsePush(operand, collator);
  return (current, context) => {
    if (current !== undefined && !Array.isArray(current)) {
      refuse(
        `The field '${path}' must be an array but is of type ${typeName(current)} in document ${show(idDoc(context.doc))}`,
      );
    }
    let out = [...(current ?? [])];
    const at =
      position === undefined
        ? out.length
        : position < 0
          ? Math.max(0, out.length + position)
          : Math.min(position, out.length);
    out.splice(at, 0, ...clone(items));
    if (sort) out.sort(sort);
    if (slice !== undefined) out = slice < 0 ? out.slice(slice) : out.slice(0, slice);
    return out;
  };
};

const addToSet: UpdateOperator = (operand, path, collator) => {
  let items = [operand];
  if (isDoc(operand) && operand.keys().next().value === '$each') {
    const each = operand.get('$each');
    if (!Array.isArray(each))
      fail('TypeMismatch', `The argument to $each in $addToSet must be an array but it was of type ${typeName(each)}`);
    if (operand.size > 1) refuse(`Found unexpected fields after $each in $addToSet: ${show(operand)}`);
    items = each;
  }
  return (current) => {
    if (current !== undefined && !Array.isArray(current))
      refuse(
        `Cannot apply $addToSet to non-array field. Field named '${path.split('.').at(-1)}' has non-array type ${typeName(current)}`,
      );
    const out = [...(current ?? [])];
    for (const item of items) if (!out.some((other) => equal(other, item, collator))) out.push(clone(item));
    return current !== undefined && out.length === current.length ? KEEP : out;
  };
};

/** The test for elements that $pull removes. */
function pullTest(operand: Value, collator: Parameters<UpdateOperator>[2]): (value: Value) => boolean {
  if (operand instanceof BSONRegExp) return regexTest(operand.pattern, operand.options);
  if (isOperatorDoc(operand)) {
    const logical = ['$and', '$or', '$nor', '$expr'].includes(operand.keys().next().value ?? '');
    if (!logical) return testValue((path) => pathConditions(operand, path, { collator }));
  }
  if (isDoc(operand)) {
    const test = docFilter(operand, { collator });
    return (value) => isDoc(value) && test(value);
  }
  return (value) => equal(value, operand, collator);
}

const pull: UpdateOperator = (operand, _path, collator) => {
  const test = pullTest(operand, collator);
  return (current) => {
    if (current === undefined) return KEEP;
    if (!Array.isArray(current)) refuse('Cannot apply $pull to a non-array value');
    const out = current.filter((item) => !test(item));
    return out.length === current.length ? KEEP : out;
  };
};

const pullAll: UpdateOperator = (operand, _path, collator) => {
  if (!Array.isArray(operand)) refuse(`$pullAll requires an array argument but was given a ${typeName(operand)}`);
  return (current) => {
    if (current === undefined) return KEEP;
    if (!Array.isArray(current)) refuse('Cannot apply $pull to a non-array value');
    const out = current.filter((item) => !operand.some((other) => equal(item, other, collator)));
    return out.length === current.length ? KEEP : out;
  };
};

const pop: UpdateOperator = (operand, path) => {
  const side = isNumber(operand) ? toNumber(operand) : Number.NaN;
  if (side !== 1 && side !== -1) fail('FailedToParse', `$pop expects 1 or -1, found: ${show(operand)}`);
  return (current) => {
    if (current === undefined) return KEEP;
    if (!Array.isArray(current))
      fail('TypeMismatch', `Path '${path}' contains an element of non-array type '${typeName(current)}'`);
    if (current.length === 0) return KEEP;
    return side === 1 ? current.slice(0, -1) : current.slice(1);
  };
};

export const ARRAYS: Record<string, UpdateOperator> = {
  $push: push,
  $addToSet: addToSet,
  $pull: pull,
  $pullAll: pullAll,
  $pop: pop,
};
