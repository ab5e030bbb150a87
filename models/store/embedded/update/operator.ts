import type { Value } from '../bson/value.ts';

/** What an operator may read besides the value that it changes: the value's path, and whether the document is new. */
export type Context = { path: string[]; inserting: boolean; now: Date };

/** Computes the new value of a field from its current one; undefined stands for a missing field, before and after. */
export type Change = (current: Value, context: Context) => Value;

/** Checks an operand once and makes the change from it; throws MongoDB's errors. */
export type UpdateOperator = (operand: Value, path: string, name: string) => Change;

/** The field of a message: 'a.b'. */
export const shown = (path: string[]): string => `'${path.join('.')}'`;
