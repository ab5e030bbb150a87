import type { Doc, Value } from '../bson/value.ts';

/** Variables in force, the innermost first. */
export type Variables = { name: string; value: Value; outer: Variables } | undefined;

/** What an expression is evaluated in: the document and its variables. */
export type Env = { root: Value; variables: Variables; now: Date };

/** A compiled expression; undefined is "missing". */
export type Expression = (env: Env) => Value;

/** Compiles a part of an expression; operators get it to compile their operands. */
export type Compile = (spec: Value) => Expression;

/** Makes an expression of an operator's operand. */
export type Operator = (operand: Value, compile: Compile, name: string) => Expression;

export const bind = (env: Env, name: string, value: Value): Env => ({
  ...env,
  variables: { name, value, outer: env.variables },
});

export function lookup(variables: Variables, name: string): { value: Value } | undefined {
  for (let at = variables; at; at = at.outer) if (at.name === name) return at;
  return undefined;
}

export function environment(root: Value, given: Doc | undefined, now: Date): Env {
  let variables: Variables;
  for (const [name, value] of given ?? []) variables = { name, value, outer: variables };
  return { root, variables, now };
}
