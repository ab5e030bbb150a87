import { type Doc, isDoc, truthy, type Value } from '../bson/value.ts';
import { fail, refused } from '../errors.ts';
import { valueAt } from '../filter/path.ts';
import type { Compute } from '../projection/compile.ts';
import { ACCUMULATED } from './accumulators.ts';
import { bind, type Env, type Expression } from './kind.ts';
import { BORROWED } from './mingo.ts';
import type { Operator } from './operator.ts';
import { ARITHMETIC } from './operators/arithmetic.ts';
import { ARRAY } from './operators/array.ts';
import { DOCUMENT } from './operators/document.ts';
import { LOGIC } from './operators/logic.ts';
import { TEXT } from './operators/text.ts';
import { TYPE } from './operators/type.ts';

const OPERATORS: Record<string, Operator> = {
  ...{ ...BORROWED, ...ARITHMETIC, ...ARRAY, ...DOCUMENT, ...LOGIC, ...TEXT, ...TYPE, ...ACCUMULATED },
  ...refused('$function', '$accumulator', '$meta'),
};

/** Variables that need not be bound. */
const SYSTEM = new Map<string, (env: Env) => Value>([
  ['ROOT', ({ root }) => root],
  ['CURRENT', ({ root }) => root],
  ['NOW', ({ now }) => now],
  ['REMOVE', () => undefined],
]);

function fieldPath(text: string): Expression {
  const path = text.split('.');
  if (path.includes('')) fail(text.endsWith('.') ? 40353 : 15998, 'FieldPath field names may not be empty strings.');
  if (path.some((step) => step.startsWith('$'))) fail(16410, "FieldPath field names may not start with '$'.");
  return ({ root }) => valueAt(root, path);
}

function variable(text: string): Expression {
  const [name = '', ...path] = text.split('.');
  if (!/^[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*$/.test(name))
    fail('FailedToParse', `'${name}' is empty or contains an invalid character for a variable name`);
  const system = SYSTEM.get(name);
  return (env) => {
    for (let at = env.variables; at; at = at.outer) if (at.name === name) return valueAt(at.value, path);
    return valueAt(system ? system(env) : fail(17276, `Use of undefined variable: ${name}`), path);
  };
}

function object(spec: Doc): Expression {
  const fields = [...spec].map(([name, item]) => {
    if (name.includes('.')) fail(16412, "FieldPath field names may not contain '.'.");
    return [name, compileExpression(item)] as const;
  });
  return (env) => {
    const values = fields.map(([name, item]): [string, Value] => [name, item(env)]);
    return new Map(values.filter(([, value]) => value !== undefined));
  };
}

/** Compiles an expression; throws InvalidPipelineOperator (168) for an unknown operator. */
export function compileExpression(spec: Value): Expression {
  if (typeof spec === 'string') {
    if (spec === '$') fail(16872, "'$' by itself is not a valid FieldPath");
    if (spec.startsWith('$$')) return variable(spec.slice(2));
    return spec.startsWith('$') ? fieldPath(spec.slice(1)) : () => spec;
  }
  if (Array.isArray(spec)) {
    const items = spec.map(compileExpression);
    return (env) => items.map((item) => item(env) ?? null);
  }
  if (!isDoc(spec)) return () => spec;
  const name = [...spec.keys()].find((key) => key.startsWith('$'));
  if (name === undefined) return object(spec);
  if (spec.size !== 1) fail(15983, `an expression must contain exactly one field. Found ${spec.size} fields`);
  const operator = OPERATORS[name] ?? fail('InvalidPipelineOperator', `Unrecognized expression '${name}'`);
  return operator(spec.get(name), compileExpression, name);
}

/** Makes the evaluation context of expressions for each document; `given` are the command's `let` variables. */
export function environment(given?: Doc): (root: Value) => Env {
  const start: Env = { root: undefined, variables: undefined, now: new Date() };
  const { now, variables } = [...(given ?? [])].reduce((env, [name, value]) => bind(env, name, value), start);
  return (root) => ({ root, variables, now });
}

/** Compiles expressions that compute a field from a document; `variables` are the command's `let`. */
export const compileCompute = (variables?: Doc) => {
  const env = environment(variables);
  return (spec: Value): Compute => {
    const expression = compileExpression(spec);
    return (doc) => expression(env(doc));
  };
};

/** Compiles $expr conditions. */
export const expressionTest = (variables?: Doc) => (spec: Value) => {
  const computed = compileCompute(variables)(spec);
  return (doc: Doc): boolean => truthy(computed(doc));
};
