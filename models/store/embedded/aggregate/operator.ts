import type { Value } from '../bson/value.ts';
import { type CodeName, fail } from '../errors.ts';
import {
  type Codes,
  type Compile,
  type Expression,
  type Kind,
  type Kinds,
  nullish,
  partsOf,
  type Values,
} from './kind.ts';

/** Makes an expression of an operator's operand; the name is for messages. */
export type Operator = (operand: Value, compile: Compile, name: string) => Expression;

/** The parts of an operand, each with its kind; throws for too few, too many and unknown ones. */
type Shape = (operand: Value, name: string) => [Kind<unknown>, Value][];

/** Whether a value that was read makes the whole result null. */
type Nulls = (found: Value[]) => boolean;

const NEVER: Nulls = () => false;
const FIRST: Nulls = ([first]) => nullish(first);
const ANY: Nulls = (found) => found.some(nullish);

const evaluated =
  (shape: Shape, nulls: Nulls, apply: (values: unknown[]) => Value): Operator =>
  (operand, compile, name) => {
    const parts = shape(operand, name);
    const reads = parts.map(([{ read }, spec]) => read(spec, compile, name));
    const checks = parts.map(([{ check }]) => check);
    return (env) => {
      const found = reads.map((read) => read(env) as Value);
      return nulls(found) ? null : apply(found.map((value, i) => checks[i]!(value, name)));
    };
  };

/** The operands of an operator: an array of them, or a single one. */
export const operands = (operand: Value): Value[] => (Array.isArray(operand) ? operand : [operand]);

const listed =
  (kindAt: (i: number) => Kind<unknown>, least: number, most: number, code: CodeName | number): Shape =>
  (operand, name) => {
    const specs = operands(operand);
    if (specs.length < least || specs.length > most)
      fail(code, `Expression ${name} takes ${least} to ${most} arguments. ${specs.length} were passed in.`);
    return specs.map((spec, i) => [kindAt(i), spec]);
  };

const positional =
  (nulls: Nulls) =>
  <K extends Kind<unknown>[]>(kinds: [...K], apply: (...values: Values<K>) => Value): Operator => {
    const least = kinds.filter((kind) => !kind.optional).length;
    const shape = listed((i) => kinds[i]!, least, kinds.length, 16020);
    return evaluated(shape, nulls, (values) => apply(...(values as Values<K>)));
  };

const repeated =
  (nulls: Nulls, least: number, code: number) =>
  <T>(kind: Kind<T>, apply: (values: T[]) => Value): Operator => {
    const shape = listed(() => kind, least, Infinity, code);
    return evaluated(shape, nulls, (values) => apply(values as T[]));
  };

/** An operator on one part of each kind (code 16020 for another number of them). */
export const strict = positional(NEVER);
/** The same, null when any part is null or missing. */
export const nullable = positional(ANY);
/** The same, null when the first part is null or missing. */
export const nullFirst = positional(FIRST);
/** An operator on any number of parts of one kind, null when any is null or missing. */
export const variadic = repeated(ANY, 0, 16020);
/** The same on at least this many parts, with the error code for fewer; a null part does not make it null. */
export const atLeast = (least: number, code = 16020) => repeated(NEVER, least, code);

/** An operator on named parts, null when the first of them is null or missing. */
export const named = <K extends Kinds>(codes: Codes, kinds: K, apply: (parts: Values<K>) => Value): Operator => {
  const keys = Object.keys(kinds);
  const shape: Shape = (operand, name) => {
    const given = partsOf(operand, name, codes, kinds);
    return keys.map((key) => [kinds[key]!, given.get(key)]);
  };
  const parts = (values: unknown[]) => Object.fromEntries(keys.map((key, i) => [key, values[i]])) as Values<K>;
  return evaluated(shape, FIRST, (values) => apply(parts(values)));
};
