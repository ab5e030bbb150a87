import { isDoc, isNumber, toNumber, typeName, type Value } from '../bson/value.ts';
import { fail } from '../errors.ts';
import type { Env, Expression, Operator } from './scope.ts';

/** The operands of an operator: an array of them, or a single one. */
export const operands = (operand: Value): Value[] => (Array.isArray(operand) ? operand : [operand]);

/** An operator that takes its values evaluated, between `least` and `most` of them (code 16020 otherwise). */
export function strict(least: number, most: number, apply: (values: Value[], env: Env) => Value): Operator {
  return (operand, compile, name) => {
    const given = operands(operand);
    if (given.length < least || given.length > most) {
      const count = least === most ? `exactly ${least} arguments` : `at least ${least} arguments, and at most ${most}`;
      fail(16020, `Expression ${name} takes ${count}. ${given.length} were passed in.`);
    }
    const compiled = given.map(compile);
    return (env) =>
      apply(
        compiled.map((item) => item(env)),
        env,
      );
  };
}

/** The same, answering null when any value is null or missing. */
export const nullable = (least: number, most: number, apply: (values: Value[], env: Env) => Value): Operator =>
  strict(least, most, (values, env) =>
    values.some((value) => value === null || value === undefined) ? null : apply(values, env),
  );

/** An operator whose operand is a document with named parts; unknown ones are refused. */
export function named(
  required: string[],
  optional: string[],
  make: (parts: Record<string, Expression | undefined>) => Expression,
): Operator {
  return (operand, compile, name) => {
    if (!isDoc(operand)) fail('FailedToParse', `${name} only supports an object as its argument`);
    const parts: Record<string, Expression | undefined> = {};
    for (const [key, value] of operand) {
      if (!required.includes(key) && !optional.includes(key))
        fail('FailedToParse', `Unrecognized argument to ${name}: ${key}`);
      parts[key] = compile(value);
    }
    for (const key of required) if (!parts[key]) fail('FailedToParse', `Missing '${key}' parameter to ${name}`);
    return make(parts);
  };
}

export const nullish = (value: Value): value is null | undefined => value === null || value === undefined;

/** A whole number, or the error of the operator that wanted one. */
export function integer(value: Value, code: number, message: string): number {
  const number = isNumber(value) ? toNumber(value) : Number.NaN;
  if (!Number.isInteger(number)) fail(code, `${message}, found ${typeName(value)}`);
  return number;
}

export function array(value: Value, code: number, message: string): Value[] {
  if (!Array.isArray(value)) fail(code, `${message}, not ${typeName(value)}`);
  return value;
}

export function text(value: Value, code: number, message: string): string {
  if (typeof value !== 'string') fail(code, `${message}, found: ${typeName(value)}`);
  return value;
}
