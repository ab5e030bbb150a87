import { BSONRegExp, type Doc, isDoc, isOperatorName, type Value } from '../bson/value.ts';
import { refuse, refused } from '../errors.ts';
import { COMPARISON, equals } from './comparison.ts';
import { ELEMENT } from './element.ts';
import {
  always,
  ask,
  type Condition,
  decoded,
  every,
  never,
  not,
  type Path,
  type PathOperator,
  parsePath,
  type Test,
  testValue,
} from './path.ts';
import { matches } from './regex.ts';

type LogicalOperator = (operand: Value, name: string) => Condition;

function clauses(operand: Value, name: string): Condition[] {
  if (!Array.isArray(operand) || operand.length === 0) refuse(`${name} must be a nonempty array`);
  return operand.map((item) => (isDoc(item) ? compileFilter(item) : refuse(`${name} entries need to be full objects`)));
}

const some: LogicalOperator = (...given) => {
  const conditions = clauses(...given);
  return (source) => conditions.some((condition) => condition(source));
};

const LOGICAL: Record<string, LogicalOperator> = {
  $and: (...given) => every(clauses(...given)),
  $or: some,
  $nor: (...given) => not(some(...given)),
  $comment: () => always,
};

const TOP_LEVEL: Record<string, LogicalOperator> = {
  ...LOGICAL,
  ...refused('$expr', '$where', '$text', '$jsonSchema', '$sampleRate', '$alwaysTrue', '$alwaysFalse'),
};

/** The test that one array element has to pass: operators on the element itself, or a filter on its fields. */
export function elementTest(operand: Value): Test {
  if (!isDoc(operand)) refuse('$elemMatch needs an Object');
  if (asksValue(operand)) return testValue((path) => pathConditions(operand, path));
  const test = docFilter(operand);
  return (value) => {
    if (isDoc(value)) return test(value);
    return Array.isArray(value) && test(new Map(value.map((item, i) => [String(i), item])));
  };
}

const elemMatch: PathOperator = (operand, path) => {
  const test = elementTest(operand);
  return ask(path, (value) => Array.isArray(value) && value.some(test), false);
};

const all: PathOperator = (operand, path, siblings, name) => {
  if (!Array.isArray(operand)) refuse('$all needs an array');
  if (operand.length === 0) return never;
  const asksElements = (item: Value): item is Doc => isDoc(item) && item.keys().next().value === '$elemMatch';
  if (operand.some(asksElements) && !operand.every((item) => asksElements(item) && item.size === 1))
    refuse('$all with $elemMatch takes nothing else');
  const conditions = operand.map((item) => {
    if (asksElements(item)) return elemMatch(item.get('$elemMatch'), path, siblings, name);
    if (isOperatorDoc(item)) refuse('no $ expressions in $all');
    return item instanceof BSONRegExp ? ask(path, matches(item)) : equals(item, path);
  });
  return every(conditions);
};

const negate: PathOperator = (operand, path) => {
  if (operand instanceof BSONRegExp) return not(ask(path, matches(operand)));
  if (!isDoc(operand)) refuse('$not needs a regex or a document');
  if (operand.size === 0) refuse('$not cannot be empty');
  return not(pathConditions(operand, path));
};

const PATH: Record<string, PathOperator> = {
  ...COMPARISON,
  ...ELEMENT,
  $elemMatch: elemMatch,
  $all: all,
  $not: negate,
  $comment: () => always,
  ...refused('$mod', '$bitsAllSet', '$bitsAllClear', '$bitsAnySet', '$bitsAnyClear', '$expr', '$jsonSchema'),
  ...refused('$near', '$nearSphere', '$geoWithin', '$geoIntersects', '$within'),
};

/** Whether a value is a document of operators ({$gt: 1}) and not a literal; a DBRef is a literal. */
export function isOperatorDoc(value: Value): value is Doc {
  return isDoc(value) && isOperatorName(value.keys().next().value);
}

/** Whether a value is a document of operators that are asked of one value, not of the fields of a document. */
export const asksValue = (operand: Value): operand is Doc =>
  isOperatorDoc(operand) && !Object.hasOwn(LOGICAL, operand.keys().next().value!);

/** The conditions of an operator document on one path. */
function pathConditions(operators: Doc, path: Path): Condition {
  const conditions = [...operators].map(([name, operand]) => {
    const operator = Object.hasOwn(PATH, name) ? PATH[name]! : refuse(`unknown operator: ${name}`);
    return operator(operand, path, operators, name);
  });
  return every(conditions);
}

/** The condition on a field of a filter: operators, a pattern, or equality with a literal. */
function fieldCondition(path: Path, value: Value): Condition {
  if (isOperatorDoc(value)) return pathConditions(value, path);
  return value instanceof BSONRegExp ? ask(path, matches(value)) : equals(value, path);
}

/** Compiles a filter document; throws MongoDB's errors for what is malformed, unknown or unsupported. */
export function compileFilter(filter: Doc): Condition {
  if (filter.size === 0) return always;
  const conditions = [...filter].map(([key, value]) => {
    if (!isOperatorName(key)) return fieldCondition(parsePath(key), value);
    if (!Object.hasOwn(TOP_LEVEL, key))
      refuse(`unknown top level operator: ${key}. For a field name that starts with '$', consider $getField.`);
    return TOP_LEVEL[key]!(value, key);
  });
  return every(conditions);
}

/** A filter as a test of decoded documents. */
export function docFilter(filter: Doc): (doc: Doc) => boolean {
  const condition = compileFilter(filter);
  return (doc) => condition(decoded(doc));
}
