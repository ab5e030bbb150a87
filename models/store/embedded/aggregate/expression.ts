import { type Doc, isDoc, truthy, type Value } from '../bson/value.ts';
import { fail, refused } from '../errors.ts';
import { valueAt } from '../filter/path.ts';
import type { Compute } from '../projection/compile.ts';
import { type Env, type Expression, environment, type Operator } from './operator.ts';
import { ACCUMULATED } from './operators/accumulated.ts';
import { ARITHMETIC } from './operators/arithmetic.ts';
import { ARRAY } from './operators/array.ts';
import { DOCUMENT } from './operators/document.ts';
import { LOGIC } from './operators/logic.ts';
import { MINGO } from './operators/mingo.ts';
import { TEXT } from './operators/text.ts';
import { TYPE } from './operators/type.ts';

/** Every expression operator; our own come before what is borrowed. */
const OPERATORS: Record<string, Operator> = {
  ...MINGO,
  ...ARITHMETIC,
  ...ARRAY,
  ...DOCUMENT,
  ...LOGIC,
  ...TEXT,
  ...TYPE,
  ...ACCUMULATED,
  ...refused('$function', '$accumulator', '$meta'),
};

/** Variables that need not be bound. */
const SYSTEM: Record<string, (env: Env) => Value> = {
  ROOT: ({ root }) => root,
  CURRENT: ({ root }) => root,
  NOW: ({ now }) => now,
  REMOVE: () => undefined,
  DESCEND: () => '$$DESCEND',
  PRUNE: () => '$$PRUNE',
  KEEP: () => '$$KEEP',
};

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
  const system = Object.hasOwn(SYSTEM, name) ? SYSTEM[name] : undefined;
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
    const out: Doc = new Map();
    for (const [name, item] of fields) {
      const value = item(env);
      if (value !== undefined) out.set(name, value);
    }
    return out;
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
  const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (!operator) fail('InvalidPipelineOperator', `Unrecognized expression '${name}'`);
  return operator(spec.get(name), compileExpression, name);
}

/** Compiles expressions that compute a field from a document; `variables` are the command's `let`. */
export function compileCompute(variables?: Doc): (spec: Value) => Compute {
  const now = new Date();
  return (spec) => {
    const expression = compileExpression(spec);
    return (doc) => expression(environment(doc, variables, now));
  };
}

/** Compiles $expr conditions. */
export function expressionTest(variables?: Doc): (spec: Value) => (doc: Doc) => boolean {
  const compute = compileCompute(variables);
  return (spec) => {
    const computed = compute(spec);
    return (doc) => truthy(computed(doc));
  };
}
