import { equal } from '../bson/compare.ts';
import { BSONRegExp, type Doc, isDoc, type Value } from '../bson/value.ts';
import { refuse, refused } from '../errors.ts';
import { ARRAY } from './array.ts';
import { BITS } from './bits.ts';
import { COMPARISON, equals } from './comparison.ts';
import { always, ask, type Condition, every, type FilterContext, not, type PathOperator } from './condition.ts';
import { ELEMENT } from './element.ts';
import { decoded, type Path, parsePath } from './path.ts';
import { regexTest } from './regex.ts';

type LogicalOperator = (operand: Value, context: FilterContext) => Condition;

function clauses(operand: Value, context: FilterContext, name: string): Condition[] {
  if (!Array.isArray(operand)) refuse(`${name} must be an array`);
  if (operand.length === 0) refuse('$and/$or/$nor must be a nonempty array');
  return operand.map((item) =>
    isDoc(item) ? compileFilter(item, context) : refuse('$or/$and/$nor entries need to be full objects'),
  );
}

const some =
  (conditions: Condition[]): Condition =>
  (source) =>
    conditions.some((condition) => condition(source));

const LOGICAL: Record<string, LogicalOperator> = {
  $and: (operand, context) => every(clauses(operand, context, '$and')),
  $or: (operand, context) => some(clauses(operand, context, '$or')),
  $nor: (operand, context) => not(some(clauses(operand, context, '$nor'))),
  $comment: () => always,
  $expr(operand, context) {
    if (!context.expression) refuse('$expr is not allowed in this context');
    const test = context.expression(operand);
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
  if (!isDoc(value)) return false;
  const first = value.keys().next().value;
  return first?.startsWith('$') === true && first !== '$ref' && first !== '$id' && first !== '$db';
}

/** The conditions of an operator document on one path. */
export function pathConditions(operators: Doc, path: Path, context: FilterContext): Condition {
  const conditions: Condition[] = [];
  for (const [name, operand] of operators) {
    const operator = PATH[name];
    if (!operator) refuse(`unknown operator: ${name}`);
    conditions.push(operator(operand, path, context, operators));
  }
  return every(conditions);
}

function pathNode(path: Path, value: Value, context: FilterContext): Condition {
  if (isOperatorDoc(value)) return pathConditions(value, path, context);
  if (value instanceof BSONRegExp) {
    const test = regexTest(value.pattern, value.options);
    return ask(path, (item) => test(item) || (item instanceof BSONRegExp && equal(item, value)), { whole: false });
  }
  return equals(value, path, context);
}

/** Compiles a filter document; throws MongoDB's errors for what is malformed, unknown or unsupported. */
export function compileFilter(filter: Doc, context: FilterContext = {}): Condition {
  if (filter.size === 0) return always;
  const conditions: Condition[] = [];
  for (const [key, value] of filter) {
    if (key.startsWith('$')) {
      const operator = LOGICAL[key];
      if (!operator)
        refuse(
          `unknown top level operator: ${key}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
        );
      conditions.push(operator(value, context));
    } else conditions.push(pathNode(parsePath(key), value, context));
  }
  return every(conditions);
}

/** A filter as a test of decoded documents. */
export function docFilter(filter: Doc, context?: FilterContext): (doc: Doc) => boolean {
  const condition = compileFilter(filter, context);
  return (doc) => condition(decoded(doc));
}
