import { type Doc, isDoc, isNumber, toNumber, typeName, type Value } from '../bson/value.ts';
import { fail } from '../errors.ts';

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

export function environment(root: Value, given: Doc | undefined, now: Date): Env {
  let variables: Variables;
  for (const [name, value] of given ?? []) variables = { name, value, outer: variables };
  return { root, variables, now };
}

/** The operands of an operator: an array of them, or a single one. */
export const operands = (operand: Value): Value[] => (Array.isArray(operand) ? operand : [operand]);

export const nullish = (value: Value): value is null | undefined => value === null || value === undefined;

/** What an operator makes of its values; the name is for messages. */
type Apply = (values: Value[], name: string) => Value;

/** An operator that takes its values evaluated, between `least` and `most` of them (code 16020 otherwise). */
export const strict =
  (least: number, most: number, apply: Apply): Operator =>
  (operand, compile, name) => {
    const given = operands(operand);
    if (given.length < least || given.length > most) {
      const count = least === most ? `exactly ${least}` : `at least ${least} and at most ${most}`;
      fail(16020, `Expression ${name} takes ${count} arguments. ${given.length} were passed in.`);
    }
    const compiled = given.map(compile);
    return (env) =>
      apply(
        compiled.map((item) => item(env)),
        name,
      );
  };

/** The same, answering null when any value is null or missing. */
export const nullable = (least: number, most: number, apply: Apply): Operator =>
  strict(least, most, (values, name) => (values.some(nullish) ? null : apply(values, name)));

/** The same with any number of values. */
export const variadic = (apply: Apply): Operator => nullable(0, Number.POSITIVE_INFINITY, apply);

/** An operand that is a document of named parts, with the codes for no document, an unknown part and a missing one. */
export function partsOf(operand: Value, name: string, required: string[], optional: string[], codes: number[]): Doc {
  if (!isDoc(operand)) fail(codes[0]!, `${name} only supports an object as its argument`);
  const unknown = [...operand.keys()].find((key) => !required.includes(key) && !optional.includes(key));
  if (unknown) fail(codes[1]!, `Unrecognized parameter to ${name}: ${unknown}`);
  required.forEach((key, i) => {
    if (!operand.has(key)) fail(codes[2 + i] ?? codes[2]!, `Missing '${key}' parameter to ${name}`);
  });
  return operand;
}

/** A whole number, or the error of the operator that wanted one. */
export function integer(value: Value, code: number, name: string): number {
  const number = isNumber(value) ? toNumber(value) : Number.NaN;
  return Number.isInteger(number) ? number : fail(code, `${name} requires a whole number, found: ${typeName(value)}`);
}

export const array = (value: Value, code: number, name: string): Value[] =>
  Array.isArray(value) ? value : fail(code, `${name} requires an array, found: ${typeName(value)}`);

export const text = (value: Value, code: number, name: string): string =>
  typeof value === 'string' ? value : fail(code, `${name} requires a string, found: ${typeName(value)}`);
