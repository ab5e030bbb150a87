import { BSONRegExp, type Doc, isDoc, isOperatorName, type Value } from '../bson/value.ts';
import { refuse, refused } from '../errors.ts';
import { ARRAY } from './array.ts';
import { BITS } from './bits.ts';
import { COMPARISON, equals } from './comparison.ts';
import { ELEMENT } from './element.ts';
import {
  always,
  ask,
  type Condition,
  decoded,
  every,
  type FilterContext,
  not,
  type Path,
  type PathOperator,
  parsePath,
} from './path.ts';
import { matches } from './regex.ts';

type LogicalOperator = (operand: Value, context: FilterContext, name: string) => Condition;

function clauses(operand: Value, context: FilterContext, name: string): Condition[] {
  if (!Array.isArray(operand) || operand.length === 0) refuse(`${name} must be a nonempty array`);
  return operand.map((item) =>
    isDoc(item) ? compileFilter(item, context) : refuse(`${name} entries need to be full objects`),
  );
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
  $expr(operand, context) {
    const test = context.expression?.(operand) ?? refuse('$expr is not allowed in this context');
    return (source) => test(source.whole());
  },
  ...refused('$where', '$text', '$jsonSchema'),
};

const PATH: Record<string, PathOperator> = {
  ...COMPARISON,
  ...ELEMENT,
  ...ARRAY,
  ...BITS,
  $comment: () => always,
  ...refused('$near', '$nearSphere', '$geoWithin', '$geoIntersects', '$within'),
};

/** Whether a value is a document of operators ({$gt: 1}) and not a literal; a DBRef is a literal. */
export function isOperatorDoc(value: Value): value is Doc {
  return isDoc(value) && isOperatorName(value.keys().next().value);
}

/** The conditions of an operator document on one path. */
export function pathConditions(operators: Doc, path: Path, context: FilterContext): Condition {
  const conditions = [...operators].map(([name, operand]) => {
    const operator = Object.hasOwn(PATH, name) ? PATH[name]! : refuse(`unknown operator: ${name}`);
    return operator(operand, path, context, operators, name);
  });
  return every(conditions);
}

/** What a field of a filter asks: operators, a pattern, or equality with a literal. */
function fieldCondition(path: Path, value: Value, context: FilterContext): Condition {
  if (isOperatorDoc(value)) return pathConditions(value, path, context);
  return value instanceof BSONRegExp ? ask(path, matches(value), { whole: false }) : equals(value, path, context);
}

/** Compiles a filter document; throws MongoDB's errors for what is malformed, unknown or unsupported. */
export function compileFilter(filter: Doc, context: FilterContext = {}): Condition {
  if (filter.size === 0) return always;
  const conditions = [...filter].map(([key, value]) => {
    if (!isOperatorName(key)) return fieldCondition(parsePath(key), value, context);
    if (!Object.hasOwn(LOGICAL, key))
      refuse(`unknown top level operator: ${key}. For a field name that starts with '$', consider $getField.`);
    return LOGICAL[key]!(value, context, key);
  });
  return every(conditions);
}

/** A filter as a test of decoded documents. */
export function docFilter(filter: Doc, context?: FilterContext): (doc: Doc) => boolean {
  const condition = compileFilter(filter, context);
  return (doc) => condition(decoded(doc));
}
