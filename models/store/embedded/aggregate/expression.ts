import { type Doc, isDoc, truthy, type Value } from '../bson/value.ts';
import { fail } from '../errors.ts';
import { valueAt } from '../filter/path.ts';
import type { Compute } from '../projection/compile.ts';
import { OPERATORS } from './operators/index.ts';
import { type Expression, environment, lookup } from './scope.ts';

const SYSTEM = new Set(['ROOT', 'CURRENT', 'NOW', 'REMOVE', 'DESCEND', 'PRUNE', 'KEEP', 'CLUSTER_TIME']);

function fieldPath(text: string): Expression {
  const path = text.split('.');
  if (path.some((step) => step === ''))
    fail(
      text.endsWith('.') ? 40353 : 15998,
      text.endsWith('.') ? "FieldPath must not end with a '.'." : 'FieldPath field names may not be empty strings.',
    );
  if (path.some((step) => step.startsWith('$')))
    fail(16410, `FieldPath field names may not start with '$'. Consider using $getField or $setField.`);
  if (path.length === 1) {
    const only = path[0]!;
    return ({ root }) => (isDoc(root) ? root.get(only) : undefined);
  }
  return ({ root }) => valueAt(root, path);
}

function variable(text: string): Expression {
  const [name, ...path] = text.split('.') as [string, ...string[]];
  if (name === '') fail('FailedToParse', 'empty variable names are not allowed');
  if (!/^[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*$/.test(name))
    fail('FailedToParse', `'${name}' contains an invalid character for a variable name`);
  return (env) => {
    const bound = lookup(env.variables, name);
    if (bound) return valueAt(bound.value, path);
    switch (name) {
      case 'ROOT':
      case 'CURRENT':
        return valueAt(env.root, path);
      case 'NOW':
        return env.now;
      case 'REMOVE':
        return undefined;
    }
    if (SYSTEM.has(name)) return `$$${name}`;
    fail(17276, `Use of undefined variable: ${name}`);
  };
}

function object(spec: Doc): Expression {
  const fields = [...spec].map(([name, item]) => {
    if (name.includes('.'))
      fail(16412, `FieldPath field names may not contain '.'. Consider using $getField or $setField.`);
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
    if (spec.startsWith('$$')) return variable(spec.slice(2));
    if (spec.startsWith('$') && spec.length > 1) return fieldPath(spec.slice(1));
    if (spec === '$') fail(16872, "'$' by itself is not a valid FieldPath");
    return () => spec;
  }
  if (Array.isArray(spec)) {
    const items = spec.map(compileExpression);
    return (env) => items.map((item) => item(env) ?? null);
  }
  if (!isDoc(spec)) return () => spec;
  const first = spec.keys().next().value ?? '';
  if (!first.startsWith('$')) {
    for (const name of spec.keys())
      if (name.startsWith('$'))
        fail(
          15983,
          `an expression specification must contain exactly one field, the name of the expression. Found 2 fields`,
        );
    return object(spec);
  }
  if (spec.size !== 1)
    fail(
      15983,
      `an expression specification must contain exactly one field, the name of the expression. Found ${spec.size} fields`,
    );
  const operator = OPERATORS[first];
  if (!operator) fail('InvalidPipelineOperator', `Unrecognized expression '${first}'`);
  return operator(spec.get(first), compileExpression, first);
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
