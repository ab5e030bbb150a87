import { type Doc, isDoc, isNumber, toNumber, typeName, type Value } from '../bson/value.ts';
import { type CodeName, fail } from '../errors.ts';

/** The evaluation context of an expression: the document, its variables with the innermost first, and $$NOW. */
export type Env = { root: Value; variables: Variables; now: Date };
type Variables = { name: string; value: Value; outer: Variables } | undefined;

/** A compiled expression; undefined is "missing". */
export type Expression = (env: Env) => Value;

/** Compiles a part of an expression; operators get it to compile their operands. */
export type Compile = (spec: Value) => Expression;

export function bind(env: Env, name: string, value: Value): Env {
  return { ...env, variables: { name, value, outer: env.variables } };
}

export const nullish = (value: Value): value is null | undefined => value === null || value === undefined;

type Read<T> = (spec: Value, compile: Compile, name: string) => (env: Env) => T;

/**
 * The requirement on one part of an operator or stage: how to read it from a document, and how to check and convert the
 * value. The name is for messages; kinds that reject values carry the error code.
 */
export type Kind<T> = { read: Read<unknown>; check: (found: Value, name: string) => T; optional?: true };

/** A part that is read in a way of its own. */
export const special = <T>(read: Read<T>): Kind<T> => ({ read, check: (found) => found as T });

/** A part that is an expression, of which `check` gives the value or fails. */
export const valued = <T>(check: (value: Value, name: string) => T): Kind<T> => ({
  read: (spec, compile) => compile(spec),
  check,
});

const kind =
  <T extends Value>(what: string, is: (value: Value) => value is T) =>
  (code: CodeName | number) =>
    valued((value, name) => (is(value) ? value : fail(code, `${name} needs ${what}, found: ${typeName(value)}`)));

export const isWhole = (value: Value): value is number | bigint => ['number', 'bigint'].includes(typeof value);

export const any = valued((value) => value);
export const array = kind('an array', (value): value is Value[] => Array.isArray(value));
export const document = kind('a document', isDoc);
export const number = kind('a number', isNumber);
export const text = kind('a string', (value) => typeof value === 'string');
export const whole = kind('an int or a long', isWhole);

/** A whole number of whatever type, not below `least`. */
export const integer = (code: CodeName | number, least = -Infinity) =>
  valued((value, name) => {
    const found = toNumber(value);
    return Number.isInteger(found) && found >= least ? found : fail(code, `${name} needs a whole number >= ${least}`);
  });

/** A part that is evaluated when it is asked for, with variables bound. */
export const body = special((spec, compile) => {
  const expression = compile(spec);
  return (env) =>
    (...bound: [string, Value][]): Value =>
      expression(bound.reduce((inner, [name, value]) => bind(inner, name, value), env));
});

/** An optional part. */
export const optional = <T>({ read, check }: Kind<T>): Kind<T | undefined> => ({
  read: (spec, compile, name) => (spec === undefined ? () => undefined : read(spec, compile, name)),
  check: (found, name) => (found === undefined ? undefined : check(found, name)),
  optional: true,
});

export type Kinds = Record<string, Kind<unknown>>;
/** The values that kinds read from their parts. */
export type Values<K> = { [I in keyof K]: K[I] extends Kind<infer T> ? T : never };
/** Error codes: not a document, an unknown part, and missing parts in their order (one code may stand for all). */
export type Codes = [wrong: CodeName | number, unknown: CodeName | number, ...missing: (CodeName | number)[]];

/** A document of named parts, not evaluated yet. */
export function partsOf(operand: Value, name: string, [wrong, unknown, ...missing]: Codes, kinds: Kinds): Doc {
  const given = document(wrong).check(operand, name);
  const other = [...given.keys()].find((key) => !Object.hasOwn(kinds, key));
  if (other !== undefined) fail(unknown, `Unrecognized parameter to ${name}: ${other}`);
  const required = Object.keys(kinds).filter((key) => !kinds[key]!.optional);
  const absent = required.findIndex((key) => !given.has(key));
  if (absent >= 0) fail(missing[absent] ?? missing[0]!, `Missing '${required[absent]}' parameter to ${name}`);
  return given;
}

/** The named parts of a stage, which are constants. */
export function optionsOf<K extends Kinds>(operand: Value, name: string, codes: Codes, kinds: K): Values<K> {
  const given = partsOf(operand, name, codes, kinds);
  const options = Object.entries(kinds).map(([key, { check }]) => [key, check(given.get(key), name)]);
  return Object.fromEntries(options) as Values<K>;
}
