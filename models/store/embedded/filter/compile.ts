import { equal } from '../bson/compare.ts';
import { BSONRegExp, type Doc, isDoc, type Value } from '../bson/value.ts';
import { fail, refuse } from '../errors.ts';
import { ARRAY } from './array.ts';
import { BITS } from './bits.ts';
import { COMPARISON, equals } from './comparison.ts';
import { ELEMENT } from './element.ts';
import { ALWAYS, ask, every, type FilterContext, type Node, not, type PathOperator, some } from './node.ts';
import { type Path, parsePath } from './path.ts';
import { regexTest } from './regex.ts';

type LogicalOperator = (operand: Value, context: FilterContext) => Node;

function clauses(operand: Value, context: FilterContext, name: string): Node[] {
  if (!Array.isArray(operand)) refuse(`${name} must be an array`);
  if (operand.length === 0) refuse('$and/$or/$nor must be a nonempty array');
  return operand.map((item) => {
    if (!isDoc(item)) refuse('$or/$and/$nor entries need to be full objects');
    return compileFilter(item, context);
  });
}

const unsupported =
  (name: string): LogicalOperator =>
  () =>
    fail('CommandNotSupported', `${name} is not supported by the embedded store`);

const LOGICAL: Record<string, LogicalOperator> = {
  $and: (operand, context) => every(clauses(operand, context, '$and')),
  $or: (operand, context) => some(clauses(operand, context, '$or')),
  $nor: (operand, context) => not(some(clauses(operand, context, '$nor'))),
  $comment: () => ALWAYS,
  $expr: (operand, context) => {
    if (!context.expression) fail('BadValue', '$expr is not allowed in this context');
    return fromDoc(context.expression(operand));
  },
  $where: unsupported('$where'),
  $text: unsupported('$text'),
  $jsonSchema: unsupported('$jsonSchema'),
};

const refusePath =
  (name: string): PathOperator =>
  () =>
    fail('CommandNotSupported', `${name} is not supported by the embedded store`);

const PATH: Record<string, PathOperator> = {
  ...COMPARISON,
  ...ELEMENT,
  ...ARRAY,
  ...BITS,
  $comment: () => ALWAYS,
  ...Object.fromEntries(
    ['$near', '$nearSphere', '$geoWithin', '$geoIntersects', '$within'].map((name) => [name, refusePath(name)]),
  ),
};

function fromDoc(test: (doc: Doc) => boolean): Node {
  return { doc: test, raw: (bytes, at) => test(readDoc(bytes, at)) };
}

import { readDoc } from '../bson/read.ts';

/** Whether a value is a document of operators ({$gt: 1}) and not a literal; a DBRef is a literal. */
export function isOperatorDoc(value: Value): value is Doc {
  if (!isDoc(value)) return false;
  const first = value.keys().next().value;
  return first?.startsWith('$') === true && first !== '$ref' && first !== '$id' && first !== '$db';
}

/** The conditions of an operator document on one path. */
export function pathConditions(operators: Doc, path: Path, context: FilterContext): Node {
  const nodes: Node[] = [];
  for (const [name, operand] of operators) {
    const operator = PATH[name];
    if (!operator) refuse(`unknown operator: ${name}`);
    nodes.push(operator(operand, path, context, operators));
  }
  return every(nodes);
}

function pathNode(path: Path, value: Value, context: FilterContext): Node {
  if (isOperatorDoc(value)) return pathConditions(value, path, context);
  if (value instanceof BSONRegExp) {
    const test = regexTest(value.pattern, value.options);
    return ask(path, (item) => test(item) || (item instanceof BSONRegExp && equal(item, value)), { whole: false });
  }
  return equals(value, path, context);
}

/** Compiles a filter document; throws MongoDB's errors for what is malformed, unknown or unsupported. */
export function compileFilter(filter: Doc, context: FilterContext = {}): Node {
  if (filter.size === 0) return ALWAYS;
  const nodes: Node[] = [];
  for (const [key, value] of filter) {
    if (key.startsWith('$')) {
      const operator = LOGICAL[key];
      if (!operator)
        refuse(
          `unknown top level operator: ${key}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
        );
      nodes.push(operator(value, context));
    } else nodes.push(pathNode(parsePath(key), value, context));
  }
  return every(nodes);
}
